/** Money of some commissions of one currency, in minor units. */
export interface MoneyTotals {
  readonly approved: number;
  readonly pending: number;
  readonly reversed: number;
}

/** Earnings per click in minor units; null without clicks. */
export function getEpc({ approved, pending }: MoneyTotals, clicks: number): number | null {
  return clicks === 0 ? null : (approved + pending) / clicks;
}

/** Revenue per 1,000 page views in minor units; null without views. */
export function getRpm({ approved, pending }: MoneyTotals, views: number): number | null {
  return views === 0 ? null : ((approved + pending) * 1_000) / views;
}

/** Share of the decided amount that was approved, from 0 to 1; null while nothing is decided. */
export function getApprovalRate({ approved, reversed }: MoneyTotals): number | null {
  const decided = approved + reversed;
  return decided <= 0 ? null : Math.min(1, Math.max(0, approved / decided));
}

/** Share of the amount whose click is known, from 0 to 1; null without any amount. */
export function getMatchRate(matched: number, unmatched: number): number | null {
  const all = Math.abs(matched) + Math.abs(unmatched);
  return all === 0 ? null : Math.abs(matched) / all;
}
