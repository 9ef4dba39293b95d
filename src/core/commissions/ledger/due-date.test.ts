import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../../test/support/for-all.ts';
import { buildSampleFact } from '../../../../test/support/sample-commissions.ts';
import { getLocalDay, toUtc } from '../local-time.ts';
import type { CommissionStatus } from './commission-fact.ts';
import { NO_PAYMENT_TERMS, type PaymentTerms, type Payout } from './commission-terms.ts';
import {
  buildDueDays,
  buildPaymentSchedule,
  buildPayments,
  type Due,
  findPayoutDay,
  GRACE_DAYS,
  type PaymentState,
} from './due-date.ts';
import { foldCommission } from './fold-commission.ts';

const DAY_MS = 86_400_000;
const formatDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const addDays = (day: string, days: number) => formatDay(Date.parse(day) + days * DAY_MS);

const on15 = { rhythm: 'month-day', day: 15, by: 'approval' } as const;
const on31 = { rhythm: 'month-day', day: 31, by: 'approval' } as const;
const on13 = { rhythm: 'month-day', day: 13, by: 'booking' } as const;
const twice = { rhythm: 'month-days', days: [1, 15] } as const;
const net30 = { rhythm: 'net', days: 30, by: 'approval' } as const;
const net0 = { rhythm: 'net', days: 0, by: 'booking' } as const;
const fridays = { rhythm: 'weekly', weekday: 5 } as const;

it.each<[payout: Payout, booked: string, approved: string, day: string]>([
  [on15, '2026-01-04', '2026-02-01', '2026-03-15'],
  [on15, '2026-01-04', '2026-01-31', '2026-02-15'],
  [on15, '2025-12-01', '2025-12-31', '2026-01-15'],
  // The last day of a shorter month, in leap years too.
  [on31, '2026-01-01', '2026-01-10', '2026-02-28'],
  [on31, '2028-01-01', '2028-01-31', '2028-02-29'],
  [on31, '2026-03-01', '2026-03-31', '2026-04-30'],
  // The month of the booking decides; what is approved too late for its payout is in the next one.
  [on13, '2026-03-31', '2026-04-07', '2026-04-13'],
  [on13, '2026-03-01', '2026-04-13', '2026-04-13'],
  [on13, '2026-03-01', '2026-04-14', '2026-05-13'],
  [on13, '2026-03-05', '2026-03-06', '2026-04-13'],
  [twice, '2026-03-01', '2026-03-14', '2026-03-15'],
  [twice, '2026-03-01', '2026-03-15', '2026-04-01'],
  [twice, '2026-12-20', '2026-12-31', '2027-01-01'],
  [{ rhythm: 'month-days', days: [15, 31] }, '2028-02-01', '2028-02-15', '2028-02-29'],
  [net30, '2026-01-02', '2026-01-15', '2026-03-02'],
  [net30, '2028-01-02', '2028-01-31', '2028-03-01'],
  [net30, '2026-01-02', '2026-12-31', '2027-01-30'],
  [net0, '2028-02-10', '2028-02-29', '2028-02-29'],
  [net0, '2028-02-10', '2028-03-01', '2028-03-31'],
  [fridays, '2026-11-01', '2026-11-19', '2026-11-20'],
  // November 20 is a Friday: its payout has what was approved before.
  [fridays, '2026-11-01', '2026-11-20', '2026-11-27'],
])('%j pays what was booked on %s and approved on %s on %s', (payout, booked, approved, day) => {
  expect(findPayoutDay(payout, booked, approved)).toBe(day);
});

const dayOf = (from: string, to: string) =>
  fc
    .integer({ min: Date.parse(from) / DAY_MS, max: Date.parse(to) / DAY_MS })
    .map((day) => formatDay(day * DAY_MS));
