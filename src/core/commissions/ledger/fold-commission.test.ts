import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { buildStoredFact } from '../../../../test/support/sample-commissions.ts';
import type { StoredFact } from './commission-fact.ts';
import { COMMISSION_STATUSES } from './commission-fact.ts';
import { foldCommission } from './fold-commission.ts';
import type { CommissionDecision } from './stored-money.schema.ts';

const DAY = 86_400_000;
/** Later than all times of change. */
const ARRIVAL = 1_000 * DAY;
const CLICK = '0b3c5f1e-8d1a-4c2b-9e7f-2a6d4b8c0e12';

/** A stored fact; the sequence is the position in the list unless it is given. */
const createFact = (parts: Partial<StoredFact>, sequence = 1) =>
  buildStoredFact({ eventTime: 0, changeTime: 0, sequence, arrivedAt: ARRIVAL + sequence, ...parts });

/** The times of a message that names none; ms after `ARRIVAL`. */
const undated = (after: number) => ({ changeTime: ARRIVAL + after, arrivedAt: ARRIVAL + after });

const fold = (...parts: Partial<StoredFact>[]) =>
  foldCommission(parts.map((part, index) => createFact(part, index + 1)));

it('a commission that was approved and paid has the newest status and its amount', () =>
  expect(
    fold(
      { status: 'pending' },
      { status: 'approved', changeTime: DAY },
      { status: 'paid', changeTime: 2 * DAY },
    ),
  ).toMatchObject({ status: 'paid', amount: 4_000, reversedAmount: 0, conflicts: [] }));

it('a reversal after 75 days takes the whole amount away and remembers it', () =>
  expect(
    fold({ status: 'approved' }, { status: 'reversed', amount: 4_000, changeTime: 75 * DAY }),
  ).toMatchObject({ status: 'reversed', amount: 0, reversedAmount: 4_000 }));

it('a partial refund lowers the amount, a full one after it reverses what was left', () => {
  const partial = { status: 'approved', amount: 2_800, changeTime: DAY } as const;
  expect(fold({ status: 'approved' }, partial)).toMatchObject({ status: 'approved', amount: 2_800 });
  expect(
    fold({ status: 'approved' }, partial, { status: 'reversed', amount: 0, changeTime: 2 * DAY }),
  ).toMatchObject({ amount: 0, reversedAmount: 2_800 });
});

it('a reversal of an unknown commission is worth nothing and takes nothing away', () =>
  expect(fold({ status: 'reversed', amount: 9_900 })).toMatchObject({ amount: 0, reversedAmount: 0 }));

it('a message that arrives late with an older change time changes nothing and is no conflict', () =>
  expect(
    fold({ status: 'approved', changeTime: DAY }, { status: 'pending', amount: 1, changeTime: 0 }),
  ).toMatchObject({ status: 'approved', amount: 4_000, conflicts: [] }));

it('a status that moves backwards without a newer change time is a conflict and is not applied', () => {
  const commission = fold({ status: 'reversed', changeTime: DAY }, { status: 'approved', changeTime: DAY });
  expect(commission).toMatchObject({ status: 'reversed', amount: 0 });
  expect(commission.conflicts.map(({ sequence }) => sequence)).toEqual([2]);
});

it('a reversal that the network takes back with a newer change time is applied', () =>
  expect(
    fold(
      { status: 'approved' },
      { status: 'reversed', changeTime: DAY },
      { status: 'approved', changeTime: 2 * DAY },
    ),
  ).toMatchObject({ status: 'approved', amount: 4_000, reversedAmount: 0 }));

const history = (name: string, expected: object, ...facts: Partial<StoredFact>[]) =>
  [name, facts, expected] as const;
const NO_AMOUNT = { amount: 0, unstated: ['amount', 'currency'] } as const;

