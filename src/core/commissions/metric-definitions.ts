import metrics from './metrics.json' with { type: 'json' };

/** Every metric by key, for a reader who sees it for the first time; the documentation has the same table. */
export const METRICS: Readonly<
  Record<keyof typeof metrics, Record<'name' | 'meaning' | 'formula' | 'example', string>>
> = metrics;

/** Money of some commissions of one currency by their status, in minor units; no amount is in two of them. */
export interface MoneyTotals {
  /** Confirmed by the network and not paid yet. */
  readonly approved: number;
  readonly paid: number;
  readonly pending: number;
  /** What reversed commissions were worth before. */
  readonly reversed: number;
}

/** No money of any status. */
export const NO_MONEY: MoneyTotals = { approved: 0, paid: 0, pending: 0, reversed: 0 };

/** What the network has confirmed, in minor units: approved and paid. */
const getEarned = ({ approved, paid }: MoneyTotals) => approved + paid;

/** What was reported and not taken back, in minor units: approved, paid and pending. */
export const getBooked = ({ approved, paid, pending }: Omit<MoneyTotals, 'reversed'>) =>
  approved + paid + pending;

/** Earnings per click in minor units; null without clicks. */
export function getEpc(money: MoneyTotals, clicks: number): number | null {
  return clicks === 0 ? null : getBooked(money) / clicks;
}

/** Share of the decided amount that was approved or paid, from 0 to 1; null while nothing is decided. */
export function getApprovalRate(money: MoneyTotals): number | null {
  const earned = getEarned(money);
  const decided = earned + money.reversed;
  return decided <= 0 ? null : Math.min(1, Math.max(0, earned / decided));
}

/** Share of the amount whose click is known, from 0 to 1; null without any amount. */
export function getMatchRate(matched: number, unmatched: number): number | null {
  const all = Math.abs(matched) + Math.abs(unmatched);
  return all === 0 ? null : Math.abs(matched) / all;
}
