import { WEEK_MS } from '../../clock.ts';

/** Net commission of the clicks of one week, by weeks since the click. */
export interface ClickCohort {
  /** First day of the click week; ms since 1970. */
  readonly week: number;
  /** Cumulative net commission in minor units by age in weeks; as long as the cohort is old. */
  readonly cumulative: readonly number[];
}

/** Bounds of a share, `low <= share <= high`. */
export interface ShareRange {
  readonly low: number;
  readonly high: number;
}

/** The share of the final commission that has usually arrived at each age. */
export interface MaturityCurve {
  /** By age in weeks, from 0; above 1 while later reversals are usual. The last entry is 1. */
  readonly shares: readonly number[];
  /** The 80% interval of each share: what is known of it from the clicks of these weeks. */
  readonly ranges: readonly ShareRange[];
  /** Weeks after which nothing more is expected. */
  readonly horizonWeeks: number;
  /** How much customers differ, by the age of their clicks in weeks (0 … 52); empty while too few clicks are that old. */
  readonly spread: readonly MoneySpread[];
}

/** Sums of squares over customers, for each unit of the money that they brought within 52 weeks. */
interface MoneySpread {
  /** Of the money that had arrived by this age, and of that which came later. */
  readonly seen: number;
  readonly later: number;
}

/** Half the width of an 80% interval, in standard errors. */
const INTERVAL_80 = 1.2816;

/**
 * Estimates the maturity curve by chain ladder (Mack 1993, ASTIN Bulletin 23): the factor from one age to the next is
 * the ratio of the cohorts' sums at both ages, taken over the cohorts that are old enough for both. Reversals make
 * factors below 1, which is right. `horizonWeeks` limits the ages (52 for recurring programs). Null when no cohort
 * has any commission. The variance of a share is that of ratio estimators (Cochran 1977, section 6.4), with what a cohort
 * adds to the factors of several ages taken together: a cohort whose customers stay is above the others at all of them.
 */
export function buildMaturityCurve(
  cohorts: readonly ClickCohort[],
  horizonWeeks: number,
): MaturityCurve | null {
  const ages = Math.min(horizonWeeks + 1, Math.max(0, ...cohorts.map(({ cumulative }) => cumulative.length)));
  if (ages === 0 || cohorts.every(({ cumulative }) => cumulative.every((sum) => sum === 0))) return null;
  // While nothing has arrived there is no ratio: these ages have a share of 0.
  const shares: number[] = Array.from({ length: ages }, () => 0);
  const ranges: ShareRange[] = Array.from({ length: ages }, () => ({ low: 0, high: 0 }));
  let share = 1;
  // The relative error that each cohort adds to the share; a single one shows none.
  const errors = cohorts.map(() => 0);
  for (let age = ages - 1; age >= 0; age--) {
    shares[age] = share;
    ranges[age] = buildRange(
      share,
      errors.reduce((sum, error) => sum + error ** 2, 0),
    );
    const factor = age === 0 ? null : buildFactor(cohorts, age - 1);
    share = factor === null ? 0 : share / factor.ratio;
    for (const [index, error] of factor?.errors.entries() ?? []) errors[index] = (errors[index] ?? 0) + error;
  }
  return { shares, ranges, horizonWeeks: ages - 1, spread: [] };
}

/** The ratio of the sums at two ages with the relative error that each cohort adds to it; null before anything arrived. */
function buildFactor(cohorts: readonly ClickCohort[], age: number) {
  const pairs = cohorts.map(({ cumulative }) =>
    cumulative.length > age + 1 ? ([cumulative[age] ?? 0, cumulative[age + 1] ?? 0] as const) : null,
  );
  const count = pairs.filter((pair) => pair !== null).length;
  const before = pairs.reduce((sum, pair) => sum + (pair?.[0] ?? 0), 0);
  const after = pairs.reduce((sum, pair) => sum + (pair?.[1] ?? 0), 0);
  if (before <= 0 || after <= 0) return null;
  const ratio = after / before;
  const scale = Math.sqrt(count / Math.max(1, count - 1)) / after;
  const errors = pairs.map((pair) => (pair === null ? 0 : scale * (pair[1] - ratio * pair[0])));
  return { ratio, errors };
}

/** Log-normal, so that no bound is below 0. */
function buildRange(share: number, variance: number): ShareRange {
  const spread = Math.exp(INTERVAL_80 * Math.sqrt(variance));
  return { low: share / spread, high: share * spread };
}