it.each([
  history(
    'goes up and down again without times',
    { amount: 10, isReturned: true },
    ...[10, 15, 10].map((amount, index) => ({ amount, ...undated(index + 1) })),
  ),
  history(
    'is approved again without times',
    { status: 'approved', amount: 4_000, reversedAmount: 0, isReturned: true },
    ...(['approved', 'reversed', 'approved'] as const).map((status, at) => ({ status, ...undated(at + 1) })),
  ),
  history('repeats its state', { isReturned: false }, undated(1), undated(2), undated(3)),
  history(
    'is approved at a time ahead, and reversed',
    { status: 'reversed', changeTime: ARRIVAL - DAY },
    { status: 'approved', changeTime: ARRIVAL + 300 * DAY },
    { status: 'reversed', changeTime: ARRIVAL - DAY },
  ),
  history(
    'is told while the clock is ten years ahead, and reversed',
    { status: 'reversed' },
    { status: 'approved', ...undated(3_650 * DAY), sequence: 1 },
    { status: 'reversed', changeTime: ARRIVAL - DAY, arrivedAt: ARRIVAL, sequence: 2 },
  ),
  history(
    'is paid on an earlier day than the arrival of its approval',
    { status: 'paid' },
    { status: 'approved', ...undated(1) },
    { status: 'paid', changeTime: ARRIVAL - DAY },
  ),
  history(
    'is told as pending by a late message',
    { status: 'approved', conflicts: [] },
    { status: 'approved', ...undated(1) },
    { status: 'pending', changeTime: ARRIVAL - DAY },
  ),
  history(
    'is told in the wrong order by a network whose clock is ahead',
    { status: 'reversed', reversedAmount: 4_000 },
    { status: 'reversed', changeTime: ARRIVAL + 9 * DAY },
    { status: 'approved', changeTime: ARRIVAL + 8 * DAY },
  ),
  history(
    'is reversed by a message without a currency',
    { currency: 'JPY', amount: 0, reversedAmount: 1_000 },
    { status: 'approved', amount: 1_000, currency: 'JPY', ...undated(1) },
    { status: 'reversed', ...NO_AMOUNT, ...undated(2) },
  ),
  history(
    'is approved by a message without an amount',
    { status: 'approved', currency: 'EUR', amount: 700 },
    { amount: 700, currency: 'EUR', ...undated(1) },
    { status: 'approved', ...NO_AMOUNT, ...undated(2) },
  ),
  history(
    'changes its amount in a message without a currency',
    { currency: 'JPY', amount: 15 },
    { amount: 1_000, currency: 'JPY', ...undated(1) },
    { amount: 1_500, unstated: ['currency'], ...undated(2) },
  ),
  history(
    'begins with a message without an amount',
    { status: 'approved', amount: 700 },
    { status: 'approved', amount: 0, unstated: ['amount'], changeTime: 2 },
    { amount: 700, changeTime: 1 },
  ),
  history(
    'is told by dates with an undated report between them',
    { status: 'approved', amount: 7_955, isDisputed: true, conflicts: [] },
    { changeTime: 2 * DAY },
    { status: 'paid', ...undated(2) },
    { status: 'approved', changeTime: 5 * DAY },
    { status: 'reversed', changeTime: 8 * DAY },
    { status: 'approved', amount: 7_955, changeTime: 12 * DAY },
  ),
  history(
    'is told as undated after a later date, and then as of an earlier one',
    { status: 'approved', amount: 1, isDisputed: true },
    { status: 'approved', changeTime: 10 * DAY },
    { status: 'approved', amount: 1, ...undated(2) },
    { status: 'paid', amount: 2, changeTime: 5 * DAY },
  ),
  history(
    'has two reports of one day around an undated one',
    { status: 'paid', isDisputed: false },
    { status: 'approved', ...undated(1) },
    { status: 'paid', changeTime: 5 * DAY },
    { status: 'pending', changeTime: 5 * DAY },
  ),
  history(
    'is told ahead of its arrival against the order of the times',
    { status: 'reversed', isDisputed: true },
    { status: 'approved', changeTime: ARRIVAL + 9 * DAY },
    { status: 'reversed', changeTime: ARRIVAL + 8 * DAY },
  ),
  history(
    'is approved again without an amount after a reversal with one',
    { status: 'approved', amount: 4_000, isDisputed: false },
    { ...undated(1) },
    { status: 'reversed', amount: 12, ...undated(2) },
    { status: 'approved', ...NO_AMOUNT, ...undated(3) },
  ),
])('a commission that %s', (_, facts, expected) => {
  const stored = facts.map((fact, index) => createFact(fact, index + 1));
  expect(foldCommission(stored)).toMatchObject(expected);
  expect(foldCommission(stored.toReversed())).toMatchObject(expected);
});

it('the first click that a message named stays, whatever later messages say', () =>
  expect(fold({}, { clickId: CLICK, changeTime: 1 }, { clickId: 'other', changeTime: 2 })).toMatchObject({
    clickId: CLICK,
  }));

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

