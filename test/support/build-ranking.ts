import { WEEK_MS } from '../../src/core/clock.ts';
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
  type RankingDimension,
} from '../../src/core/commissions/ranges/build-ranking.ts';
import {
  buildSummedCurve,
  type ClickSum,
  type MaturityCurve,
  PREDICTED_WEEKS,
} from '../../src/core/commissions/ranges/maturity.ts';
import { buildSourceName, UNKNOWN_SOURCE } from '../../src/core/events/visit-source.ts';

// Sums from single commissions, as the database has to.

/** What a commission is expected to come to, in minor units: a pending one by how often such are approved. */
export type GetAmount = (reported: ReportedCommission) => number;

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

/** Sums commissions by themselves; those without a click are left out. */
const listClickSums = (commissions: readonly ReportedCommission[]) =>
  commissions.flatMap((reported): ClickSum[] => {
    const { commission, journey } = reported;
    if (journey === null) return [];
    const week = Math.floor(journey.clickTime / WEEK_MS) * WEEK_MS;
    const amount = getBookedAmount(commission);
    return [{ week, booked: commission.eventTime, amount, conversions: isConversion(reported) ? 1 : 0 }];
  });

/** As `buildSummedCurve`, of single commissions, with how much customers differ. */
export function buildClickCurve(
  commissions: readonly ReportedCommission[],
  { now }: { readonly now: number },
): MaturityCurve | null {
  const curve = buildSummedCurve(listClickSums(commissions), { now });
  return curve && { ...curve, spread: buildSpread(commissions, now) };
}

/** Customers whose clicks are older than 26 weeks, as they were at each age before. */
function buildSpread(commissions: readonly ReportedCommission[], now: number): MaturityCurve['spread'] {
  const customers = new Map<string, number[]>();
  for (const { commission, journey } of commissions) {
    if (journey === null || now - journey.clickTime < PREDICTED_WEEKS * WEEK_MS) continue;
    const parts = customers.get(journey.clickId) ?? Array.from({ length: PREDICTED_WEEKS + 1 }, () => 0);
    customers.set(journey.clickId, parts);
    const age = Math.max(0, Math.ceil((commission.eventTime - journey.clickTime) / WEEK_MS));
    if (age < parts.length) parts[age] = (parts[age] ?? 0) + getBookedAmount(commission);
  }
  const sums = Array.from({ length: PREDICTED_WEEKS + 1 }, () => ({ seen: 0, later: 0 }));
  let total = 0;
  for (const parts of customers.values()) {
    let [seen, later] = [0, parts.reduce((sum, part) => sum + part, 0)];
    total += later;
    for (const [age, sum] of sums.entries()) {
      seen += parts[age] ?? 0;
      later -= parts[age] ?? 0;
      sum.seen += seen * seen;
      sum.later += later * later;
    }
  }
  if (customers.size < 20 || total <= 0) return [];
  return sums.map(({ seen, later }) => ({ seen: seen / total, later: later / total }));
}
