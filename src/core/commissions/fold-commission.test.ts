import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CASES } from '../../../test/support/cases.ts';
import type { CommissionDecision, StoredFact } from './commission-fact.ts';
import { COMMISSION_STATUSES } from './commission-fact.ts';
import { foldCommission } from './fold-commission.ts';

const DAY = 86_400_000;
const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';

/** A stored fact; the sequence is the position in the list unless it is given. */
function createFact(parts: Partial<StoredFact>, sequence = 1): StoredFact {
  return {
    partner: 'highlevel',
    account: 'main',
    nativeId: '1001',
    kind: 'sale',
    status: 'pending',
    amount: 4_000,
    currency: 'USD',
    saleAmount: null,
    token: '',
    clickId: null,
    clickTime: null,
    eventTime: 0,
    changeTime: 0,
    source: 'postback',
    isTest: false,
    rawId: null,
    importId: null,
    sequence,
    arrivedAt: sequence,
    ...parts,
  };
}

const fold = (...parts: Partial<StoredFact>[]) =>
  foldCommission(parts.map((part, index) => createFact(part, index + 1)));

it('a commission that was approved and paid has the newest status and its amount', () => {
  expect(
    fold(
      { status: 'pending' },
      { status: 'approved', changeTime: DAY },
      { status: 'paid', changeTime: 2 * DAY },
    ),
  ).toMatchObject({ status: 'paid', amount: 4_000, reversedAmount: 0, conflicts: [] });
});

it('a reversal after 75 days takes the whole amount away and remembers it', () => {
  expect(
    fold({ status: 'approved' }, { status: 'reversed', amount: 4_000, changeTime: 75 * DAY }),
  ).toMatchObject({ status: 'reversed', amount: 0, reversedAmount: 4_000 });
});

it('a partial refund lowers the amount, a full one after it reverses what was left', () => {
  const partial = { status: 'approved', amount: 2_800, changeTime: DAY } as const;
  expect(fold({ status: 'approved' }, partial)).toMatchObject({ status: 'approved', amount: 2_800 });
  expect(
    fold({ status: 'approved' }, partial, { status: 'reversed', amount: 0, changeTime: 2 * DAY }),
  ).toMatchObject({ amount: 0, reversedAmount: 2_800 });
});

it('a reversal of an unknown commission is worth nothing and takes nothing away', () => {
  expect(fold({ status: 'reversed', amount: 9_900 })).toMatchObject({ amount: 0, reversedAmount: 0 });
});

it('a message that arrives late with an older change time changes nothing and is no conflict', () => {
  expect(
    fold({ status: 'approved', changeTime: DAY }, { status: 'pending', amount: 1, changeTime: 0 }),
  ).toMatchObject({ status: 'approved', amount: 4_000, conflicts: [] });
});

it('a status that moves backwards without a newer change time is a conflict and is not applied', () => {
  const commission = fold({ status: 'reversed', changeTime: DAY }, { status: 'approved', changeTime: DAY });
  expect(commission).toMatchObject({ status: 'reversed', amount: 0 });
  expect(commission.conflicts.map(({ sequence }) => sequence)).toEqual([2]);
});

it('a reversal that the network takes back with a newer change time is applied', () => {
  expect(
    fold(
      { status: 'approved' },
      { status: 'reversed', changeTime: DAY },
      { status: 'approved', changeTime: 2 * DAY },
    ),
  ).toMatchObject({ status: 'approved', amount: 4_000, reversedAmount: 0 });
});

it('the first click that a message named stays, whatever later messages say', () => {
  expect(fold({}, { clickId: CLICK, changeTime: 1 }, { clickId: 'other', changeTime: 2 })).toMatchObject({
    clickId: CLICK,
  });
});

it.each([
  { actions: ['assign'], clickId: 'assigned', isDismissed: false },
  { actions: ['dismiss'], clickId: null, isDismissed: true },
  { actions: ['assign', 'reset'], clickId: null, isDismissed: false },
  { actions: ['dismiss', 'assign'], clickId: 'assigned', isDismissed: false },
] as const)('the newest decision of $actions holds', ({ actions, clickId, isDismissed }) => {
  const decisions = actions.map(
    (action, index): CommissionDecision => ({
      partner: 'highlevel',
      account: 'main',
      nativeId: '1001',
      action,
      clickId: action === 'assign' ? 'assigned' : null,
      origin: 'operator',
      decidedAt: 0,
      sequence: index + 1,
    }),
  );
  expect(foldCommission([createFact({})], decisions)).toMatchObject({ clickId, isDismissed });
  expect(foldCommission([createFact({})], decisions.toReversed())).toMatchObject({ clickId, isDismissed });
});

it('no facts are a programming error', () => {
  expect(() => foldCommission([])).toThrow(RangeError);
});

it('the order of the list never changes the result', () => {
  const fact = fc.record({
    status: fc.constantFrom(...COMMISSION_STATUSES),
    amount: fc.integer({ min: -100_000, max: 100_000 }),
    changeTime: fc.integer({ min: 0, max: 5 }),
    clickId: fc.constantFrom(null, 'one', 'two'),
  });
  fc.assert(
    fc.property(
      fc.array(fact, { minLength: 1, maxLength: 12 }).chain((parts) => {
        const facts = parts.map((part, index) => createFact(part, index + 1));
        return fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length }));
      }),
      ([facts, shuffled]) => {
        expect(foldCommission(shuffled)).toEqual(foldCommission(facts));
      },
    ),
    { numRuns: CASES },
  );
});

it('with distinct change times the order of arrival does not matter either', () => {
  const status = fc.constantFrom(...COMMISSION_STATUSES);
  fc.assert(
    fc.property(
      fc
        .array(fc.tuple(status, fc.integer({ min: 0, max: 9_999 })), { minLength: 1, maxLength: 8 })
        .chain((parts) => {
          const indices = parts.map((_, index) => index);
          return fc.tuple(fc.constant(parts), fc.shuffledSubarray(indices, { minLength: indices.length }));
        }),
      ([parts, arrival]) => {
        const inOrder = parts.map(([state, amount], index) =>
          createFact({ status: state, amount, changeTime: index }, index + 1),
        );
        const arrived = parts.map(([state, amount], index) =>
          createFact({ status: state, amount, changeTime: index }, arrival.indexOf(index) + 1),
        );
        const { status: one, amount: oneAmount, reversedAmount: oneReversed } = foldCommission(inOrder);
        expect(foldCommission(arrived)).toMatchObject({
          status: one,
          amount: oneAmount,
          reversedAmount: oneReversed,
        });
      },
    ),
    { numRuns: CASES },
  );
});
