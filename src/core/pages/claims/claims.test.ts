import { describe, expect, it } from 'vitest';
import { type Claim, claimFileSchema } from './claim.schema.ts';
import { areSamplesShown, describeEvidence, findClaimFaults, isSampleClaim } from './claims.ts';

const proven: Claim = {
  key: 'seats',
  figure: '9',
  wording: 'seats',
  evidence: 'Counted on the invoice of March.',
  checked: '2026-03-01',
};

function find(...claims: Partial<Claim>[]) {
  const all = claims.map((claim, index): Claim => ({ ...proven, key: `claim-${index}`, ...claim }));
  return findClaimFaults({
    claims: new Map(all.map((claim) => [claim.key, claim])),
    uses: new Map(all.map(({ key }) => [key, ['pages/x.yaml, title']])),
    samples: [],
    today: Date.parse('2026-09-01'),
  });
}

describe('a claim', () => {
  it('with dated evidence has no fault', () => expect(find({})).toEqual([]));

  it.each([
    ['without evidence', { evidence: '' }, 'unproven', 'claim-0 (9): no evidence'],
    ['whose evidence has no day', { checked: undefined }, 'undated', 'claim-0 (9): evidence, but no day'],
    ['checked too long ago', { checked: '2025-08-31' }, 'old', 'last checked 2025-08-31, 366 days ago'],
  ])('%s is reported', (_, change, kind, text) => {
    expect(find(change)).toEqual([{ kind, text: expect.stringContaining(text), claims: ['claim-0'] }]);
  });

  it('that was checked on the last day allowed is not old', () =>
    expect(find({ checked: '2025-09-01' })).toEqual([]));
});

describe('claims on one subject', () => {
  it('with different figures contradict each other', () =>
    expect(find({ subject: 'seats', figure: '9' }, { subject: 'seats', figure: '12' })).toEqual([
      { kind: 'contradiction', text: 'seats: 9 (claim-0), 12 (claim-1)', claims: ['claim-0', 'claim-1'] },
    ]));

  it.each([
    ['with the same figure agree', [{ subject: 'seats' }, { subject: 'seats' }]],
    [
      'of different subjects have nothing to do with each other',
      [{ subject: 'a' }, { subject: 'b', figure: '1' }],
    ],
  ])('%s', (_, claims) => expect(find(...claims)).toEqual([]));
});

it('claims that no page makes and sample quotations are reported', () => {
  const found = findClaimFaults({
    claims: new Map([['seats', proven]]),
    uses: new Map(),
    samples: ['pages/x.yaml, section 1'],
    today: Date.parse('2026-03-02'),
  });
  expect(found.map(({ kind }) => kind)).toEqual(['unused', 'sample']);
});

it('a claim with a check of a link says its day, and is as old as that', () => {
  const file = {
    seats: { figure: '$97', wording: 'a month', evidence: 'Price page', check: 'lc-20261103-9f2c61aa' },
  };
  const claim = {
    ...claimFileSchema.parse(file)['seats'],
    key: 'seats',
    figure: '$97',
    wording: '',
    evidence: 'Price page',
  };
  expect(describeEvidence(claim)).toBe('Price page (checked on November 3, 2026)');
  const find = (today: string) =>
    findClaimFaults({
      claims: new Map([['seats', claim]]),
      uses: new Map([['seats', ['pages/x.yaml']]]),
      samples: [],
      today: Date.parse(today),
    }).map(({ kind }) => kind);
  expect([find('2027-11-03'), find('2027-11-04')]).toEqual([[], ['old']]);
  const invalid = { seats: { figure: '1', wording: 'x', check: 'lc-2026' } };
  expect(claimFileSchema.safeParse(invalid).success).toBe(false);
});

it.each([
  ['local', 'http://127.0.0.1:4321', true],
  ['local', 'https://hub.com', false],
  ['show', 'https://hub.com', true],
  ['hide', 'http://127.0.0.1:4321', false],
] as const)('samples: %s at %s are shown: %s', (mode, address, expected) =>
  expect(areSamplesShown(mode, address)).toBe(expected),
);

it.each([
  ['a sample without evidence', { evidence: '', sample: true }, true],
  ['a sample that has evidence', { sample: true }, false],
  ['a claim without evidence', { evidence: '' }, false],
] as const)('leaves out with samples %s: %s', (_, change, expected) =>
  expect(isSampleClaim({ ...proven, ...change })).toBe(expected),
);

const source = 'https://provider.example/';
const FACT = {
  heading: 'Have a card ready',
  text: 'The form asks for a card.',
  source,
  checked: '2026-11-21',
};

it.each([
  ['a heading of seven words', { ...FACT, heading: 'Have a card ready at all times' }],
  ['two sentences', { ...FACT, text: `${'It is so. '.repeat(6)}`.trim() }],
  ['15 words', { ...FACT, text: `${'word '.repeat(14)}word.` }],
  ['no period', { ...FACT, text: 'The form asks for a card' }],
])('refuses a fact with %s', (_, fact) => {
  const read = (given: unknown) =>
    claimFileSchema.safeParse({ card: { figure: 'No card', wording: 'x', fact: given } }).success;
  expect(read(FACT)).toBe(true);
  expect(read(fact)).toBe(false);
});

it('reads what a source said in the former field as a fact', () => {
  const text = 'A longer text. In two sentences, with more words than a fact may have, all of them read.';
  const read = claimFileSchema.parse({
    card: {
      figure: 'x',
      wording: 'x',
      sourceSays: { text, who: 'terms', short: 'Ask.', source, checked: '2026-11-21' },
    },
  });
  expect(read['card']).not.toHaveProperty('sourceSays');
  expect(read['card']?.fact).toEqual({ heading: 'Ask.', text, source, checked: '2026-11-21' });
});
