import type { LedgerEntry } from '../commissions/build-ledger.ts';
import { buildCommissionReport, type ReportOptions } from '../commissions/commission-report.ts';
import { getApprovalRate, getEpc, getMatchRate, type MoneyTotals } from '../commissions/metric-formulas.ts';

/** Share of the decided money of each partner that was approved; a partner without decisions has none. */
export type ApprovalRates = ReadonlyMap<string, number>;

/** Figures of a period in one currency; amounts in minor units. */
export interface PeriodFigures extends MoneyTotals {
  /** Approved, and pending by the approval rate of its partner. */
  readonly expected: number;
  /** Null where clicks cannot be counted for the filters. */
  readonly clicks: number | null;
  readonly conversions: number;
  readonly epc: number | null;
  /** Share of the money whose click is known. */
  readonly matchRate: number | null;
  /** Money without a known click, approved and pending. */
  readonly unmatched: number;
  readonly unmatchedCount: number;
}

/** Reads every commission that counts, whatever its time. */
const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER, timeZone: 'UTC', answerField: '' } as const;

/** Options for a report over commissions that were selected before. */
export function buildReportOptions(by: ReportOptions['by'], model: ReportOptions['model']): ReportOptions {
  return { ...EVER, by, model, clock: 'booking' };
}

/** Computes the historic approval rate of every partner in a currency. */
export function buildApprovalRates(entries: readonly LedgerEntry[], currency: string): ApprovalRates {
  const counted = entries.filter(
    ({ isCounted, commission }) => isCounted && commission.currency === currency,
  );
  const byPartner = Map.groupBy(counted, ({ commission }) => commission.partner);
  return new Map(
    [...byPartner].flatMap(([partner, own]) => {
      const { total } = buildCommissionReport(own, new Map(), buildReportOptions('partner', 'clickPage'));
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

/** Computes the figures of commissions that were selected for a period and count, in one currency. */
export function buildPeriodFigures(
  entries: readonly LedgerEntry[],
  clicks: number | null,
  currency: string,
  rates: ApprovalRates,
): PeriodFigures {
  const { total, unmatched } = buildCommissionReport(
    entries,
    new Map(),
    buildReportOptions('partner', 'clickPage'),
  );
  const { approved, pending, reversed } = total.currencies[currency] ?? NOTHING;
  const missing = unmatched.currencies[currency] ?? NOTHING;
  const unmatchedAmount = missing.approved + missing.pending;
  const matched = approved + pending - unmatchedAmount;
  const money = { approved, pending, reversed };
  return {
    ...money,
    expected: Math.round(entries.reduce((sum, entry) => sum + getExpectedAmount(entry, rates), 0)),
    clicks,
    conversions: total.conversions,
    epc: clicks === null ? null : getEpc(subtractMissing(money, missing), clicks),
    matchRate: getMatchRate(matched, unmatchedAmount),
    unmatched: unmatchedAmount,
    unmatchedCount: entries.filter(({ journey }) => journey === null).length,
  };
}

/** Money without a click was not earned by one that was counted. */
function subtractMissing(money: MoneyTotals, missing: MoneyTotals): MoneyTotals {
  return {
    approved: money.approved - missing.approved,
    pending: money.pending - missing.pending,
    reversed: money.reversed - missing.reversed,
  };
}
