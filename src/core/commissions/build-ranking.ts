import type { ReportedCommission } from './commission-report.ts';
import { buildCampaignName } from './credit.ts';
import { getMatureShare, type MaturityCurve } from './maturity.ts';
import { buildClickCurve, buildPartnerMaturity, type PartnerMaturity } from './partner-maturity.ts';
import { type Ranked, type RankingInput, rankByEarnings } from './ranking.ts';

/** What can be ranked. */
export const RANKING_DIMENSIONS = ['page', 'placement', 'campaign', 'partner'] as const;
export type RankingDimension = (typeof RANKING_DIMENSIONS)[number];

/** Counted clicks of one key in the week that begins at a time (ms since 1970). */
export interface WeeklyClicks {
  readonly key: string;
  readonly week: number;
  readonly clicks: number;
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

const WEEK_MS = 7 * 86_400_000;

/**
 * Ranks pages, placements, campaigns or partners by what a click earns there, so that few conversions do not win by
 * chance (see `ranking.ts`) and young clicks, whose commissions are still to come, are not ranked too low: each click
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
  const inputs = new Map<string, RankingInput & { clicks: number }>();
  const add = (key: string, change: Omit<RankingInput, 'key'> & { readonly clicks: number }) => {
    const { matureClicks, conversions, amount, clicks: all } = inputs.get(key) ?? EMPTY;
    inputs.set(key, {
      key,
      matureClicks: matureClicks + change.matureClicks,
      conversions: conversions + change.conversions,
      amount: amount + change.amount,
      clicks: all + change.clicks,
    });
  };
  for (const { key, week, clicks: count } of clicks) {
    // A click of the week is half a week younger than its beginning on average.
    const known = (by === 'partner' ? maturities.get(key)?.curve : undefined) ?? curve;
    const share = known === null ? 1 : getMatureShare(known, now - week - WEEK_MS / 2);
    add(key, { matureClicks: count * share, conversions: 0, amount: 0, clicks: count });
  }
  for (const entry of matched) {
    const { amount } = entry.commission;
    add(buildKey(entry, by), { matureClicks: 0, conversions: amount > 0 ? 1 : 0, amount, clicks: 0 });
  }
  const rows = rankByEarnings([...inputs.values()]).map((ranked) => {
    const { clicks: count, conversions } = inputs.get(ranked.key) ?? EMPTY;
    return { ...ranked, clicks: count, conversions };
  });
  return { curve, maturities, rows };
}

const EMPTY = { matureClicks: 0, conversions: 0, amount: 0, clicks: 0 };

function buildKey({ commission, journey }: ReportedCommission, by: RankingDimension): string {
  switch (by) {
    case 'page':
      return journey?.page ?? '';
    case 'placement':
      return `${journey?.page} ${journey?.placement || '(none)'}`;
    case 'campaign':
      return buildCampaignName(journey?.touches.at(-1)?.campaign ?? {});
    case 'partner':
      return commission.partner;
  }
}
