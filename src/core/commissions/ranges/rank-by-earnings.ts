import { WEEK_MS } from '../../clock.ts';
import { getMatureShare, getShareError, type MaturityCurve, PREDICTED_WEEKS } from './maturity.ts';

/** What some clicks have earned. The sums of a site are those of its pages. */
export interface EarnedClicks {
  readonly clicks: number;
  /** Clicks, each weighted by the share of its commissions that has usually arrived by now (see `maturity.ts`). */
  readonly matureClicks: number;
  /** The standard error of the mature clicks, because the shares are estimates; those of all clicks err together. */
  readonly clicksError: number;
  readonly conversions: number;
  /** Sum of what their commissions are expected to come to, in minor units of one currency. */
  readonly amount: number;
  /** Sum of the squares of what each customer brought. */
  readonly squares: number;
  /** The variance of the amount, because pending commissions may be reversed. */
  readonly undecided: number;
}

/** An estimate with its 80 % range. */
export interface Estimate {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
}

/** The site's other clicks count as those of this many customers: they hardly move what has ten times as many. */
const PRIOR_CUSTOMERS = 3;
/** How much customers differ takes more of them to know, and differs less from page to page. */
const SPREAD_CUSTOMERS = 20;
/** Of 10 cases, 8 lie within so many standard deviations of the middle. */
const Z_80 = 1.2816;

/**
 * The range of a gamma distribution by its mean and its variance (Wilson and Hilferty 1931, PNAS 17): what few
 * customers bring is skewed and never below 0.
 */
export function buildRange(mean: number, variance: number, z = Z_80): Estimate {
  if (mean <= 0) return { low: 0, mean: Math.max(0, mean), high: z * Math.sqrt(variance) };
  const part = variance / (9 * mean * mean);
  const at = (place: number) => mean * Math.max(0, 1 - part + place * Math.sqrt(part)) ** 3;
  return { low: at(-z), mean, high: at(z) };
}

/** What a customer of some clicks brings, with those of the site's other clicks: counts of such amounts vary as the sums do. */
export const getCustomerSize = (own: EarnedClicks, site: EarnedClicks) => blend(own, site).size;

/** Own sums with those of the site's other clicks, as if these were of a few customers. */
function blend(own: EarnedClicks, site: EarnedClicks) {
  const others = (get: (sums: EarnedClicks) => number) => Math.max(0, get(site) - get(own));
  const conversions = others((sums) => sums.conversions);
  const add = (get: (sums: EarnedClicks) => number, customers: number) =>
    get(own) + (conversions === 0 ? 0 : others(get) * Math.min(1, customers / conversions));
  // Money may have come from clicks that are not counted.
  const clicks = add((sums) => Math.max(sums.matureClicks, sums.conversions), PRIOR_CUSTOMERS);
  const amount = add((sums) => sums.amount, PRIOR_CUSTOMERS);
  const mean = clicks <= 0 ? 0 : Math.max(0, amount / clicks);
  const spread = add((sums) => sums.amount, SPREAD_CUSTOMERS);
  // What a customer of the usual size brings: sums of amounts that differ vary like counts of amounts of this size.
  const size = spread <= 0 ? 0 : add(({ squares }) => squares, SPREAD_CUSTOMERS) / spread;
  const customers = own.conversions + Math.min(PRIOR_CUSTOMERS, conversions);
  const arrived =
    amount /
    Math.max(
      1,
      add((sums) => sums.clicks, PRIOR_CUSTOMERS),
    );
  return { clicks, amount, mean, size, arrived, rate: clicks <= 0 ? 0 : customers / clicks };
}

/**
 * Estimates what a click earns in the end, in minor units. The sum of what customers bring is a compound Poisson process: its variance is
 * the sum of their squares, less what is certain because a click has one customer, as in the gamma intervals of Fay and
 * Feuer (1997, Statistics in Medicine 16). The site's other clicks are added as those of three customers (empirical Bayes:
 * Efron and Morris 1975), however the clicks were grouped: the same clicks have one estimate in every view.
 */
export function estimateEarnings(own: EarnedClicks, site: EarnedClicks): Estimate | null {
  const { clicks, amount, mean, size, arrived } = blend(own, site);
  if (mean <= 0) return null;
  const variance = Math.max(size - arrived, size / 100) / amount + (own.clicksError / clicks) ** 2;
  return buildRange(mean, variance * mean * mean);
}

