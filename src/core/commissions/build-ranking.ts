import type { ReportedCommission } from './commission-report.ts';
import { buildCampaignName } from './credit.ts';
import { buildMaturityCurve, type ClickCohort, getMatureShare, type MaturityCurve } from './maturity.ts';
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
  /** ms since 1970. */
  readonly now: number;
  /** What is known from more commissions than those that are ranked; estimated from these when left out. */
  readonly curve?: MaturityCurve | null;
}

/** A ranking, with what is known of how long commissions take to arrive. */
export interface Ranking {
  /** Null while there are too few conversions to know it: every click counts in full then. */
  readonly curve: MaturityCurve | null;
  readonly rows: readonly (Ranked & { readonly clicks: number; readonly conversions: number })[];
}

const WEEK_MS = 7 * 86_400_000;
/** With fewer conversions there is no curve. */
const MIN_CONVERSIONS_FOR_CURVE = 5;
/** Recurring programs pay for a year; what comes later is not waited for. */
const HORIZON_WEEKS = 52;

/**
 * Ranks pages, placements, campaigns or partners by what a click earns there, so that few conversions do not win by
 * chance (see `ranking.ts`) and young clicks, whose commissions are still to come, are not ranked too low: each click
 * counts by the share of its commissions that has usually arrived (Chapelle, "Modeling Delayed Feedback in Display
 * Advertising", KDD 2014).
 */
export function buildRanking(request: RankingRequest): Ranking {
  const { by, currency, commissions, clicks, now } = request;
  const matched = commissions.filter(
    ({ commission, journey }) => journey !== null && commission.currency === currency,
  );
  const curve = request.curve === undefined ? buildClickCurve(matched, now) : request.curve;
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
    const share = curve === null ? 1 : getMatureShare(curve, now - week - WEEK_MS / 2);
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
  return { curve, rows };
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

/**
 * Builds the maturity curve over the weeks of the clicks; what a commission is worth now counts from the week in which
 * it arose. Null with fewer than five conversions.
 */
export function buildClickCurve(matched: readonly ReportedCommission[], now: number): MaturityCurve | null {
  if (matched.filter(({ commission }) => commission.amount > 0).length < MIN_CONVERSIONS_FOR_CURVE)
    return null;
  const cohorts = new Map<number, number[]>();
  for (const { commission, journey } of matched) {
    const clickTime = journey?.clickTime ?? commission.eventTime;
    const week = Math.floor(clickTime / WEEK_MS) * WEEK_MS;
    const weeks = Math.floor((now - week) / WEEK_MS) + 1;
    const amounts = cohorts.get(week) ?? Array.from({ length: Math.max(1, weeks) }, () => 0);
    cohorts.set(week, amounts);
    const age = Math.min(
      amounts.length - 1,
      Math.max(0, Math.floor((commission.eventTime - week) / WEEK_MS)),
    );
    amounts[age] = (amounts[age] ?? 0) + commission.amount;
  }
  return buildMaturityCurve([...cohorts].map(buildCohort), HORIZON_WEEKS);
}

function buildCohort([week, amounts]: readonly [number, readonly number[]]): ClickCohort {
  let sum = 0;
  const cumulative = amounts.map((amount) => {
    sum += amount;
    return sum;
  });
  return { week, cumulative };
}
