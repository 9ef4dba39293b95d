import { expect, it } from 'vitest';
import { compareSums, estimateDispersion, isChanceOfCounts, type PeriodPair } from './compare-periods.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A Poisson number: the arrivals of a process with rate 1 until `mean`. */
function drawCount(random: () => number, mean: number): number {
  let count = -1;
  for (let time = 0; time < mean; count++) time -= Math.log(1 - random());
  return Math.max(0, count);
}

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
  const random = createRandom(mean);
  const draw = () => drawCount(random, mean);
  const real = countReal(1_500, () => isChanceOfCounts({ now: draw(), before: draw() }, DAYS));
  expect(real).toBeLessThan(0.066);
  if (mean >= 12) expect(real).toBeGreaterThan(0.03);
});

it('days that vary more than Poisson counts, and a weekly rhythm, make no change', () => {
  const random = createRandom(5);
  const drawPeriod = () =>
    Array.from({ length: 28 }, (_, day) =>
      drawCount(random, (day % 7 < 5 ? 60 : 25) * (0.5 + random() + (random() < 0.1 ? 1 : 0))),
    );
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const isChance = (isCorrected: boolean) => () => {
    const [now, before] = [drawPeriod(), drawPeriod()];
    const dispersion = isCorrected ? estimateDispersion([now, before]) : 1;
    return isChanceOfCounts({ now: sum(now), before: sum(before) }, DAYS, dispersion);
  };
  expect(countReal(400, isChance(false))).toBeGreaterThan(0.2);
  expect(countReal(400, isChance(true))).toBeLessThan(0.085);
});

function drawCustomers(random: () => number, now: number, before: number): PeriodPair[] {
  return [
    ...Array.from({ length: drawCount(random, now) }, () => ({ now: drawAmount(random), before: 0 })),
    ...Array.from({ length: drawCount(random, before) }, () => ({ now: 0, before: drawAmount(random) })),
  ];
}

it.each([2, 6, 20, 150])('equal periods of about %d commissions differ for real in 1 of 20 cases', (mean) => {
  const random = createRandom(100 + mean);
  const real = countReal(1_500, () => compareSums(drawCustomers(random, mean, mean), DAYS).isChance);
  expect(real).toBeLessThan(0.066);
  if (mean >= 20) expect(real).toBeGreaterThan(0.025);
});

it('a period that earns half as much again is seen from a few hundred commissions on', () => {
  const random = createRandom(9);
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
  const random = createRandom(77);
  const mean = 4_000 * Math.exp(0.32);
  const missed = countReal(1_000, () => {
    const { low, high } = compareSums(drawCustomers(random, 120, 80), DAYS);
    return low <= 40 * mean && 40 * mean <= high;
  });
  expect(missed).toBeLessThan(0.07);
});
