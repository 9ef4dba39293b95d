import { expect, it } from 'vitest';
import { readSampleProducts } from '../../../../test/support/sample-content.ts';
import type { Claim } from './claim.schema.ts';
import { findClaimantFaults } from './claimant-rules.ts';
import { buildClaimMark } from './claims.ts';

const claim: Claim = {
  key: 'card',
  figure: 'No credit card',
  wording: 'for the trial',
  evidence: '',
  claimedBy: 'pages of this kind',
};
const source = { source: 'https://kit.com/', checked: '2026-11-21' };
const claims = new Map<string, Claim>([
  ['card', claim],
  ['kit-users', { ...claim, key: 'kit-users', claimedBy: { name: 'Kit', ...source } }],
]);
const figures = new Map([['trial:card', `No credit card${buildClaimMark('card', claim)}`]]);
const find = (...texts: string[]) =>
  findClaimantFaults({ items: texts }, { claims, figures, products: readSampleProducts() }).map(
    ({ found }) => found,
  );

it.each([
  ['The offer says “{trial:card}.”', 'The offer'],
  ['The provider promises {claim:card.marked}.', 'The provider'],
  ['GoHighLevel advertises {claim:card}{claim:card.mark}.', 'GoHighLevel'],
  ['According to GoHighLevel, {claim:card}.', 'GoHighLevel'],
  ["{claim:card.marked} is the vendor's own word.", "the vendor's"],
  ['Kit claims {claim:card}.', 'Kit'],
  ['GoHighLevel says {claim:kit-users}.', 'GoHighLevel'],
  ['Promised: “{trial:card}.”', 'no one'],
])('refuses %j', (text, found) => expect(find(text)).toEqual([found]));

it('refuses a sentence about the offer next to a claim, and none where no claim is made', () => {
  expect(find('{trial:card}', 'The offer makes four promises, it says.')).toEqual(['The offer']);
  expect(find('Training offers advertise with it.', '{claim:card}')).toEqual(['Training offers']);
  expect(find('The offer says so.')).toEqual([]);
});

it.each([
  'Kit says {claim:kit-users}.',
  'The provider claims {claim:kit-users}.',
  'Pages of this kind say {trial:card}.',
  "{trial:card}. The provider's help center says that there are nine steps.",
  'GoHighLevel: {trial:card}',
])('lets %j be', (text) => expect(find(text)).toEqual([]));
