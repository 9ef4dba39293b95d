import { buildSourceName, UNKNOWN_SOURCE } from '../../events/visit-source.ts';
import { buildPlacementKey } from '../credit/build-click-key.ts';
import { getBookedAmount, isConversion, type ReportedCommission } from '../credit/commission-report.ts';
import { buildLastCampaignName, type FrozenJourney } from '../credit/credit.ts';
import type { Commission } from '../ledger/fold-commission.ts';
import {
  buildClickCurve,
  buildPartnerMaturity,
  getMatureShare,
  getShareError,
  listClickSums,
  type MaturityCurve,
  type PartnerMaturity,
} from './maturity.ts';
import {
  type ClickWeek,
  type EarnedClicks,
  getMeanAge,
  type Ranked,
  rankByEarnings,
  type SiteEarnings,
} from './rank-by-earnings.ts';

/** What can be ranked. */
export const RANKING_DIMENSIONS = ['page', 'placement', 'campaign', 'source', 'partner'] as const;
export type RankingDimension = (typeof RANKING_DIMENSIONS)[number];

/** Counted clicks of one key in the week that begins at a time (ms since 1970). */
export interface WeeklyClicks extends ClickWeek {
  readonly key: string;
}

/** Counted clicks of one key. */
export interface MatureClicks extends Omit<EarnedClicks, keyof EarnedSum> {
  readonly key: string;
}

/** What the clicks of one key have earned. */
export type EarnedSum = Omit<EarnedClicks, 'clicks' | 'matureClicks' | 'clicksError'>;

/** What a commission is expected to come to, in minor units: a pending one by how often such are approved. */
export type GetAmount = (reported: ReportedCommission) => number;

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
  /** What a commission is expected to come to; what it says of itself when left out. */
  readonly getAmount?: GetAmount | undefined;
  /** What is known from more commissions than those that are ranked; estimated from these when left out. */
  readonly curve?: MaturityCurve | null;
}

/** A ranking, with what is known of how long commissions take to arrive. */
export interface Ranking {
  /** Null while there are too few conversions to know it: nothing is ranked then. */
  readonly curve: MaturityCurve | null;
  /** By partner; a partner is left out while too little is known of all partners together. */
  readonly maturities: ReadonlyMap<string, PartnerMaturity>;
  readonly rows: readonly (Ranked & { readonly clicks: number; readonly conversions: number })[];
}

/**
 * Ranks pages, placements, campaigns, sources or partners by what a click earns there, so that few conversions do not win by
 * chance (see `rank-by-earnings.ts`) and immature clicks, whose commissions are still to come, are not ranked too low: each click
 * counts by the share of its commissions that has usually arrived (Chapelle, "Modeling Delayed Feedback in Display
 * Advertising", KDD 2014).
 */
export function buildRanking(request: RankingRequest): Ranking {
  const { by, currency, commissions, clicks, now, recurring = new Set() } = request;
  const matched = commissions.filter(
    ({ commission, journey }) => journey !== null && commission.currency === currency,
  );
  const curve = request.curve === undefined ? buildClickCurve(matched, { now }) : request.curve;
  const all = listClickSums(matched);
  const maturities = new Map(
    [...Map.groupBy(matched, ({ commission }) => commission.partner)].flatMap(([partner, own]) => {
      const isRecurring = recurring.has(partner);
      const maturity = buildPartnerMaturity(listClickSums(own), all, { isRecurring, now });
      return maturity === null ? [] : [[partner, maturity] as const];
    }),
  );
  const sums = new Map<string, { matureClicks: number; clicksError: number; clicks: number }>();
  for (const { key, week, clicks: count } of clicks) {
    const sum = sums.get(key) ?? { matureClicks: 0, clicksError: 0, clicks: 0 };
    sums.set(key, sum);
    const { weight, error } = weighWeek(curve, week, now);
    sum.matureClicks += count * weight;
    sum.clicksError += count * error;
    sum.clicks += count;
  }
  const counted = [...sums].map(([key, sum]) => ({ key, ...sum }));
  const earned = sumEarnings(matched, by, request.getAmount);
  return { curve, maturities, rows: rankMatureClicks(counted, earned, sumSite(counted, earned, curve)) };
}

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

/** Sums what the clicks of each key have earned; commissions without a click are left out. */
export function sumEarnings(
  commissions: readonly ReportedCommission[],
  by: RankingDimension | ((journey: FrozenJourney) => string),
  getAmount: GetAmount = ({ commission }) => getBookedAmount(commission),
): ReadonlyMap<string, EarnedSum> {
  const sums = new Map<string, { -readonly [Name in keyof EarnedSum]: number }>();
  const customers = new Map<string, number>();
  for (const reported of commissions) {
    const { commission, journey } = reported;
    if (journey === null) continue;
    const key = typeof by === 'function' ? by(journey) : buildKey(commission, journey, by);
    const sum = sums.get(key) ?? { ...NOTHING };
    sums.set(key, sum);
    const [booked, amount] = [getBookedAmount(commission), getAmount(reported)];
    const before = customers.get(journey.clickId) ?? 0;
    customers.set(journey.clickId, before + amount);
    sum.conversions += isConversion(reported) ? 1 : 0;
    sum.amount += amount;
    sum.squares += (before + amount) ** 2 - before ** 2;
    // It will be paid in full or not at all.
    sum.undecided += amount * (booked - amount);
  }
  return sums;
}

/** Sums what all clicks of a site have earned, by any dimension that every click has. */
export function sumSite(
  clicks: readonly MatureClicks[],
  earned: ReadonlyMap<string, EarnedSum>,
  curve: MaturityCurve | null,
): SiteEarnings {
  const inputs = buildInputs(clicks, earned);
  const sum = (name: keyof EarnedClicks) => inputs.reduce((all, input) => all + input[name], 0);
  const money = { amount: sum('amount'), squares: sum('squares'), undecided: sum('undecided') };
  const mature = { matureClicks: sum('matureClicks'), clicksError: sum('clicksError') };
  return {
    ...{ clicks: sum('clicks'), ...mature, conversions: sum('conversions'), ...money },
    isCurveKnown: curve !== null,
  };
}

/** Ranks clicks by what they have earned; each key of `clicks` once. */
export function rankMatureClicks(
  clicks: readonly MatureClicks[],
  earned: ReadonlyMap<string, EarnedSum>,
  site: SiteEarnings,
): Ranking['rows'] {
  const inputs = buildInputs(clicks, earned);
  const known = new Map(inputs.map((input) => [input.key, input]));
  return rankByEarnings(inputs, site).map((ranked) => {
    const { clicks: count = 0, conversions = 0 } = known.get(ranked.key) ?? {};
    return { ...ranked, clicks: count, conversions };
  });
}

/** Joins clicks with what they have earned; money may have come from clicks that are not counted. */
export function buildInputs(clicks: readonly MatureClicks[], earned: ReadonlyMap<string, EarnedSum>) {
  const known = new Map(clicks.map((counted) => [counted.key, counted]));
  const keys = [...known.keys(), ...[...earned.keys()].filter((key) => !known.has(key))];
  return keys.map((key) => ({ ...NO_CLICKS, ...known.get(key), ...(earned.get(key) ?? NOTHING), key }));
}

export const NOTHING: EarnedSum = { conversions: 0, amount: 0, squares: 0, undecided: 0 };
const NO_CLICKS = { clicks: 0, matureClicks: 0, clicksError: 0 };

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
