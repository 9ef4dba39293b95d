import { WEEK_MS } from '../../clock.ts';
import { buildSourceName, UNKNOWN_SOURCE } from '../../events/visit-source.ts';
import { buildPlacementKey } from '../credit/build-click-key.ts';
import { getBookedAmount, isConversion, type ReportedCommission } from '../credit/commission-report.ts';
import { buildLastCampaignName, type FrozenJourney } from '../credit/credit.ts';
import type { Commission } from '../ledger/fold-commission.ts';
import {
  buildClickCurve,
  buildPartnerMaturity,
  getMatureShare,
  type MaturityCurve,
  type PartnerMaturity,
} from './maturity.ts';
import { estimateWithPrior, type Ranked, rankByEarnings } from './rank-by-earnings.ts';

/** What can be ranked. */
export const RANKING_DIMENSIONS = ['page', 'placement', 'campaign', 'source', 'partner'] as const;
export type RankingDimension = (typeof RANKING_DIMENSIONS)[number];

/** Counted clicks of one key in the week that begins at a time (ms since 1970). */
export interface WeeklyClicks {
  readonly key: string;
  readonly week: number;
  readonly clicks: number;
}

/** Counted clicks of one key. */
export interface MatureClicks {
  readonly key: string;
  readonly clicks: number;
  /** The clicks, each weighted by the share of its commissions that has usually arrived. */
  readonly matureClicks: number;
}

/** What the clicks of one key have earned. */
export interface EarnedSum {
  readonly conversions: number;
  /** In minor units of one currency. */
  readonly amount: number;
}

/** What a ranking is computed from. */
export interface RankingRequest {
  readonly by: RankingDimension;
  /** Only commissions of this currency are ranked. */
  readonly currency: string;
  /** Commissions that count. */
  readonly commissions: readonly ReportedCommission[];
  readonly clicks: readonly WeeklyClicks[];
  /** Partners whose program pays a commission every month. */
  readonly recurring?: ReadonlySet<string> | undefined;
  /** ms since 1970. */
  readonly now: number;
  /** What is known from more commissions than those that are ranked; estimated from these when left out. */
  readonly curve?: MaturityCurve | null;
}

/** A ranking, with what is known of how long commissions take to arrive. */
export interface Ranking {
  /** Null while there are too few conversions to know it: every click counts in full then. */
  readonly curve: MaturityCurve | null;
  /** By partner; a partner is left out while too little is known of all partners together. */
  readonly maturities: ReadonlyMap<string, PartnerMaturity>;
  readonly rows: readonly (Ranked & { readonly clicks: number; readonly conversions: number })[];
}

/**
 * Ranks pages, placements, campaigns, sources or partners by what a click earns there, so that few conversions do not win by
 * chance (see `ranking.ts`) and immature clicks, whose commissions are still to come, are not ranked too low: each click
 * counts by the share of its commissions that has usually arrived (Chapelle, "Modeling Delayed Feedback in Display
 * Advertising", KDD 2014).
 */
export function buildRanking(request: RankingRequest): Ranking {
  const { by, currency, commissions, clicks, now, recurring = new Set() } = request;
  const matched = commissions.filter(
    ({ commission, journey }) => journey !== null && commission.currency === currency,
  );
  const curve = request.curve === undefined ? buildClickCurve(matched, { now }) : request.curve;
  const maturities = new Map(
    [...Map.groupBy(matched, ({ commission }) => commission.partner)].flatMap(([partner, own]) => {
      const isRecurring = recurring.has(partner);
      const maturity = buildPartnerMaturity(own, matched, { isRecurring, now });
      return maturity === null ? [] : [[partner, maturity] as const];
    }),
  );
  const sums = new Map<string, { matureClicks: number; clicks: number }>();
  for (const { key, week, clicks: count } of clicks) {
    const known = (by === 'partner' ? maturities.get(key)?.curve : undefined) ?? curve;
    const sum = sums.get(key) ?? { matureClicks: 0, clicks: 0 };
    sums.set(key, sum);
    sum.matureClicks += count * getWeekMaturity(known, week, now);
    sum.clicks += count;
  }
  const counted = [...sums].map(([key, sum]) => ({ key, ...sum }));
  return { curve, maturities, rows: rankMatureClicks(counted, sumEarnings(matched, by)) };
}

/** The share of the commissions of the clicks of a week (ms since 1970) that has usually arrived; 1 without a curve. */
export function getWeekMaturity(curve: MaturityCurve | null, week: number, now: number): number {
  // A click of the week is half a week younger than its beginning on average.
  return curve === null ? 1 : getMatureShare(curve, now - week - WEEK_MS / 2);
}

/** Sums what the clicks of each key have earned; commissions without a click are left out. */
export function sumEarnings(
  commissions: readonly ReportedCommission[],
  by: RankingDimension,
): ReadonlyMap<string, EarnedSum> {
  const sums = new Map<string, { conversions: number; amount: number }>();
  for (const reported of commissions) {
    const { commission, journey } = reported;
    if (journey === null) continue;
    const key = buildKey(commission, journey, by);
    const sum = sums.get(key) ?? { conversions: 0, amount: 0 };
    sums.set(key, sum);
    sum.conversions += isConversion(reported) ? 1 : 0;
    sum.amount += getBookedAmount(commission);
  }
  return sums;
}

/** Ranks clicks by what they have earned; each key of `clicks` once. */
export function rankMatureClicks(
  clicks: readonly MatureClicks[],
  earned: ReadonlyMap<string, EarnedSum>,
): Ranking['rows'] {
  const inputs = buildInputs(clicks, earned);
  const known = new Map(inputs.map((input) => [input.key, input]));
  return rankByEarnings(inputs).map((ranked) => {
    const { clicks: count = 0, conversions = 0 } = known.get(ranked.key) ?? {};
    return { ...ranked, clicks: count, conversions };
  });
}

/** Estimates what a click of some keys earns in the end, with the 80 % interval, however few its conversions are. */
export function estimateMatureClicks(
  clicks: readonly MatureClicks[],
  earned: ReadonlyMap<string, EarnedSum>,
  keys: ReadonlySet<string>,
): ReturnType<typeof estimateWithPrior> {
  return estimateWithPrior(buildInputs(clicks, earned), keys);
}

function buildInputs(clicks: readonly MatureClicks[], earned: ReadonlyMap<string, EarnedSum>) {
  const known = new Map(clicks.map((counted) => [counted.key, counted]));
  const keys = [...known.keys(), ...[...earned.keys()].filter((key) => !known.has(key))];
  return keys.map((key) => ({
    key,
    matureClicks: known.get(key)?.matureClicks ?? 0,
    clicks: known.get(key)?.clicks ?? 0,
    ...(earned.get(key) ?? NOTHING),
  }));
}

const NOTHING: EarnedSum = { conversions: 0, amount: 0 };

function buildKey(commission: Commission, journey: FrozenJourney, by: RankingDimension): string {
  switch (by) {
    case 'page':
      return journey.page;
    case 'placement':
      return buildPlacementKey(journey.page, journey.placement);
    case 'campaign':
      return buildLastCampaignName(journey);
    case 'source':
      return buildSourceName(journey.sources?.last ?? UNKNOWN_SOURCE);
    case 'partner':
      return commission.partner;
  }
}
