import { WEEK_MS } from '../../clock.ts';
import { getBookedAmount, isConversion, type ReportedCommission } from '../credit/commission-report.ts';

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
}

/** Half the width of an 80% interval, in standard errors. */
const INTERVAL_80 = 1.2816;

interface Factor {
  readonly ratio: number;
  /** Variance of the ratio relative to its square; null from a single cohort. */
  readonly variance: number | null;
}

/**
 * Estimates the maturity curve by chain ladder (Mack 1993, ASTIN Bulletin 23): the factor from one age to the next is
 * the ratio of the cohorts' sums at both ages, taken over the cohorts that are old enough for both. Reversals make
 * factors below 1, which is right. `horizonWeeks` limits the ages (52 for recurring programs). Null when no cohort
 * has any commission.
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
  let variance = 0;
  const factors = buildFactors(cohorts, ages - 1);
  for (let age = ages - 1; age >= 0; age--) {
    shares[age] = share;
    ranges[age] = buildRange(share, variance);
    const factor = factors[age - 1] ?? null;
    share = factor === null ? 0 : share / factor.ratio;
    variance += factor?.variance ?? 0;
  }
  return { shares, ranges, horizonWeeks: ages - 1 };
}

/** By age, null where nothing had arrived before. A single cohort varies like those of the age before. */
function buildFactors(cohorts: readonly ClickCohort[], count: number): (Factor | null)[] {
  let known: number | null = null;
  return Array.from({ length: count }, (_, age) => {
    const factor = buildFactor(cohorts, age);
    if (factor === null) return null;
    known = factor.variance ?? known;
    return { ...factor, variance: known };
  });
}

/** The ratio of the sums at two ages with the variance of a ratio estimator (Cochran 1977, section 6.4). */
function buildFactor(cohorts: readonly ClickCohort[], age: number): Factor | null {
  const pairs = cohorts
    .filter(({ cumulative }) => cumulative.length > age + 1)
    .map(({ cumulative }) => [cumulative[age] ?? 0, cumulative[age + 1] ?? 0] as const);
  const before = pairs.reduce((sum, [amount]) => sum + amount, 0);
  const after = pairs.reduce((sum, [, amount]) => sum + amount, 0);
  if (before <= 0 || after <= 0) return null;
  const ratio = after / before;
  if (pairs.length < 2) return { ratio, variance: null };
  const squares = pairs.reduce((sum, [amount, next]) => sum + (next - ratio * amount) ** 2, 0);
  return { ratio, variance: (pairs.length / (pairs.length - 1)) * (squares / after ** 2) };
}

/** Log-normal, so that no bound is below 0. */
function buildRange(share: number, variance: number): ShareRange {
  const spread = Math.exp(INTERVAL_80 * Math.sqrt(variance));
  return { low: share / spread, high: share * spread };
}

/** The share (0 … 1) of the commissions of a click of this age (ms) that has usually arrived. */
export function getMatureShare(curve: MaturityCurve, ageMs: number): number {
  const weeks = Math.max(0, Math.floor(ageMs / WEEK_MS));
  return Math.min(1, Math.max(0, curve.shares[Math.min(weeks, curve.shares.length - 1)] ?? 1));
}

/** How long the commissions of a partner take to arrive. */
export interface PartnerMaturity {
  readonly curve: MaturityCurve;
  /** Conversions of the partner itself. */
  readonly conversions: number;
  /** Whether the curve is that of all partners, because the partner has too few conversions for its own. */
  readonly isPooled: boolean;
}

/** With fewer conversions of its own, a partner gets the curve of all partners. */
const MIN_OWN_CONVERSIONS = 20;
/** With fewer conversions there is no curve. */
const MIN_CONVERSIONS = 5;
/** Recurring programs pay for a year; what comes later is not waited for. */
const RECURRING_WEEKS = 52;
/** Programs that pay once: everything has arrived after two years, or as late as the oldest click tells. */
const SINGLE_WEEKS = 104;

/**
 * Builds the maturity of a partner from its commissions of one currency; below 20 conversions from those of all
 * partners, null below 5. Commissions without a click are left out. `now` in ms since 1970.
 */
export function buildPartnerMaturity(
  own: readonly ReportedCommission[],
  all: readonly ReportedCommission[],
  { isRecurring, now }: { readonly isRecurring: boolean; readonly now: number },
): PartnerMaturity | null {
  const conversions = own.filter(isConversion).length;
  const isPooled = conversions < MIN_OWN_CONVERSIONS;
  const horizonWeeks = isRecurring ? RECURRING_WEEKS : SINGLE_WEEKS;
  const curve = buildClickCurve(isPooled ? all : own, { now, horizonWeeks });
  return curve === null ? null : { curve, conversions, isPooled };
}

/**
 * Builds the maturity curve over the weeks of the clicks; what a commission is worth now counts from the week in which
 * it arose. Null with fewer than five conversions. `horizonWeeks`: 52 when left out.
 */
export function buildClickCurve(
  commissions: readonly ReportedCommission[],
  { now, horizonWeeks = RECURRING_WEEKS }: { readonly now: number; readonly horizonWeeks?: number },
): MaturityCurve | null {
  if (commissions.filter(isConversion).length < MIN_CONVERSIONS) return null;
  const cohorts = new Map<number, number[]>();
  for (const { commission, journey } of commissions) {
    if (journey === null) continue;
    const week = Math.floor(journey.clickTime / WEEK_MS) * WEEK_MS;
    const weeks = Math.floor((now - week) / WEEK_MS) + 1;
    const amounts = cohorts.get(week) ?? Array.from({ length: Math.max(1, weeks) }, () => 0);
    cohorts.set(week, amounts);
    const age = Math.floor((commission.eventTime - week) / WEEK_MS);
    const place = Math.min(amounts.length - 1, Math.max(0, age));
    amounts[place] = (amounts[place] ?? 0) + getBookedAmount(commission);
  }
  return buildMaturityCurve([...cohorts].map(buildCohort), horizonWeeks);
}

function buildCohort([week, amounts]: readonly [number, readonly number[]]): ClickCohort {
  let sum = 0;
  const cumulative = amounts.map((amount) => {
    sum += amount;
    return sum;
  });
  return { week, cumulative };
}