/**
 * The share (0 … 1) of the commissions of a click of this age (ms) that has usually arrived. Clicks of a week are half a
 * week old at its end on average: between these ages the share grows evenly.
 */
export function getMatureShare({ shares }: MaturityCurve, ageMs: number): number {
  const place = Math.min(shares.length - 1, Math.max(0, ageMs) / WEEK_MS - 0.5);
  const [first = 0] = shares;
  if (place < 0) return Math.min(1, 2 * first * (place + 0.5));
  const [before = 1, after = before] = shares.slice(Math.floor(place), Math.floor(place) + 2);
  const part = place % 1;
  // What is still to come shrinks evenly; near the end there may be nothing.
  const share =
    Math.max(before, after) < 1
      ? 1 - (1 - before) ** (1 - part) * (1 - after) ** part
      : before + part * (after - before);
  return Math.min(1, Math.max(0, share));
}

/** The standard error of that share, relative to it. */
export function getShareError({ shares, ranges }: MaturityCurve, ageMs: number): number {
  const place = Math.min(shares.length - 1, Math.max(0, Math.round(ageMs / WEEK_MS - 0.5)));
  const share = shares[place] ?? 0;
  return share <= 0 ? 0 : Math.log((ranges[place]?.high ?? share) / share) / INTERVAL_80;
}

/** With fewer conversions of its own, a partner gets the curve of all partners. */
const MIN_OWN_CONVERSIONS = 20;
/** With fewer conversions there is no curve. */
const MIN_CONVERSIONS = 5;
/** Recurring programs pay for a year; what comes later is not waited for. */
const RECURRING_WEEKS = 52;

/** What clicks of one week brought at one time (ms since 1970): approved, paid and pending, in minor units. */
export interface ClickSum {
  readonly week: number;
  readonly booked: number;
  readonly amount: number;
  readonly conversions: number;
}

const countConversions = (sums: readonly ClickSum[]) =>
  sums.reduce((count, { conversions }) => count + conversions, 0);

/**
 * Builds the maturity curve over the weeks of the clicks; what a commission is worth now counts from the week in which
 * it arose, once that is over. Null with fewer than five conversions. `horizonWeeks`: 52 when left out.
 */
export function buildSummedCurve(
  sums: readonly ClickSum[],
  { now, horizonWeeks = RECURRING_WEEKS }: { readonly now: number; readonly horizonWeeks?: number },
): MaturityCurve | null {
  if (countConversions(sums) < MIN_CONVERSIONS) return null;
  const cohorts = new Map<number, number[]>();
  for (const { week, booked, amount } of sums) {
    const weeks = Math.floor((now - week) / WEEK_MS);
    const amounts = cohorts.get(week) ?? Array.from({ length: Math.max(0, weeks) }, () => 0);
    cohorts.set(week, amounts);
    const age = Math.max(0, Math.floor((booked - week) / WEEK_MS));
    if (age < amounts.length) amounts[age] = (amounts[age] ?? 0) + amount;
  }
  return buildMaturityCurve([...cohorts].map(buildCohort), horizonWeeks);
}

/** The end of what is predicted, 12 months after the click: later payments of a customer do not decide about a campaign. */
export const PREDICTED_WEEKS = 52;

/**
 * How customers differ, from sums by the weeks between click and booking: of how many began then, what was booked, and by how
 * much the squares of what each had brought grew, from the first week on and from the last one back.
 */
export function buildSummedSpread(
  sums: readonly Record<'age' | 'customers' | 'amount' | 'seen' | 'later', number>[],
): readonly MoneySpread[] {
  const known = sums.filter(({ age }) => age <= PREDICTED_WEEKS);
  const total = known.reduce((sum, { amount }) => sum + amount, 0);
  const customers = known.reduce((sum, own) => sum + own.customers, 0);
  if (customers < MIN_OWN_CONVERSIONS || total <= 0) return [];
  return Array.from({ length: PREDICTED_WEEKS + 1 }, (_, week) => ({
    seen: known.reduce((sum, { age, seen }) => sum + (age <= week ? seen : 0), 0) / total,
    later: known.reduce((sum, { age, later }) => sum + (age > week ? later : 0), 0) / total,
  }));
}

function buildCohort([week, amounts]: readonly [number, readonly number[]]): ClickCohort {
  let sum = 0;
  const cumulative = amounts.map((amount) => {
    sum += amount;
    return sum;
  });
  return { week, cumulative };
}