const clock = fc.constantFrom('approval' as const, 'booking' as const);
const payouts: fc.Arbitrary<Payout> = fc.oneof(
  fc.record({ rhythm: fc.constant('month-day' as const), day: fc.integer({ min: 1, max: 31 }), by: clock }),
  fc.record({ rhythm: fc.constant('net' as const), days: fc.integer({ min: 0, max: 120 }), by: clock }),
  fc.record({
    rhythm: fc.constant('month-days' as const),
    days: fc
      .uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 2, maxLength: 4 })
      .map((days) => days.sort((one, other) => one - other)),
  }),
  fc.record({ rhythm: fc.constant('weekly' as const), weekday: fc.integer({ min: 0, max: 6 }) }),
);

it('a payout is never before the approval, and never earlier for a later approval', () =>
  forAll(
    1,
    [payouts, dayOf('2023-12-01', '2028-03-31'), fc.nat(200), fc.nat(200)],
    (payout, booked, first, more) => {
      const approved = addDays(booked, first);
      const day = findPayoutDay(payout, booked, approved);
      expect(day >= approved).toBe(true);
      expect(findPayoutDay(payout, booked, addDays(approved, more)) >= day).toBe(true);
    },
  ));

const NOW_DAY = '2026-11-22';
const NOW = Date.parse(`${NOW_DAY}T12:00:00Z`);

interface Sample {
  readonly id: string;
  readonly status: CommissionStatus;
  readonly amount: number;
  /** Days before now. */
  readonly booked: number;
  /** Days after the booking until the status. */
  readonly after: number;
  readonly partner: string;
  readonly account: string;
  readonly currency: string;
  readonly isCounted: boolean;
}

function buildDue(sample: Partial<Sample>, timeZone: string): Due[] {
  const { id = '1', status = 'pending', amount = 4_000, booked = 0, after = 0 } = sample;
  const { partner = 'kit', account = 'main', currency = 'USD', isCounted = true } = sample;
  const bookedAt = NOW - booked * DAY_MS;
  const fields = { nativeId: id, amount, currency, kind: 'sale', eventTime: bookedAt } as const;
  const arrival = { partner, account };
  const changeTime = Math.min(NOW, bookedAt + after * DAY_MS);
  const report = (reported: CommissionStatus, time: number, sequence: number) => ({
    ...buildSampleFact({ ...fields, status: reported, changeTime: time }, { ...arrival, arrivedAt: time }),
    sequence,
  });
  // Paid commissions were approved when they were booked.
  const facts = [
    ...(status === 'unknown' ? [] : [report(status === 'paid' ? 'approved' : 'pending', bookedAt, 1)]),
    report(status, changeTime, 2),
  ];
  const commission = foldCommission(facts);
  const isOwed = ['pending', 'approved', 'paid'].includes(commission.status) && commission.amount !== 0;
  if (!isCounted || !isOwed) return [];
  const getDay = (time: number) => Date.parse(getLocalDay(time, timeZone)) / DAY_MS;
  const own = { partner, account, currency, status: commission.status, amount: commission.amount, count: 1 };
  return [{ ...own, ...buildDueDays({ commission, facts }, getDay) }];
}

function schedule(samples: readonly Partial<Sample>[], payments: Partial<PaymentTerms>, timeZone = 'UTC') {
  const terms = { timeZone, payments: { ...NO_PAYMENT_TERMS, ...payments } };
  return buildPaymentSchedule(
    samples.flatMap((sample, index) => buildDue({ id: String(index), ...sample }, timeZone)),
    { terms: new Map([['kit', terms]]), getRate: () => 0.75, now: NOW },
  );
}

