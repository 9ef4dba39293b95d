import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareSums } from '../../../test/support/calibration.ts';
import { buildPartner, buildViewRequest, createTestConsole } from '../../../test/support/console-ledger.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { buildSampleFact, buildSampleJourney } from '../../../test/support/sample-commissions.ts';
import { readEntries } from '../../../test/support/test-ledger.ts';
import { DAY_MS } from '../../core/clock.ts';
import {
  buildEntryAt,
  buildLedgerEntry,
  type LedgerEntry,
} from '../../core/commissions/ledger/build-ledger.ts';
import { COMMISSION_STATUSES } from '../../core/commissions/ledger/commission-fact.ts';
import { compareSummed } from '../../core/commissions/ranges/compare-periods.ts';
import { alignPeriods, isArrivalKnown, readComparison } from './comparison.ts';
import { DEFAULT_QUERY } from './query.ts';
import { addDays, buildPresetRange } from './range.ts';

/** A Sunday, in the afternoon. */
const NOW = Date.parse('2026-11-22T15:00:00Z');
const TODAY = '2026-11-22';
const HISTORY_DAYS = 140;

interface Business {
  /** Days from a click to its commission, and from that to its approval. */
  readonly delay: number;
  readonly approval: number;
  /** The commission of each day's customer, by days before today; 0: no customer. */
  readonly getAmount: (daysAgo: number) => number;
  /** When a message of a time arrives. */
  readonly getArrival?: (time: number) => number;
}

/** One click of each day earns; its commission is pending, then approved. */
function buildEntries({ delay, approval, getAmount, getArrival = (time) => time }: Business): LedgerEntry[] {
  return Array.from({ length: HISTORY_DAYS }, (_, daysAgo) => {
    const clickTime = NOW - daysAgo * DAY_MS - 4 * 3_600_000;
    const clickId = `click-${daysAgo}`;
    const times = [clickTime + delay * DAY_MS, clickTime + (delay + approval) * DAY_MS];
    const facts = times.flatMap((time, index) => {
      const status = index === 0 ? 'pending' : 'approved';
      const amount = getAmount(daysAgo);
      if (time > NOW || amount === 0) return [];
      const fields = {
        nativeId: clickId,
        status,
        amount,
        eventTime: times[0] ?? 0,
        changeTime: time,
      } as const;
      return { ...buildSampleFact(fields, { clickId, arrivedAt: getArrival(time) }), sequence: index + 1 };
    });
    if (facts.length === 0) return [];
    const journeys = new Map([[clickId, buildSampleJourney({ clickId, clickTime })]]);
    return buildLedgerEntry(facts, undefined, { terms: new Map(), journeys, firstEventTime: 0 });
  }).flat();
}

async function compare(
  business: Business,
  change: {
    readonly range?: string;
    readonly clock?: 'click' | 'booking';
    readonly clicks?: number;
    readonly days?: number;
  },
) {
  const { range = '28d', clock = 'booking', clicks = 10, days: known = HISTORY_DAYS } = change;
  const rows = Array.from({ length: known }, (_, daysAgo) =>
    (['partner', 'page'] as const).map((dimension) => ({
      dimension,
      day: addDays(TODAY, -daysAgo),
      key: [dimension === 'page' ? '/pricing' : 'highlevel'],
      views: 100,
      sessions: 10,
      actions: 0,
      clicks,
    })),
  ).flat();
  const site = await createTestConsole({
    entries: buildEntries(business).filter(({ journey }) => (journey?.clickTime ?? 0) > NOW - known * DAY_MS),
    rollups: createMemoryRollups(rows),
    content: { partners: new Map([['highlevel', buildPartner('highlevel')]]) },
    now: () => NOW,
  });
  const context = { today: TODAY, allTime: null, weekStart: 'monday' } as const;
  const days = buildPresetRange(range, context) ?? { from: TODAY, to: TODAY };
  const { query } = buildViewRequest();
  const period = await site.periods.readPeriod({ ...query, range, ...days, clock, compare: 'previous' });
  return readComparison(site, period, await site.periods.readClicksByDay(period.query));
}

