import { buildPlacementKey } from '../../src/core/commissions/credit/build-click-key.ts';
import {
  getBookedAmount,
  isConversion,
  type ReportedCommission,
} from '../../src/core/commissions/credit/commission-report.ts';
import { buildLastCampaignName, type FrozenJourney } from '../../src/core/commissions/credit/credit.ts';
import type { Commission } from '../../src/core/commissions/ledger/fold-commission.ts';
import {
  type EarnedSum,
  NOTHING,
  type Ranking,
  type RankingDimension,
  rankMatureClicks,
  sumSite,
  type WeeklyClicks,
  weighWeek,
} from '../../src/core/commissions/ranges/build-ranking.ts';
import {
  buildClickCurve,
  buildPartnerMaturity,
  listClickSums,
  type MaturityCurve,
} from '../../src/core/commissions/ranges/maturity.ts';
import { buildSourceName, UNKNOWN_SOURCE } from '../../src/core/events/visit-source.ts';

// Ranks from single commissions, as the sums of the database have to.

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
