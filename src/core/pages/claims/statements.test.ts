import { expect, it } from 'vitest';
import { readSampleProducts, readSampleSavings } from '../../../../test/support/sample-content.ts';
import { listStatements, resolveName } from './statements.ts';

const CLAIM = {
  key: 'users',
  figure: '10,000',
  wording: 'users',
  evidence: 'Its page.',
  checked: '2026-01-01',
};
const AGAINST = {
  heading: 'Fewer',
  text: '8,000 users',
  source: 'https://other.example/',
  checked: '2026-02-02',
};

it.each([
  [CLAIM, { text: '10,000 users', source: 'Its page.', checked: '2026-01-01' }],
  [
    { ...CLAIM, fact: AGAINST },
    {
      text: '10,000 users; against it: 8,000 users',
      source: 'https://other.example/',
      checked: '2026-02-02',
    },
  ],
])('the statement of a claim has the source that was read last, and what it says', (claim, expected) => {
  const content = { claims: new Map([['users', claim]]), partners: new Map(), products: new Map() };
  expect(listStatements(content, new Map([['users', 'claims/a.yaml']]))).toEqual([
    { kind: 'claim', name: 'claim:users', subject: '', amount: '', file: 'claims/a.yaml', ...expected },
  ]);
});

it.each([
  ['claim:users', ['claim:users']],
  ['total:bill', ['product:kit.creator', 'product:highlevel.unlimited']],
  ['total:none', []],
  ['price:unlimited', ['product:highlevel.unlimited']],
  ['trial:days', ['product:highlevel.trial-days']],
  ['other:users', []],
])('the name %s uses %j', (name, expected) => {
  const savings = readSampleSavings();
  const lines = ['kit.creator', 'highlevel.unlimited'].map((figure) => ({ figure, times: 1 }));
  const totals = { bill: { lines: [...lines, { amount: 10, times: 1 }] } };
  expect(resolveName(name, { products: readSampleProducts(), savings: { ...savings, totals } })).toEqual(
    expected,
  );
});
