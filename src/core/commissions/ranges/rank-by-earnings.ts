import { getBetaQuantile, getWilsonInterval } from './beta-distribution.ts';

/** Figures of one page, place or campaign. */
export interface RankingInput {
  readonly key: string;
  /** Clicks, each weighted by the share of its commissions that has usually arrived by now (see `maturity.ts`). */
  readonly matureClicks: number;
  /** All of its clicks; as many as the mature ones when left out. */
  readonly clicks?: number;
  readonly conversions: number;
  /** Sum of its commissions in minor units of one currency. */
  readonly amount: number;
}

/** What a click there is expected to earn, and how sure that is. Money in minor units. */
export type Ranked = RankedEarnings | UnknownEarnings;

interface ExpectedEarnings {
  readonly key: string;
  /** Expected earnings per click. */
  readonly mean: number;
}

/** Earnings that are known well enough for an order. */
export interface RankedEarnings extends ExpectedEarnings {
  readonly isKnown: true;
  /** The 80 % interval of the earnings per click. */
  readonly low: number;
  readonly high: number;
  readonly clicksNeeded: 0;
}

/** Earnings with so few conversions, or so wide an interval, that the order would be guessing. */
export interface UnknownEarnings extends ExpectedEarnings {
  readonly isKnown: false;
  /**
   * How many more clicks it needs until it can be ranked, about, on top of those it already has. 0: it has enough once
   * the commissions of the immature ones have arrived.
   */
  readonly clicksNeeded: number;
}

/** Fewer entries than this give no prior; the interval is Wilson's then. */
const MIN_ENTRIES_FOR_PRIOR = 5;
/** A page counts as this many average conversions when its value per conversion is estimated. */
const VALUE_PRIOR_CONVERSIONS = 5;
/** One conversion can be luck at any number of clicks. */
const MIN_CONVERSIONS_TO_RANK = 2;
const MIN_PRIOR_STRENGTH = 10;
const MAX_PRIOR_STRENGTH = 10_000;
const Z_80 = 1.2816;

/** A Beta(a, b) prior of the conversion rate. */
export interface RatePrior {
  readonly a: number;
  readonly b: number;
}

/**
 * Fits a beta prior to the conversion rates of all entries by the method of moments (empirical Bayes: Efron and
 * Morris 1975; Robinson, Introduction to Empirical Bayes, 2017). Its strength a + b is limited to 10 … 10,000 clicks,
 * and to the clicks that it was fitted from: rates that hardly differ do not say more than all their clicks together.
 */
export function fitRatePrior(entries: readonly RankingInput[]): RatePrior {
  const clicks = entries.reduce((sum, entry) => sum + entry.matureClicks, 0);
  const conversions = entries.reduce((sum, entry) => sum + entry.conversions, 0);
  const mean = Math.min(0.999, Math.max(1e-6, clicks === 0 ? 1e-6 : conversions / clicks));
  const known = entries.filter(({ matureClicks }) => matureClicks > 0);
  const spread = known.reduce(
    (sum, entry) => sum + entry.matureClicks * (entry.conversions / entry.matureClicks - mean) ** 2,
    0,
  );
  // The spread of observed rates is the spread between pages plus the noise of counting.
  const between = clicks === 0 ? 0 : spread / clicks - (mean * (1 - mean) * known.length) / clicks;
  const strength = between <= 0 ? MAX_PRIOR_STRENGTH : (mean * (1 - mean)) / between - 1;
  const limited = Math.max(MIN_PRIOR_STRENGTH, Math.min(MAX_PRIOR_STRENGTH, clicks, strength));
  return { a: mean * limited, b: (1 - mean) * limited };
}

/**
 * Ranks entries of one currency by the 10 % quantile of their earnings per click: an entry with few clicks has to
 * earn its place. Entries that are not known yet come last, those that need the fewest clicks first.
 */
export function rankByEarnings(entries: readonly RankingInput[]): Ranked[] {
  const { averageValue, prior } = summarizeEntries(entries);
  return entries.map((entry) => rankEntry(entry, averageValue, prior)).sort(compareRanked);
}

/**
 * Estimates each entry by itself, in the given order and however few its conversions are: without a prior, which would
 * pull the weeks of one page so close together that a change could not be seen.
 */
export function estimateEarnings(entries: readonly RankingInput[]) {
  const { averageValue } = summarizeEntries(entries);
  return entries.map((entry) => estimateEntry(entry, averageValue, null));
}

