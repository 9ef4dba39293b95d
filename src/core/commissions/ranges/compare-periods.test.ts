import { expect, it } from 'vitest';
import { countCalledReal, drawCount, sumWeeks, TRAFFIC } from '../../../../test/support/calibration.ts';
import { createChance } from '../../../../test/support/chance.ts';
import { estimateDispersion, isChanceOfCounts } from './compare-periods.ts';

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
    const dispersion = isCorrected ? estimateDispersion(sumWeeks(usual), DAYS) : 1;
    return isChanceOfCounts({ now: sum(now), before: sum(usual.slice(56)) }, DAYS, dispersion);
  };
  expect(countReal(400, isChance(false))).toBeGreaterThan(0.2);
  expect(countReal(400, isChance(true))).toBeLessThan(0.07);
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

it.each(Object.keys(TRAFFIC))(
  'where nothing changed, %s traffic is seldom called real in any period',
  { tags: ['rest'] },
  (traffic) => {
    for (const days of [7, 14, 28, 90]) {
      const { counts } = countCalledReal(traffic, { now: days, before: days }, 250, days);
      // 7 % with the error of 250 cases.
      expect(counts).toBeLessThan(0.1);
    }
  },
);

it('a short period after a long one is seldom called real where nothing changed', () => {
  for (const lengths of [
    { now: 7, before: 28 },
    { now: 10, before: 31 },
  ])
    expect(countCalledReal('quiet', lengths, 500, 3).counts).toBeLessThan(0.08);
});