const STEADY = { delay: 8, approval: 9, getAmount: () => 4_000 };

it.each([
  ['booking', '28d'],
  ['booking', '7d'],
  ['click', '28d'],
] as const)('a business that stays the same shows no change by %s day in %s', async (clock, range) => {
  await forAll(
    0.1,
    [fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 40 })],
    async (delay, approval) => {
      const compared = await compare({ ...STEADY, delay, approval }, { clock, range });
      const { confirmed, expected, clicks, epc } = compared?.changes ?? {};
      for (const change of [confirmed, expected, clicks, ...(epc === 'immature' ? [] : [epc])]) {
        if (typeof change !== 'object') throw new Error(`no change of ${range} is known: ${change}`);
        expect(change).toEqual({ now: change.before, before: change.now, isChance: true });
      }
    },
  );
});

it('the earlier period is seen as it stood at the same age, not as it is now', async () => {
  const compared = await compare(STEADY, { clock: 'click' });
  // Of 28 clicks, those of the last 17 days are not approved yet, then as now.
  expect(compared?.changes.confirmed).toMatchObject({ now: 11 * 4_000, before: 11 * 4_000 });
  expect(compared?.asOf).toBe(NOW - 28 * DAY_MS);
});

it('a change beyond chance is told from one that may be chance', async () => {
  const grow = (share: number) => ({
    ...STEADY,
    getAmount: (daysAgo: number) =>
      daysAgo < 36 ? 4_000 : daysAgo % Math.round(1 / share) === 0 ? 4_000 : 0,
  });
  expect((await compare(grow(1 / 7), {}))?.changes.expected).toMatchObject({ isChance: false });
  const doubtful = {
    ...STEADY,
    getAmount: (daysAgo: number) => (daysAgo % 7 === 0 || daysAgo === 15 ? 4_000 : 0),
  };
  const { expected } = (await compare(doubtful, {}))?.changes ?? {};
  expect(expected).toMatchObject({ now: 20_000, before: 16_000, isChance: true });
});

it('clicks whose money is still to come show no change of money by click day, and one by booking day', async () => {
  const late = { ...STEADY, delay: 20 };
  const byClick = await compare(late, { clock: 'click' });
  expect(byClick?.changes).toMatchObject({ confirmed: 'immature', expected: 'immature', epc: 'immature' });
  expect(byClick?.changes.clicks).toMatchObject({ now: 270, before: 270 });
  expect(byClick?.arrivedShare).toBeLessThan(0.5);
  expect((await compare(late, {}))?.changes).toMatchObject({ expected: { isChance: true }, epc: 'immature' });
});

it('nothing is compared with a time before the first data', async () => {
  const compared = await compare(STEADY, { range: '91d' });
  expect(compared?.changes).toMatchObject({ confirmed: 'no-data', clicks: 'no-data', epc: 'no-data' });
  expect(compared).toMatchObject({ moneyBegins: '2026-07-14', eventsBegin: '2026-07-06' });
});

it('today alone has no clicks to compare, since it is not over', async () => {
  const compared = await compare(STEADY, { range: 'today' });
  expect(compared?.changes).toMatchObject({ clicks: 'running', expected: { now: 4_000 } });
});

it('money that was reported afterwards, all at once, is not compared', async () => {
  const connected = NOW - 3 * DAY_MS;
  const imported = { ...STEADY, getArrival: (time: number) => Math.max(time, connected) };
  expect((await compare(imported, {}))?.changes).toMatchObject({
    confirmed: 'unknown',
    clicks: { now: 270 },
  });
});

