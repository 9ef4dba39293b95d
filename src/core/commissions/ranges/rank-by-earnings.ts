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

/** What all clicks of a site in a period have earned, to which those of a page, a place or a campaign belong. */
export interface SiteEarnings extends EarnedClicks {
  /** Whether it is known how long commissions take: without it immature clicks cannot be told from poor ones. */
  readonly isCurveKnown: boolean;
}

/** Figures of one page, place or campaign. */
export interface RankingInput extends EarnedClicks {
  readonly key: string;
}

/** An estimate with its 80 % range. */
export interface Estimate {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
}

/** Of a click, in minor units. */
export interface Earnings extends Estimate {
  /** How much of it is the average of the site's other clicks; null from ten conversions on. */
  readonly siteShare: number | null;
}

/** What a click there is expected to earn, and how sure that is. Money in minor units. */
export type Ranked = RankedEarnings | UnknownEarnings;

/** Earnings that are known well enough for an order. */
export interface RankedEarnings extends Earnings {
  readonly key: string;
  readonly isKnown: true;
  readonly clicksNeeded: 0;
}

/** Earnings with so few conversions, or so wide a range, that the order would be guessing. */
export interface UnknownEarnings {
  readonly key: string;
  readonly mean: number;
  readonly isKnown: false;
  /**
   * How many more clicks it needs until it can be ranked, about, on top of those it already has. 0: it has enough once
   * the commissions of the immature ones have arrived.
   */
  readonly clicksNeeded: number;
  /** What it may earn; null when nothing is known of it. */
  readonly range: Estimate | null;
}

/** The site's other clicks count as those of this many customers: they hardly move what has ten times as many. */
const PRIOR_CUSTOMERS = 3;
/** How much customers differ takes more of them to know, and differs less from page to page. */
const SPREAD_CUSTOMERS = 20;
/** From here on the site's average is too small a part to be named. */
const MIN_OWN_CONVERSIONS = 10;
/** One conversion can be luck at any number of clicks. */
const MIN_CONVERSIONS_TO_RANK = 2;
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
 * Estimates what a click earns in the end. The sum of what customers bring is a compound Poisson process: its variance is
 * the sum of their squares, less what is certain because a click has one customer, as in the gamma intervals of Fay and
 * Feuer (1997, Statistics in Medicine 16). The site's other clicks are added as those of three customers (empirical Bayes:
 * Efron and Morris 1975), however the clicks were grouped: the same clicks have one estimate in every view.
 */
export function estimateEarnings(own: EarnedClicks, site: EarnedClicks): Earnings | null {
  const { clicks, amount, mean, size, arrived } = blend(own, site);
  if (mean <= 0) return null;
  const variance = Math.max(size - arrived, size / 100) / amount + (own.clicksError / clicks) ** 2;
  const isFew = own.conversions < MIN_OWN_CONVERSIONS;
  return {
    ...buildRange(mean, variance * mean * mean),
    siteShare: isFew ? 1 - own.matureClicks / clicks : null,
  };
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
export interface ComingMoney {
  readonly mean: number;
  /** What comes by chance, and what is not known of a click's earnings. */
  readonly variance: number;
  /** The standard error from the shares, which is common to all clicks. */
  readonly shareError: number;
  /** The variance of what has come, because some of it is pending. */
  readonly undecided: number;
  /** The chance that nothing comes, as its logarithm: that of the clicks together is the sum. */
  readonly logNothing: number;
}

/**
 * The 80 % range of what comes: from nothing where more than one case of ten brings nothing, as customers come whole, and
 * wider by what may be reversed, which can be more than what comes.
 */
export function buildComingRange(money: ComingMoney): Estimate {
  const { mean, variance, shareError, undecided, logNothing } = money;
  const { low, high } = buildRange(mean, variance + shareError ** 2);
  const widen = (half: number) => Math.sqrt(half ** 2 + Z_80 ** 2 * undecided);
  const from = logNothing > Math.log(0.1) ? 0 : low;
  return { low: mean - widen(mean - from), mean, high: mean + widen(high - mean) };
}

/**
 * Predicts what clicks will still bring until they are 26 weeks old. The error is not that of a mean: for each customer it
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
): ComingMoney | null {
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
    variance: scale * (later + multiple ** 2 * seen - 2 * multiple * both) + prior,
    undecided: own.undecided,
    shareError: mean * error * (1 + multiple),
    logNothing: (-coming * mean) / size,
  };
}

/**
 * Ranks entries of one currency by the 10 % quantile of their earnings per click: an entry with few clicks has to
 * earn its place. Entries that are not known yet come last, those that need the fewest clicks first.
 */
export function rankByEarnings(entries: readonly RankingInput[], site: SiteEarnings): Ranked[] {
  return entries.map((entry) => rankEntry(entry, site)).sort(compareRanked);
}

function compareRanked(one: Ranked, other: Ranked): number {
  if (one.isKnown && other.isKnown) return other.low - one.low;
  return Number(other.isKnown) - Number(one.isKnown) || one.clicksNeeded - other.clicksNeeded;
}

function rankEntry(entry: RankingInput, site: SiteEarnings): Ranked {
  const { key, conversions } = entry;
  const earnings = estimateEarnings(entry, site);
  // The order says something once the range is no wider than the figure itself, twice over.
  const isNarrow = earnings !== null && earnings.high - earnings.low <= 2 * earnings.mean;
  if (isNarrow && site.isCurveKnown && conversions >= MIN_CONVERSIONS_TO_RANK)
    return { key, isKnown: true, clicksNeeded: 0, ...earnings };
  const clicksNeeded = countClicksNeeded(entry, site);
  return { key, mean: earnings?.mean ?? 0, isKnown: false, clicksNeeded, range: earnings };
}

/**
 * Clicks until there are as many conversions as a ranking needs, and until the range is narrow enough: its width falls
 * with the root of the money. The immature clicks that are there already count as far as they will still earn.
 */
function countClicksNeeded(entry: RankingInput, site: EarnedClicks): number {
  const { matureClicks, conversions, clicks } = entry;
  const { rate, mean, size } = blend(entry, site);
  const untilCounted = (MIN_CONVERSIONS_TO_RANK - conversions) / Math.max(rate, 1e-4);
  const untilNarrow = mean <= 0 ? 0 : (Z_80 * Z_80 * size) / mean - matureClicks;
  const immatureClicks = Math.max(0, clicks - matureClicks);
  return Math.max(0, Math.ceil(Math.max(1, untilCounted, untilNarrow) - immatureClicks));
}
