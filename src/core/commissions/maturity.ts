/** Net commission of the clicks of one week, by weeks since the click. */
export interface ClickCohort {
  /** First day of the click week; ms since 1970. */
  readonly week: number;
  /** Cumulative net commission in minor units by age in weeks; as long as the cohort is old. */
  readonly cumulative: readonly number[];
}

/** The share of the final commission that has usually arrived at each age. */
export interface MaturityCurve {
  /** By age in weeks, from 0; above 1 while later reversals are usual. The last entry is 1. */
  readonly shares: readonly number[];
  /** Weeks after which nothing more is expected. */
  readonly horizonWeeks: number;
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
  const factors = Array.from({ length: Math.max(0, ages - 1) }, (_, age) => {
    const both = cohorts.filter(({ cumulative }) => cumulative.length > age + 1);
    const before = both.reduce((sum, { cumulative }) => sum + (cumulative[age] ?? 0), 0);
    const after = both.reduce((sum, { cumulative }) => sum + (cumulative[age + 1] ?? 0), 0);
    return before > 0 ? after / before : null;
  });
  // While nothing has arrived there is no ratio: these ages have a share of 0.
  const shares: number[] = Array.from({ length: ages }, () => 0);
  let share = 1;
  for (let age = ages - 1; age >= 0; age--) {
    shares[age] = share;
    const factor = factors[age - 1];
    if (age > 0) share = factor === null || factor === undefined || factor <= 0 ? 0 : share / factor;
  }
  return { shares, horizonWeeks: ages - 1 };
}

/** The share (0 … 1) of the commissions of a click of this age (ms) that has usually arrived. */
export function getMatureShare(curve: MaturityCurve, ageMs: number): number {
  const weeks = Math.max(0, Math.floor(ageMs / (7 * 86_400_000)));
  return Math.min(1, Math.max(0, curve.shares[Math.min(weeks, curve.shares.length - 1)] ?? 1));
}