it('files of a network are compared while the last one is as old as it was then', async () => {
  const month = (time: number) => {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + (date.getUTCDate() < 5 ? 0 : 1), 5);
  };
  const { periods } = await createTestConsole({
    entries: buildEntries({ ...STEADY, getArrival: month }),
    now: () => NOW,
  });
  const period = await periods.readPeriod({ ...DEFAULT_QUERY, from: '2020-01-01', to: TODAY });
  const isKnown = async (now: string, before: string) =>
    isArrivalKnown(
      await periods.readArrivals(period, period.query, Date.parse(before)),
      { now: Date.parse(now), before: Date.parse(before) },
      (...asked) => periods.readLastArrival(...asked),
    );
  expect(await isKnown('2026-11-22', '2026-10-22')).toBe(true);
  expect(await isKnown('2026-11-22', '2026-10-25')).toBe(true);
  expect(await isKnown('2026-11-06', '2026-10-30')).toBe(false);
});

it.each([
  ['a month that is over', 'last-month', '2026-10-22T15:00:00Z', '2026-10-31', '2026-09-30'],
  ['this month', 'month', '2026-10-22T15:00:00Z', '2026-11-21', '2026-10-21'],
  ['days over a change of clocks', '28d', '2026-10-25T15:00:00Z', '2026-11-21', '2026-10-24'],
])('%s is seen at the same age', (_, range, asOf, lastDay, lastCompared) => {
  const context = { today: TODAY, allTime: null, weekStart: 'monday' } as const;
  const later = buildPresetRange(range, context) ?? { from: '', to: '' };
  const earlier =
    range === '28d'
      ? { from: addDays(later.from, -28), to: addDays(later.to, -28) }
      : range === 'month'
        ? { from: '2026-10-01', to: '2026-10-22' }
        : { from: '2026-09-01', to: '2026-09-30' };
  const ages = alignPeriods(later, earlier, { now: NOW, timeZone: 'America/New_York' });
  const seen = new Date(ages.before.age).toISOString().replace('.000', '');
  expect([seen, ages.now.lastDay, ages.before.lastDay]).toEqual([asOf, lastDay, lastCompared]);
});

it('an entry at a time has the messages that had arrived, and at the newest it is itself', () => {
  const entry = buildEntries(STEADY).find(({ facts }) => facts.length === 2);
  const [first, second] = entry?.facts ?? [];
  if (entry === undefined || first === undefined || second === undefined)
    throw new Error('two facts are needed');
  const at = (time: number, source: string | null = null) => buildEntryAt(entry, time, source);
  expect(at(first.arrivedAt - 1)).toBeNull();
  expect(at(first.arrivedAt)?.commission).toMatchObject({
    status: 'pending',
    eventTime: entry.commission.eventTime,
  });
  expect(at(second.arrivedAt)).toBe(entry);
  expect(at(first.arrivedAt, 'api')).toBeNull();
});

it.each([
  [112, 'click', [true, true, true]],
  [111, 'click', [null, null, null]],
  [112, 'booking', [true, null, null]],
  [114, 'booking', [true, true, true]],
] as const)(
  'with data of %d days, whether a change by %s day is chance is told: %j',
  async (days, clock, told) => {
    // The first click of the eight weeks before both periods of 28 days was 111 days before today.
    const compared = await compare({ ...STEADY, delay: 2 }, { clock, days });
    const { clicks, expected, epc } = compared?.changes ?? {};
    expect(
      [clicks, expected, epc].map((change) => (typeof change === 'object' ? change.isChance : change)),
    ).toEqual(told);
  },
);

const FIGURES = {
  confirmed: ({ status, amount }) => (status === 'approved' || status === 'paid' ? amount : 0),
  pending: ({ status, amount }) => (status === 'pending' ? amount : 0),
  expected: ({ status, amount }) =>
    status === 'pending' ? amount / 2 : status === 'reversed' || status === 'unknown' ? 0 : amount,
  reversed: ({ reversedAmount }) => reversedAmount,
  booked: ({ status, amount }) => (status === 'reversed' || status === 'unknown' ? 0 : amount),
} as const satisfies Record<string, (commission: LedgerEntry['commission']) => number>;
const EURO_RATES = ['01', '08', '15', '22', '29'].map((day) => {
  return { day: `2026-10-${day}`, base: 'EUR', origin: 'operator', rates: { USD: '2' } } as const;
});

