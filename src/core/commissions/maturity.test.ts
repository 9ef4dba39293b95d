import { expect, it } from 'vitest';
import { createChance } from '../../../test/support/article-corpus.ts';
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

it('has an interval of 0 where nothing has ever arrived', () => {
  const curve = buildMaturityCurve([{ week: 0, cumulative: [0, 0, 50, 100] }], 52);
  expect(curve?.ranges.slice(0, 2)).toEqual([
    { low: 0, high: 0 },
    { low: 0, high: 0 },
  ]);
});
