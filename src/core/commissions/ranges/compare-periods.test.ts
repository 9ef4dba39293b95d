import { expect, it } from 'vitest';
import { compareSums, countCalledReal, drawCount, TRAFFIC } from '../../../../test/support/calibration.ts';
import { createChance } from '../../../../test/support/chance.ts';
import {
  estimateDispersion,
  estimateDispersionOfDays,
  isChanceOfCounts,
  type PeriodPair,
  sumWeeks,
} from './compare-periods.ts';

/** A commission of about $40, of which a few are worth many times as much. */
const drawAmount = (random: () => number) => {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(4_000 * Math.exp(0.8 * normal));
};

/** The share of runs in which a difference is called real. */
function countReal(runs: number, isChance: () => boolean): number {
  let real = 0;
  for (let run = 0; run < runs; run++) real += isChance() ? 0 : 1;
  return real / runs;
}

const DAYS = { now: 28, before: 28 };

it.each([
  [6, 0, false],
  [5, 0, false],
  [4, 0, true],
  [12, 3, false],
  [12, 5, true],
  [0, 0, true],
  [10_400, 10_000, false],
  [10_200, 10_000, true],
])('%d after %d in equal periods may be chance: %s', (now, before, isChance) => {
  expect(isChanceOfCounts({ now, before }, DAYS)).toBe(isChance);
  expect(isChanceOfCounts({ now: before, before: now }, DAYS)).toBe(isChance);
});

it('a month that is longer earns more without a change', () => {
  expect(isChanceOfCounts({ now: 31_000, before: 28_000 }, { now: 31, before: 28 })).toBe(true);
  expect(isChanceOfCounts({ now: 31_000, before: 28_000 }, DAYS)).toBe(false);
  const customers = Array.from({ length: 5_900 }, (_, index) =>
    index < 3_100 ? { now: 10, before: 0 } : { now: 0, before: 10 },
  );
  expect(compareSums(customers, { now: 31, before: 28 }).isChance).toBe(true);
  expect(compareSums(customers, DAYS).isChance).toBe(false);
});

it.each([3, 12, 60, 400])('equal periods with about %d counts differ for real in 1 of 20 cases', (mean) => {
  const random = createChance(mean);
  const draw = () => drawCount(random, mean);
  const real = countReal(1_500, () => isChanceOfCounts({ now: draw(), before: draw() }, DAYS));
  expect(real).toBeLessThan(0.066);
  if (mean >= 12) expect(real).toBeGreaterThan(0.03);
});

it('days that vary more than Poisson counts, and a weekly rhythm, make no change', () => {
  const random = createChance(5);
  const drawDays = (days: number) =>
    Array.from({ length: days }, (_, day) =>
      drawCount(random, (day % 7 < 5 ? 60 : 25) * (0.5 + random() + (random() < 0.1 ? 1 : 0))),
    );
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const isChance = (isCorrected: boolean) => () => {
    const [usual, now] = [drawDays(56 + 28), drawDays(28)];
    const dispersion = isCorrected ? estimateDispersionOfDays(usual, DAYS) : 1;
    return isChanceOfCounts({ now: sum(now), before: sum(usual.slice(56)) }, DAYS, dispersion);
  };
  expect(countReal(400, isChance(false))).toBeGreaterThan(0.2);
  expect(countReal(400, isChance(true))).toBeLessThan(0.07);
});

it('counts are summed to weeks from the last day backwards', () => {
  expect(
    sumWeeks([5, 5, ...Array.from({ length: 7 }, () => 1), ...Array.from({ length: 7 }, () => 2)]),
  ).toEqual([7, 14]);
  expect(sumWeeks([1, 2, 3])).toEqual([]);
});

it('weeks that vary as counts do, or are not known, have no dispersion', () => {
  expect(estimateDispersion([], DAYS)).toBe(1);
  expect(estimateDispersion([100], DAYS)).toBe(1);
  expect(estimateDispersion([90, 110, 95, 105, 100, 100, 92, 108], DAYS)).toBe(1);
  expect(estimateDispersion([50, 150, 60, 140, 100, 100, 70, 130], DAYS)).toBeGreaterThan(5);
});

it('good weeks that follow each other change long periods more, and make no short ones alike', () => {
  const waves = [60, 80, 110, 140, 150, 130, 90, 70, 60, 90, 120, 140];
  const mixed = [60, 140, 80, 150, 60, 140, 70, 130, 90, 120, 90, 110];
  const estimate = (weeks: readonly number[], days: number) =>
    estimateDispersion(weeks, { now: days, before: days });
  expect(estimate(waves, 28)).toBeGreaterThan(2 * estimate(mixed, 28));
  expect(estimate(waves, 7)).toBeGreaterThan(estimate(mixed, 7));
});

