/**
 * Whether figures of two periods differ by more than chance. A difference is called real where two periods of the same
 * nature differ as much in one of 20 cases at most; no figure of an amount needs a bootstrap for that.
 */
import { getBetaCdf } from './beta-distribution.ts';

/** A value of a period and of the one that it is compared with. */
export interface PeriodPair {
  readonly now: number;
  readonly before: number;
}

const LEVEL = 0.05;
const Z_95 = 1.96;
/** With more counts the normal distribution is exact enough, and the continued fraction of the other would not end. */
const MAX_EXACT = 10_000;

/**
 * Whether the difference of two counts may be chance. Given their sum, the count of a period is binomial with its share of
 * the exposure, which is days or clicks (Przyborowski and Wilenski 1940); the p-value is the mid-p of both sides.
 * `dispersion`: how many times as much as Poisson counts such counts vary (`estimateDispersion`). `comparisons`: of how
 * many that are made at once this is one; all of them together call a difference real in one of 20 cases (Bonferroni).
 */
export function isChanceOfCounts(
  counts: PeriodPair,
  exposure: PeriodPair,
  dispersion = 1,
  comparisons = 1,
): boolean {
  const [now, before] = [counts.now / dispersion, counts.before / dispersion];
  const sum = now + before;
  const share = exposure.now / (exposure.now + exposure.before);
  if (sum === 0) return true;
  const level = LEVEL / comparisons;
  if (sum > MAX_EXACT) {
    // The tail of the normal distribution is below this bound.
    const z = comparisons === 1 ? Z_95 : Math.sqrt(2 * Math.log(2 / level));
    return Math.abs(now - sum * share) < z * Math.sqrt(sum * share * (1 - share));
  }
  const upTo = before <= 0 ? 1 : getBetaCdf(1 - share, before, now + 1);
  const below = now <= 0 ? 0 : getBetaCdf(1 - share, before + 1, now);
  const middle = (upTo + below) / 2;
  return 2 * Math.min(middle, 1 - middle) >= level;
}

const DAYS_PER_WEEK = 7;

/**
 * Estimates how many times as much as Poisson counts the counts of days vary, at least 1: the squares of what each day
 * differs from the other days with its place in the week. `periods` are counts of days without a gap; those of less
 * than two weeks say nothing.
 */
export function estimateDispersion(periods: readonly (readonly number[])[]): number {
  let [squares, freedom, sum, days] = [0, 0, 0, 0];
  for (const counts of periods) {
    if (counts.length < 2 * DAYS_PER_WEEK) continue;
    for (let place = 0; place < DAYS_PER_WEEK; place++) {
      const own = counts.filter((_, index) => index % DAYS_PER_WEEK === place);
      const total = own.reduce((all, count) => all + count, 0);
      squares += own.reduce((all, count) => all + (count - total / own.length) ** 2, 0);
      freedom += own.length - 1;
      sum += total;
      days += own.length;
    }
  }
  return sum === 0 ? 1 : Math.max(1, squares / freedom / (sum / days));
}

/**
 * Compares sums whose parts vary in size and number: commissions, grouped by the customer that each comes from. The
 * variance of the difference is the sum of squares of what each customer adds to it (a compound Poisson process), so
 * that one who pays the same in both periods adds nothing. Two more customers of the usual size are counted in, because
 * a few of one size look more certain than they are. `exposure`: days or clicks of both periods. The result has the
 * difference at the exposure of `now`, its 95 % interval, and whether that has 0 in it.
 */
export function compareSums(customers: Iterable<PeriodPair>, exposure: PeriodPair) {
  const scale = exposure.now / exposure.before;
  let [difference, squares, count] = [0, 0, 0];
  for (const { now, before } of customers) {
    const part = now - before * scale;
    difference += part;
    squares += part * part;
    if (part !== 0) count += 1;
  }
  const half = count === 0 ? 0 : Z_95 * Math.sqrt(squares * (1 + 2 / count));
  const [low, high] = [difference - half, difference + half];
  return { difference, low, high, isChance: low <= 0 && high >= 0 };
}
