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

/** Without as many weeks before both periods it cannot be told what is usual. */
export const EARLIER_WEEKS = 8;
const DAYS_PER_WEEK = 7;
const MAX_MEMORY = 0.9;

/**
 * Estimates how many times as much as that of Poisson counts the difference of two periods varies, at least 1, from the
 * counts of the weeks of the earlier one and of eight weeks before it, the oldest first. `lengths`: days of both periods.
 * What weeks vary beyond Poisson counts is taken for an autoregressive process of first order, because a good week is often
 * followed by another one. Few weeks show too little of such a memory (Kendall 1954, Biometrika 41), and their variance
 * has the quantiles of Student.
 */
export function estimateDispersion(counts: readonly number[], lengths: PeriodPair): number {
  const count = counts.length;
  const mean = counts.reduce((sum, one) => sum + one, 0) / Math.max(1, count);
  const errors = counts.map((one) => one - mean);
  const variance = errors.reduce((sum, error) => sum + error * error, 0) / Math.max(1, count - 1);
  if (variance <= mean) return 1;
  const products = errors.reduce((sum, error, index) => sum + error * (errors[index + 1] ?? 0), 0);
  const seen = Math.max(0, products / (count - 1) / (variance - mean));
  // Small counts hide it: a quarter of its standard error is added.
  const hidden = variance / (variance - mean) / Math.sqrt(count) / 4;
  const memory = Math.min(MAX_MEMORY, seen + (1 + 3 * seen) / count + hidden);
  // The mean of few weeks follows their memory, which hides a part of the variance.
  const missed = Math.min(0.8, (1 + memory) / (1 - memory) / count);
  const freedom = Math.max(1, ((count - 1) * (1 - memory ** 2)) / (1 + memory ** 2));
  const student = 1 + (Z_95 ** 2 + 1) / (4 * freedom);
  const daily = memory ** (1 / DAYS_PER_WEEK);
  const repeat = (weight: number, days: number) => Array.from({ length: days }, () => weight);
  const weights = [...repeat(-lengths.now / lengths.before, lengths.before), ...repeat(1, lengths.now)];
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
  const ofWeek = sumCorrelated(repeat(1, DAYS_PER_WEEK), daily) / DAYS_PER_WEEK;
  const alike = sumCorrelated(weights, daily) / squares / ofWeek;
  // A memory makes two short periods alike; it is known too badly to count on that.
  const ratio = Math.max(1, alike);
  return 1 + ((variance / mean - 1) / (1 - missed)) * student ** 2 * ratio;
}

/** The variance of a weighted sum of days of which each is correlated with the day before. */
function sumCorrelated(weights: readonly number[], correlation: number): number {
  let [sum, before] = [0, 0];
  for (const weight of weights) {
    sum += weight * (weight + 2 * correlation * before);
    before = weight + correlation * before;
  }
  return sum;
}