it('periods below a week are compared with single days', () => {
  const days = Array.from({ length: 60 }, (_, day) => (day % 7 < 5 ? 100 : 10));
  expect(estimateDispersionOfDays(days, { now: 6, before: 6 })).toBeGreaterThan(15);
  expect(estimateDispersionOfDays(days, { now: 7, before: 7 })).toBe(1);
});

it.each(Object.keys(TRAFFIC))(
  'where nothing changed, %s traffic is seldom called real in any period',
  { tags: ['rest'] },
  (traffic) => {
    for (const days of [3, 7, 14, 28, 90]) {
      const { counts, money } = countCalledReal(traffic, { now: days, before: days }, 250, days);
      // 7 % with the error of 250 cases.
      expect(counts).toBeLessThan(0.1);
      expect(money).toBeLessThan(0.1);
    }
  },
);

it('a short period after a long one is seldom called real where nothing changed', () => {
  for (const lengths of [
    { now: 7, before: 28 },
    { now: 10, before: 31 },
  ])
    expect(countCalledReal('quiet', lengths, 500, 3).money).toBeLessThan(0.08);
});

it('customers of a short period and of a long one are as sure as the money that they are compared in', () => {
  const customers = Array.from({ length: 45 }, (_, index) => ({
    now: index < 5 ? 10 : 0,
    before: index < 5 ? 0 : 10,
  }));
  // All 45 at a quarter, as the exposure is one: not 5 in full and 40 at a sixteenth.
  const { low, high } = compareSums(customers, { now: 7, before: 28 });
  expect(high - low).toBeCloseTo(2 * 1.96 * Math.sqrt(((45 * 10 ** 2) / 4) * (1 + 2 / 45)), 9);
});

it('customers who vary more than their number make sums vary more', () => {
  const customers = Array.from({ length: 200 }, (_, index) => ({
    now: index < 120 ? 10 : 0,
    before: index < 120 ? 0 : 10,
  }));
  expect([1, 4].map((dispersion) => compareSums(customers, DAYS, dispersion).isChance)).toEqual([
    false,
    true,
  ]);
});

function drawCustomers(random: () => number, now: number, before: number): PeriodPair[] {
  return [
    ...Array.from({ length: drawCount(random, now) }, () => ({ now: drawAmount(random), before: 0 })),
    ...Array.from({ length: drawCount(random, before) }, () => ({ now: 0, before: drawAmount(random) })),
  ];
}

it.each([2, 6, 20, 150])('equal periods of about %d commissions differ for real in 1 of 20 cases', (mean) => {
  const random = createChance(100 + mean);
  const real = countReal(1_500, () => compareSums(drawCustomers(random, mean, mean), DAYS).isChance);
  expect(real).toBeLessThan(0.066);
  if (mean >= 20) expect(real).toBeGreaterThan(0.025);
});

it('a period that earns half as much again is seen from a few hundred commissions on', () => {
  const random = createChance(9);
  expect(countReal(200, () => compareSums(drawCustomers(random, 450, 300), DAYS).isChance)).toBeGreaterThan(
    0.9,
  );
  expect(countReal(200, () => compareSums(drawCustomers(random, 15, 10), DAYS).isChance)).toBeLessThan(0.3);
});

it('customers who pay the same in both periods add no doubt, and the interval has the difference in it', () => {
  const loyal = Array.from({ length: 500 }, () => ({ now: 9_900, before: 9_900 }));
  const fresh = Array.from({ length: 12 }, () => ({ now: 4_000, before: 0 }));
  const change = compareSums([...loyal, ...fresh], DAYS);
  expect(change).toMatchObject({ difference: 48_000, isChance: false });
  expect(change.low).toBeGreaterThan(0);
  expect(change.low + change.high).toBeCloseTo(96_000);
  expect(compareSums([], DAYS)).toEqual({ difference: 0, low: 0, high: 0, isChance: true });
});

it('the interval has the true difference in it in 19 of 20 cases', () => {
  const random = createChance(77);
  const mean = 4_000 * Math.exp(0.32);
  const missed = countReal(1_000, () => {
    const { low, high } = compareSums(drawCustomers(random, 120, 80), DAYS);
    return low <= 40 * mean && 40 * mean <= high;
  });
  expect(missed).toBeLessThan(0.07);
});