/** Clicks of a week that begins at a time (ms since 1970). */
export interface ClickWeek {
  readonly week: number;
  readonly clicks: number;
}

/** Clicks of a week by how much they count in the sums of what was earned. */
export interface KnownWeek extends ClickWeek {
  readonly weight: number;
}

/** The age of the clicks of a week on average, in ms: half a week less than its beginning, or half of a week that is not over. */
export const getMeanAge = (week: number, now: number) => Math.max((now - week) / 2, now - week - WEEK_MS / 2);

/** What clicks will still bring, as money to which that of others can be added. */
export type ComingMoney = Readonly<NonNullable<ReturnType<typeof predictComing>>>;

/**
 * The range of what comes, of 80 % unless `z` (standard deviations) is another one: from nothing where more than one case of ten brings nothing, as customers come whole, and
 * wider by what may be reversed, which can be more than what comes.
 */
export function buildComingRange(money: ComingMoney, z = Z_80): Estimate {
  const { mean, variance, shareError, undecided, logNothing } = money;
  const { low, high } = buildRange(mean, variance + shareError ** 2, z);
  const widen = (half: number) => Math.sqrt(half ** 2 + z ** 2 * undecided);
  const from = logNothing > Math.log(z > Z_80 ? 0.025 : 0.1) ? 0 : low;
  return { low: mean - widen(mean - from), mean, high: mean + widen(high - mean) };
}

/**
 * Predicts what clicks will still bring until they are 12 months old. The error is not that of a mean: for each customer it
 * is what comes later less the usual multiple of what has come, and the sum of its squares over the customers of old
 * clicks, at the ages that the clicks have now, is its variance (as the process variance of Mack 1993). Null where that
 * is not known. `known`: the weeks that `own` sums, where these are more than those that are predicted.
 */
export function predictComing(
  own: EarnedClicks,
  site: EarnedClicks,
  weeks: readonly ClickWeek[],
  {
    curve,
    now,
    known,
  }: {
    readonly curve: MaturityCurve | null;
    readonly now: number;
    readonly known?: readonly KnownWeek[] | undefined;
  },
) {
  const last = curve?.spread.at(-1);
  const { mean, clicks, size } = blend(own, site);
  if (curve === null || last === undefined || mean <= 0) return null;
  const final = getMatureShare(curve, PREDICTED_WEEKS * WEEK_MS);
  let [coming, seen, later, both, error] = [0, 0, 0, 0, 0];
  const getAge = (week: number) => Math.min(PREDICTED_WEEKS * WEEK_MS, getMeanAge(week, now));
  const getSpread = (age: number) => curve.spread[Math.round(age / WEEK_MS)] ?? last;
  for (const { week, clicks: count, weight } of known ?? weeks.map((one) => ({ ...one, weight: 1 })))
    seen += count * weight ** 2 * getSpread(getAge(week)).seen;
  for (const { week, clicks: count } of weeks) {
    const age = getAge(week);
    const [share, spread] = [getMatureShare(curve, age), getSpread(age)];
    coming += count * Math.max(0, final - share);
    later += count * spread.later;
    both += (count * (last.seen - spread.seen - spread.later)) / 2;
    const relative = getShareError(curve, age) ** 2 - getShareError(curve, PREDICTED_WEEKS * WEEK_MS) ** 2;
    error += count * share * Math.sqrt(Math.max(0, relative));
  }
  const multiple = coming / clicks;
  // Customers of these clicks may be of another size than those of old clicks.
  const scale = mean * final * size * (site.amount / site.squares);
  const prior = multiple ** 2 * (clicks - own.matureClicks) * mean * size;
  return {
    mean: coming * mean,
    /** What comes by chance, and what is not known of a click's earnings. */
    variance: scale * (later + multiple ** 2 * seen - 2 * multiple * both) + prior,
    /** The variance of what has come, because some of it is pending. */
    undecided: own.undecided,
    /** The standard error from the shares, which is common to all clicks. */
    shareError: mean * error * (1 + multiple),
    /** The chance that nothing comes, as its logarithm: that of the clicks together is the sum. */
    logNothing: (-coming * mean) / size,
  };
}
