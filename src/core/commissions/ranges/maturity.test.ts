import { expect, it } from 'vitest';
import { buildClickCurve } from '../../../../test/support/build-ranking.ts';
import { createChance } from '../../../../test/support/chance.ts';
import { buildSampleEntry } from '../../../../test/support/sample-commissions.ts';
import type { ReportedCommission } from '../credit/commission-report.ts';
import { buildMaturityCurve, type ClickCohort } from './maturity.ts';

/** Share of the commissions that arrives in each week since the click. */
const ARRIVALS = [0.3, 0.3, 0.2, 0.15, 0.05];
const WEEKS = 30;
const RUNS = 400;

/** Click weeks with 0 to 6 commissions of $20 to $80; the youngest are not old enough for all of them. */
function createCohorts(chance: () => number): ClickCohort[] {
  return Array.from({ length: WEEKS }, (_, week) => {
    const amounts = ARRIVALS.map(() => 0);
    const count = Math.round(6 * chance());
    for (let index = 0; index < count; index++) {
      let left = chance();
      const found = ARRIVALS.findIndex((share) => {
        left -= share;
        return left < 0;
      });
      const age = found === -1 ? ARRIVALS.length - 1 : found;
      amounts[age] = (amounts[age] ?? 0) + 2_000 + Math.round(6_000 * chance());
    }
    let sum = 0;
    const cumulative = amounts.slice(0, WEEKS - week).map((amount) => {
      sum += amount;
      return sum;
    });
    return { week, cumulative };
  });
}

it('about four of five intervals contain the true share, at every age', () => {
  const chance = createChance(7);
  const curves = Array.from({ length: RUNS }, () => buildMaturityCurve(createCohorts(chance), 52));
  let share = 0;
  for (const [age, arrival] of ARRIVALS.slice(0, -1).entries()) {
    share += arrival;
    const hits = curves.filter((curve) => {
      const range = curve?.ranges[age];
      return range !== undefined && range.low <= share && share <= range.high;
    });
    expect(hits.length / RUNS).toBeGreaterThan(0.72);
    expect(hits.length / RUNS).toBeLessThan(0.88);
  }
});

it('an interval contains its share and is a point where all cohorts agree', () => {
  const equal = buildMaturityCurve(
    [0, 1, 2].map((week) => ({ week, cumulative: [50, 100] })),
    52,
  );
  expect(equal?.ranges).toEqual([
    { low: 0.5, high: 0.5 },
    { low: 1, high: 1 },
  ]);
  const unequal = buildMaturityCurve(
    [
      { week: 0, cumulative: [20, 100] },
      { week: 1, cumulative: [80, 100] },
    ],
    52,
  );
  const [range] = unequal?.ranges ?? [];
  expect(range?.low).toBeLessThan(0.5);
  expect(range?.high).toBeGreaterThan(0.5);
});

const WEEK = 7 * 86_400_000;
const NOW = 200 * WEEK;

/** Commissions whose clicks were some weeks ago and which arose some weeks later. */
const create = (count: number, weeksAgo: number, delay: number): ReportedCommission[] =>
  Array.from({ length: count }, () => {
    const clickTime = NOW - weeksAgo * WEEK;
    return buildSampleEntry([{ status: 'approved', eventTime: clickTime + delay * WEEK }], { clickTime });
  });

it('has no curve with fewer than five conversions whose clicks are known', () => {
  const unmatched = create(9, 10, 0).map((entry) => ({ ...entry, journey: null }));
  expect(buildClickCurve([...create(4, 10, 0), ...unmatched], { now: NOW })).toBeNull();
  expect(buildClickCurve(create(5, 10, 0), { now: NOW })?.shares[0]).toBe(1);
});

it('counts a week once it is over', () => {
  const [week, day] = [NOW - 2.5 * WEEK, WEEK / 7];
  const at = (clickTime: number, delay: number) =>
    buildSampleEntry([{ status: 'approved', eventTime: clickTime + delay }], { clickTime });
  // The week before this one is over; what came in this week is not in the curve yet.
  const start = Math.floor(week / WEEK) * WEEK;
  const now = start + 2 * WEEK + day;
  const all = [...Array.from({ length: 5 }, () => at(start, day)), at(start, 2 * WEEK)];
  expect(buildClickCurve(all, { now })?.shares).toEqual([1, 1]);
  expect(buildClickCurve(all, { now: now + WEEK })?.shares).toEqual([5 / 6, 5 / 6, 1]);
});

it.each([
  [19, 0],
  [20, 53],
])('%d customers whose clicks are 52 weeks old say how much customers differ at %d ages', (count, ages) => {
  const paid = (index: number, week: number) => {
    const clickTime = NOW - 56 * WEEK;
    const times = { eventTime: clickTime + week * WEEK, amount: 1_000 };
    return buildSampleEntry([{ status: 'approved', ...times }], { clickTime, clickId: `c-${index}` });
  };
  // Each pays at once, after two weeks, and after more than a year, which is too late.
  const all = Array.from({ length: count }, (_, index) => [0, 2, 53].map((week) => paid(index, week))).flat();
  const { spread = [] } = buildClickCurve(all, { now: NOW }) ?? {};
  expect(spread).toHaveLength(ages);
  if (ages > 0)
    expect([spread[0], spread[1], spread[2], spread[52]]).toEqual([
      { seen: 500, later: 500 },
      { seen: 500, later: 500 },
      { seen: 2_000, later: 0 },
      { seen: 2_000, later: 0 },
    ]);
  const young = buildClickCurve(all, { now: NOW - 5 * WEEK });
  expect(young?.spread).toEqual([]);
});