/**
 * Estimates what a click earns in the end for some of the entries, however few their conversions are: with the prior of
 * all entries, as the ranking does. An entry about which nothing can be said is left out.
 */
export function estimateWithPrior(entries: readonly RankingInput[], keys: ReadonlySet<string>) {
  const { averageValue, prior } = summarizeEntries(entries);
  const known = entries.filter(
    ({ key, matureClicks, conversions }) =>
      keys.has(key) && averageValue > 0 && (prior !== null || matureClicks + conversions > 0),
  );
  return new Map(known.map((entry) => [entry.key, estimateEntry(entry, averageValue, prior)] as const));
}

/** What a click of an entry earns in the end, with the 80 % interval; without a prior, that of Wilson. */
function estimateEntry(entry: RankingInput, averageValue: number, prior: RatePrior | null) {
  const { conversions } = entry;
  const clicks = Math.max(entry.matureClicks, conversions);
  const value = estimateValue(entry, averageValue);
  const [low, high] = estimateInterval(conversions, clicks, prior);
  return { low: low * value, mean: estimateRate(conversions, clicks, prior) * value, high: high * value };
}

/** What all entries say about one of them: the value of a conversion, and the prior of the rate when there is one. */
function summarizeEntries(entries: readonly RankingInput[]) {
  const conversions = entries.reduce((sum, entry) => sum + entry.conversions, 0);
  const amount = entries.reduce((sum, entry) => sum + entry.amount, 0);
  const prior = entries.length < MIN_ENTRIES_FOR_PRIOR ? null : fitRatePrior(entries);
  return { averageValue: conversions === 0 ? 0 : amount / conversions, prior };
}

function estimateValue({ conversions, amount }: RankingInput, averageValue: number): number {
  return (VALUE_PRIOR_CONVERSIONS * averageValue + amount) / (VALUE_PRIOR_CONVERSIONS + conversions);
}

function compareRanked(one: Ranked, other: Ranked): number {
  if (one.isKnown && other.isKnown) return other.low - one.low;
  return Number(other.isKnown) - Number(one.isKnown) || one.clicksNeeded - other.clicksNeeded;
}

function rankEntry(entry: RankingInput, averageValue: number, prior: RatePrior | null): Ranked {
  const { key, matureClicks, conversions } = entry;
  const clicks = Math.max(matureClicks, conversions);
  const value = estimateValue(entry, averageValue);
  const rate = estimateRate(conversions, clicks, prior);
  // Most entries of a long list have too few conversions: an interval takes longer than all the rest.
  if (conversions >= MIN_CONVERSIONS_TO_RANK) {
    const [low, high] = estimateInterval(conversions, clicks, prior);
    // The order says something once the interval is no wider than the rate itself, twice over.
    if (high - low <= 2 * rate)
      return {
        key,
        mean: rate * value,
        isKnown: true,
        low: low * value,
        high: high * value,
        clicksNeeded: 0,
      };
  }
  return { key, mean: rate * value, isKnown: false, clicksNeeded: countClicksNeeded(entry, rate) };
}

function estimateRate(conversions: number, clicks: number, prior: RatePrior | null): number {
  if (prior !== null) return (prior.a + conversions) / (prior.a + prior.b + clicks);
  return clicks === 0 ? 0 : conversions / clicks;
}

/** The 10 % quantile and the 90 % quantile of a conversion rate. */
function estimateInterval(
  conversions: number,
  clicks: number,
  prior: RatePrior | null,
): readonly [low: number, high: number] {
  if (prior === null) return getWilsonInterval(conversions, clicks, Z_80);
  const a = prior.a + conversions;
  const b = prior.b + clicks - conversions;
  return [getBetaQuantile(0.1, a, b), getBetaQuantile(0.9, a, b)];
}

/**
 * Clicks until there are as many conversions as a ranking needs, and until the interval is narrow enough: its width
 * falls with the root of the conversions. The immature clicks that are there already count as far as they will still earn.
 */
function countClicksNeeded(entry: RankingInput, rate: number): number {
  const { matureClicks, conversions } = entry;
  const safeRate = Math.max(rate, 1e-4);
  const untilCounted = (MIN_CONVERSIONS_TO_RANK - conversions) / safeRate;
  const untilNarrow = (Z_80 * Z_80) / safeRate - Math.max(matureClicks, conversions);
  const immatureClicks = Math.max(0, (entry.clicks ?? matureClicks) - matureClicks);
  return Math.max(0, Math.ceil(Math.max(1, untilCounted, untilNarrow) - immatureClicks));
}