describe('a commission is', () => {
  const terms = { approvalDays: 30, payout: on15 };
  it.each<[sample: Partial<Sample>, state: PaymentState, day: string | null, approvalDay: string | null]>([
    [{ booked: 10 }, 'due', '2027-01-15', '2026-12-12'],
    // A few days late is no alarm: the approval is expected today, the payment with the next payout.
    [{ booked: 30 + GRACE_DAYS }, 'due', '2026-12-15', '2026-11-15'],
    [{ booked: 31 + GRACE_DAYS }, 'approval overdue', '2026-11-14', '2026-11-14'],
    [{ status: 'approved', booked: 60, after: 20 }, 'due', '2026-11-15', null],
    [{ status: 'approved', booked: 60, after: 59 }, 'due', '2026-12-15', null],
    [{ status: 'approved', booked: 90, after: 20 }, 'not confirmed', '2026-10-15', null],
    [{ status: 'paid', booked: 90, after: 80 }, 'paid', '2026-11-12', null],
    [{ status: 'approved', amount: -500, booked: 60, after: 20 }, 'carried over', null, null],
  ])('%j: %s', (sample, state, day, approvalDay) => {
    expect(schedule([sample], terms)).toMatchObject([{ state, day, approvalDay }]);
  });

  it('without a date while the terms do not say it', () => {
    expect(schedule([{}], { approvalDays: 30 })).toMatchObject([
      { state: 'no date', approvalDay: '2026-12-22' },
    ]);
    expect(schedule([{}], { payout: on15 })).toMatchObject([{ state: 'no date', approvalDay: null }]);
    expect(schedule([{ partner: 'gone', status: 'approved' }], terms)).toMatchObject([{ state: 'no date' }]);
  });

  it('expected when approvals usually come, and never overdue, while the terms do not say when', () => {
    const decided = [10, 20, 20, 30, 90].map(
      (after) => ({ status: 'approved', booked: 200, after }) as const,
    );
    const get = (list: readonly Partial<Sample>[]) => schedule(list, { payout: on15 }).at(-1);
    const old = { booked: 150 };
    expect(get([...decided, { booked: 5 }])).toMatchObject({ day: '2027-01-15', approvalDay: null });
    expect(get([...decided, old])).toMatchObject({ state: 'due', day: '2026-12-15' });
    expect(get([...decided.slice(1), old])).toMatchObject({ state: 'no date' });
  });

  it('overdue only at an account whose network reports payments', () => {
    const late = { status: 'approved', booked: 90, after: 20 } as const;
    const paid = { status: 'paid', booked: 90, after: 40 } as const;
    const states = schedule([late, paid, { ...late, account: 'second' }], terms).map(({ state }) => state);
    expect(states).toEqual(['payment overdue', 'paid', 'not confirmed']);
  });

  it('left out when it does not count, is reversed, worth nothing or of an unknown status', () => {
    const samples = [
      { isCounted: false },
      { status: 'reversed' },
      { amount: 0 },
      { status: 'unknown' },
    ] as const;
    expect(schedule(samples, terms)).toEqual([]);
  });
});

describe('a minimum', () => {
  const terms = { payout: on15, minimum: { amount: 5_000, currency: 'USD' } };
  const approved = (amount: number, booked: number, rest: Partial<Sample> = {}) =>
    ({ status: 'approved', amount, booked, ...rest }) as const;
  const days = (samples: readonly Partial<Sample>[]) =>
    schedule(samples, terms).map(({ state, day }) => day ?? state);

  it('carries a smaller balance over to the payout with which it is reached', () => {
    expect(days([approved(3_000, 40), approved(1_999, 20)])).toEqual(['carried over', 'carried over']);
    expect(days([approved(3_000, 40), approved(2_000, 20)])).toEqual(['2026-12-15', '2026-12-15']);
  });

  it('counts what was paid with a payout, and not what was paid before it', () => {
    const paid = (after: number) => approved(2_500, 75, { status: 'paid', after });
    // Booked and approved on September 8: the payout is on October 15.
    expect(days([approved(2_500, 75), paid(38)])).toEqual(['2026-10-15', '2026-10-16']);
    expect(days([approved(2_500, 75), paid(20)])).toEqual(['carried over', '2026-09-28']);
  });

  it('takes corrections off the balance', () =>
    expect(days([approved(6_000, 40), approved(-2_000, 40)])).toEqual(['carried over', 'carried over']));

  it('is not compared with money in another currency', () =>
    expect(days([approved(100, 20, { currency: 'EUR' })])).toEqual(['2026-12-15']));

  it('counts pending money by its approval rate', () => {
    const pending = { status: 'pending', amount: 6_666, booked: 5 } as const;
    const get = (amount: number) =>
      schedule([{ ...pending, amount }], { ...terms, approvalDays: 10 }).map(({ state }) => state);
    expect([get(6_660), get(6_668)]).toEqual([['carried over'], ['due']]);
  });
});

