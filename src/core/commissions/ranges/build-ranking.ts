import { getMatureShare, getShareError, type MaturityCurve } from './maturity.ts';
import { type EarnedClicks, getMeanAge } from './rank-by-earnings.ts';

/** What can be ranked. */
export const RANKING_DIMENSIONS = ['page', 'placement', 'campaign', 'source', 'partner'] as const;
export type RankingDimension = (typeof RANKING_DIMENSIONS)[number];

/** Counted clicks of one key. */
export interface MatureClicks extends Omit<EarnedClicks, keyof EarnedSum> {
  readonly key: string;
}

/** What the clicks of one key have earned. */
export type EarnedSum = Omit<EarnedClicks, 'clicks' | 'matureClicks' | 'clicksError'>;

/**
 * The share of the commissions of the clicks of a week (ms since 1970) that has usually arrived, 1 without a curve, and
 * its standard error.
 */
export function weighWeek(curve: MaturityCurve | null, week: number, now: number) {
  if (curve === null) return { weight: 1, error: 0 };
  const age = getMeanAge(week, now);
  const weight = getMatureShare(curve, age);
  return { weight, error: weight * getShareError(curve, age) };
}

/** Sums what all clicks of a site have earned, by any dimension that every click has. */
export function sumSite(
  clicks: readonly MatureClicks[],
  earned: ReadonlyMap<string, EarnedSum>,
): EarnedClicks {
  const inputs = buildInputs(clicks, earned);
  const sum = (name: keyof EarnedClicks) => inputs.reduce((all, input) => all + input[name], 0);
  const money = { amount: sum('amount'), squares: sum('squares'), undecided: sum('undecided') };
  const mature = { matureClicks: sum('matureClicks'), clicksError: sum('clicksError') };
  return {
    clicks: sum('clicks'),
    ...mature,
    conversions: sum('conversions'),
    ...money,
  };
}

/** Joins clicks with what they have earned; money may have come from clicks that are not counted. */
export function buildInputs(clicks: readonly MatureClicks[], earned: ReadonlyMap<string, EarnedSum>) {
  const known = new Map(clicks.map((counted) => [counted.key, counted]));
  const keys = [...known.keys(), ...[...earned.keys()].filter((key) => !known.has(key))];
  return keys.map((key) => ({ ...NO_CLICKS, ...known.get(key), ...(earned.get(key) ?? NOTHING), key }));
}

export const NOTHING: EarnedSum = { conversions: 0, amount: 0, squares: 0, undecided: 0 };
const NO_CLICKS = { clicks: 0, matureClicks: 0, clicksError: 0 };
