import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { buildCommissionReport, type ReportOptions } from '../../core/commissions/commission-report.ts';
import {
  getApprovalRate,
  getEpc,
  getMatchRate,
  type MoneyTotals,
} from '../../core/commissions/metric-definitions.ts';

/** Share of the decided money of each partner that was approved; a partner without decisions has none. */
export type ApprovalRates = ReadonlyMap<string, number>;

/** Money of a period in one currency; amounts in minor units. */
export interface PeriodMoney extends MoneyTotals {
  /** Approved, and pending by the approval rate of its partner. */
  readonly expected: number;
  readonly conversions: number;
  /** What clicks have earned: money without a click was not earned by one that was counted. */
  readonly matched: MoneyTotals;
  /** Share of the money whose click is known. */
  readonly matchRate: number | null;
  /** Money without a known click, approved and pending. */
  readonly unmatched: number;
  readonly unmatchedCount: number;
}

/** Figures of a period in one currency. */
export interface PeriodFigures extends Omit<PeriodMoney, 'matched'> {
  /** Null where clicks cannot be counted for the filters. */
  readonly clicks: number | null;
  readonly epc: number | null;
}

/** Reads every commission that counts, whatever its time. */
const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER, timeZone: 'UTC', answerField: '' } as const;

/** Builds a report without clicks over commissions that were selected before. */
export function buildMoneyReport(
  entries: readonly LedgerEntry[],
  by: ReportOptions['by'] = 'partner',
  model: ReportOptions['model'] = 'clickPage',
) {
  return buildCommissionReport(entries, new Map(), { ...EVER, by, model, clock: 'booking' });
}

/** Computes the historic approval rate of every partner in a currency. */
export function buildApprovalRates(entries: readonly LedgerEntry[], currency: string): ApprovalRates {
  const counted = entries.filter(
    ({ isCounted, commission }) => isCounted && commission.currency === currency,
  );
  const byPartner = Map.groupBy(counted, ({ commission }) => commission.partner);
  return new Map(
    [...byPartner].flatMap(([partner, own]) => {
      const { total } = buildMoneyReport(own);
      const rate = getApprovalRate(total.currencies[currency] ?? NOTHING);
      return rate === null ? [] : [[partner, rate] as const];
    }),
  );
}

const NOTHING = { approved: 0, pending: 0, reversed: 0 };

/** What a commission adds to the expected money. Pending money of a partner without decisions counts in full. */
export function getExpectedAmount(
  { commission }: Pick<LedgerEntry, 'commission'>,
  rates: ApprovalRates,
): number {
  const { status, amount, partner } = commission;
  if (status === 'approved' || status === 'paid') return amount;
  return status === 'pending' ? amount * (rates.get(partner) ?? 1) : 0;
}

/** Sums commissions that were selected for a period and count, in one currency. */
export function buildPeriodMoney(
  entries: readonly LedgerEntry[],
  currency: string,
  rates: ApprovalRates,
): PeriodMoney {
  const { total, unmatched } = buildMoneyReport(entries);
  const { approved, pending, reversed } = total.currencies[currency] ?? NOTHING;
  const missing = unmatched.currencies[currency] ?? NOTHING;
  const unmatchedAmount = missing.approved + missing.pending;
  return {
    approved,
    pending,
    reversed,
    expected: Math.round(entries.reduce((sum, entry) => sum + getExpectedAmount(entry, rates), 0)),
    conversions: total.conversions,
    matched: {
      approved: approved - missing.approved,
      pending: pending - missing.pending,
      reversed: reversed - missing.reversed,
    },
    matchRate: getMatchRate(approved + pending - unmatchedAmount, unmatchedAmount),
    unmatched: unmatchedAmount,
    unmatchedCount: entries.filter(({ journey }) => journey === null).length,
  };
}

/** Builds the figures of a period; `clicks` is null where they cannot be counted for the filters. */
export function buildPeriodFigures({ matched, ...money }: PeriodMoney, clicks: number | null): PeriodFigures {
  return { ...money, clicks, epc: clicks === null ? null : getEpc(matched, clicks) };
}