it.each([
  ['America/Los_Angeles', '2026-11-15'],
  ['UTC', '2026-12-15'],
  ['Pacific/Kiritimati', '2026-12-15'],
])('the month of an approval is that of the program in %s', (timeZone, day) => {
  // One o'clock on November 1 in UTC is October 31 in Los Angeles.
  const time = Date.parse('2026-11-01T01:00:00Z');
  const booked = (NOW - time) / DAY_MS;
  expect(schedule([{ status: 'approved', booked }], { payout: on15 }, timeZone)).toMatchObject([{ day }]);
});

const samples = fc.array(
  fc.record({
    status: fc.constantFrom<CommissionStatus>('pending', 'approved', 'paid', 'reversed', 'unknown'),
    amount: fc.integer({ min: -3_000, max: 20_000 }),
    booked: fc.integer({ min: 0, max: 900 }),
    after: fc.integer({ min: 0, max: 120 }),
    partner: fc.constantFrom('kit', 'other'),
    account: fc.constantFrom('main', 'second'),
    currency: fc.constantFrom('USD', 'EUR'),
    isCounted: fc.boolean(),
  }),
  { maxLength: 40 },
);
const someTerms = fc.record({
  approvalDays: fc.option(fc.integer({ min: 0, max: 120 })),
  payout: fc.option(payouts),
  minimum: fc.option(
    fc.record({ amount: fc.integer({ min: 1, max: 30_000 }), currency: fc.constant('USD') }),
  ),
});
const zones = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia');

it('payments sum to the commissions by status, partner and currency, whatever the terms and the order', () =>
  forAll(1, [samples, someTerms, zones], (list, payments, zone) => {
    const scheduled = schedule(list, payments, zone);
    const rows = buildPayments(scheduled);
    const counted = list.flatMap((sample, index) => buildDue({ id: String(index), ...sample }, zone));
    for (const partner of ['kit', 'other']) {
      for (const currency of ['USD', 'EUR']) {
        const sum = (status: CommissionStatus) =>
          counted
            .filter((due) => due.partner === partner && due.currency === currency && due.status === status)
            .reduce((total, { amount }) => total + amount, 0);
        const own = rows.filter((row) => row.partner === partner && row.currency === currency);
        const add = (kind: 'paid' | 'approved' | 'pending' | 'expected') =>
          own.reduce((total, row) => total + row[kind], 0);
        expect([add('paid'), add('approved'), add('pending')]).toEqual([
          sum('paid'),
          sum('approved'),
          sum('pending'),
        ]);
        expect(add('expected')).toBe(sum('approved') + (Math.round(sum('pending') * 0.75) || 0));
      }
    }
    expect(rows.reduce((total, { count }) => total + count, 0)).toBe(scheduled.length);
    const reversed = schedule([...list].reverse(), payments, zone);
    const describeAll = (all: typeof rows) => all.map((row) => JSON.stringify(row)).sort();
    expect(describeAll(buildPayments(reversed))).toEqual(describeAll(rows));
  }));

it('states, days and balances fit together for every ledger', () =>
  forAll(1, [samples, someTerms], (list, payments) => {
    const scheduled = schedule(list, payments);
    for (const { state, day, status } of scheduled) {
      expect(day === null).toBe(state === 'carried over' || state === 'no date');
      expect(state === 'paid').toBe(status === 'paid');
      if (state === 'approval overdue') expect(status).toBe('pending');
      if (state === 'payment overdue' || state === 'not confirmed') expect(status).toBe('approved');
      if (day === null) continue;
      const isOld = addDays(day, GRACE_DAYS) < NOW_DAY;
      if (state !== 'paid') expect(isOld).toBe(state !== 'due');
    }
  }));

it('the day of a booking is local where the clock is changed', () => {
  const booked = toUtc(Date.parse('2026-03-08T02:30:00Z'), 'America/New_York');
  const [one] = schedule([{ booked: (NOW - booked) / DAY_MS }], { approvalDays: 0 }, 'America/New_York');
  expect(one?.approvalDay).toBe('2026-03-08');
});