it('no facts are a programming error', () => expect(() => foldCommission([])).toThrow(RangeError));

/** Messages as they arrive, with the clocks of network and site right, ahead or behind. */
const anyHistory = fc
  .array(
    fc.record({
      status: fc.constantFrom(...COMMISSION_STATUSES),
      amount: fc.integer({ min: -9_999, max: 9_999 }),
      changeTime: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
      arrivedAt: fc.integer({ min: 0, max: 40 }),
    }),
    { maxLength: 8 },
  )
  .map((messages) =>
    messages.map(({ changeTime, arrivedAt, ...message }, index) =>
      createFact(
        { ...message, arrivedAt: arrivedAt * 10, changeTime: (changeTime ?? arrivedAt) * 10 },
        index + 1,
      ),
    ),
  );

it('the order of the list never changes the result', () =>
  forAll(
    1,
    [
      anyHistory.chain((facts) =>
        fc.tuple(fc.constant(facts), fc.shuffledSubarray(facts, { minLength: facts.length })),
      ),
    ],
    ([facts, shuffled]) => {
      fc.pre(facts.length > 0);
      expect(foldCommission(shuffled)).toEqual(foldCommission(facts));
    },
  ));

it('with distinct change times the order of arrival does not matter either', async () => {
  const status = fc.constantFrom(...COMMISSION_STATUSES);
  await forAll(
    1,
    [
      fc
        .array(fc.tuple(status, fc.integer({ min: 0, max: 9_999 })), { minLength: 1, maxLength: 8 })
        .chain((parts) => {
          const indices = parts.map((_, index) => index);
          return fc.tuple(fc.constant(parts), fc.shuffledSubarray(indices, { minLength: indices.length }));
        }),
    ],
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
  );
});

it('whatever clocks said before, the newest message counts', async () => {
  const newest = fc.record({
    status: fc.constantFrom(...COMMISSION_STATUSES),
    arrivedAt: fc.integer({ min: 0, max: 40 }).map((time) => time * 10 + 5),
  });
  await forAll(1, [anyHistory, newest], (facts, { status, arrivedAt }) => {
    const last = createFact({ status, arrivedAt, changeTime: arrivedAt }, facts.length + 1);
    expect(foldCommission([...facts, last])).toMatchObject({ status, changeTime: arrivedAt });
    // A time that is right moves a status up, whatever times ahead were told before it.
    const reversal = createFact(
      { status: 'reversed', arrivedAt, changeTime: arrivedAt - 1 },
      facts.length + 1,
    );
    expect(foldCommission([...facts, reversal])).toMatchObject({ status: 'reversed', amount: 0 });
  });
});

it('with messages that name no time, the last one counts, whatever the clock of the site showed', () =>
  forAll(1, [anyHistory], (facts) => {
    fc.pre(new Set(facts.map(({ arrivedAt }) => arrivedAt)).size === facts.length);
    const undatedFacts = facts.map((fact) => ({ ...fact, changeTime: fact.arrivedAt }));
    const last = undatedFacts.at(-1);
    if (last === undefined) return;
    const { status, amount, conflicts } = foldCommission(undatedFacts);
    expect([status, amount, conflicts]).toEqual([
      last.status,
      last.status === 'reversed' ? 0 : last.amount,
      [],
    ]);
  }));

it('keeps the order of the dates, whatever undated reports stand between, and says when that decided', () =>
  forAll(1, [anyHistory], (facts) => {
    // Times that are right: each report was told after its change.
    const right = facts.map((fact, index) => {
      const arrivedAt = 1_000 + index;
      return {
        ...fact,
        arrivedAt,
        changeTime: fact.changeTime === fact.arrivedAt ? arrivedAt : fact.changeTime,
      };
    });
    const dated = right.filter(({ changeTime, arrivedAt }) => changeTime !== arrivedAt);
    fc.pre(dated.length > 0 && new Set(dated.map(({ changeTime }) => changeTime)).size === dated.length);
    const newest = dated.reduce((one, other) => (other.changeTime > one.changeTime ? other : one));
    const { status, amount } = foldCommission(right);
    const ends = [newest, ...right.filter((fact) => !dated.includes(fact))];
    expect(ends.map((fact) => [fact.status, fact.status === 'reversed' ? 0 : fact.amount])).toContainEqual([
      status,
      amount,
    ]);
    expect(foldCommission(dated)).toMatchObject({ status: newest.status, isDisputed: false });
  }));