it('customers are compared as single commissions are, in one currency and converted', async () => {
  const anyReport = fc.record({
    status: fc.constantFrom(...COMMISSION_STATUSES),
    amount: fc.integer({ min: -50, max: 500 }),
    day: fc.integer({ min: 0, max: 40 }),
  });
  const anyCommission = fc.record({
    booked: fc.integer({ min: 0, max: 27 }),
    customer: fc.integer({ min: 0, max: 3 }),
    currency: fc.constantFrom('USD', 'EUR'),
    reports: fc.array(anyReport, { minLength: 1, maxLength: 3 }),
  });
  const [start, now] = [Date.parse('2026-10-01T12:00:00Z'), Date.parse('2026-11-22T15:00:00Z')];
  const clicks = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-8d1a-4c2b-9e7f-2a6d4b8c0e12`);
  await forAll(1, [fc.array(anyCommission, { maxLength: 12 }), fc.boolean()], async (list, isConverted) => {
    const site = await createTestConsole({ now: () => now });
    const facts = list.flatMap(({ booked, customer, currency, reports }, index) =>
      reports.map(({ status, amount, day }) => {
        const time = start + (booked + day) * DAY_MS;
        const fields = {
          nativeId: `c-${index}`,
          status,
          amount,
          currency,
          eventTime: start + booked * DAY_MS,
        };
        const clickId = clicks[customer] ?? null;
        return buildSampleFact({ ...fields, changeTime: time }, { clickId, arrivedAt: time });
      }),
    );
    const { ledger, commissions } = site.money;
    const journeys = clicks.map((clickId) => buildSampleJourney({ clickId, clickTime: start }));
    await ledger.append({ facts, journeys });
    await ledger.writeRates(EURO_RATES, now);
    if (isConverted) await ledger.writeReportingCurrency('USD');
    const query = { ...DEFAULT_QUERY, currency: isConverted ? null : 'USD' };
    const [later, earlier] = [
      { ...query, from: '2026-10-15', to: '2026-10-28' },
      { ...query, from: '2026-10-01', to: '2026-10-14' },
    ];
    const asOf = Date.parse('2026-10-20T00:00:00Z');
    const period = {
      ...(await site.periods.readPeriod(later)),
      currency: 'USD',
      rates: new Map([['highlevel', 0.5]]),
    };
    const names = Object.keys(FIGURES) as (keyof typeof FIGURES)[];
    const [scale, isClicked] = [2, false];
    const found = await site.periods.compareCustomers(period, [later, earlier], asOf, {
      figures: names,
      scale,
      isClicked,
    });
    const entries = await readEntries(commissions);
    const seen = entries.flatMap((entry) => {
      const { eventTime, currency, clickId, nativeId } = entry.commission;
      const isNow = eventTime >= Date.parse(later.from);
      const own = isNow ? entry : buildEntryAt(entry, asOf, null);
      const isCounted =
        own !== null && own.commission.currency === currency && (isConverted || currency === 'USD');
      return isCounted
        ? [{ isNow, own, factor: currency === 'EUR' ? 2 : 1, customer: clickId ?? nativeId }]
        : [];
    });
    for (const [index, name] of names.entries()) {
      const pairs = [...Map.groupBy(seen, ({ customer }) => customer).values()].map((own) => {
        const sum = (side: boolean) =>
          own.reduce(
            (all, one) => all + (one.isNow === side ? FIGURES[name](one.own.commission) * one.factor : 0),
            0,
          );
        return { now: sum(true), before: sum(false) };
      });
      const sums = found[index] ?? { now: 0, before: 0, difference: 0, squares: 0, count: 0 };
      expect(sums.before).toBeCloseTo(
        pairs.reduce((all, { before }) => all + before, 0),
        6,
      );
      const [own, expected] = [compareSummed(sums), compareSums(pairs, { now: scale, before: 1 })];
      expect(own.difference).toBeCloseTo(expected.difference, 6);
      expect(own.high).toBeCloseTo(expected.high, 6);
    }
  });
});
