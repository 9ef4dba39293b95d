import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { ShareRange } from '../../core/commissions/maturity.ts';
import { getApprovalRate } from '../../core/commissions/metric-definitions.ts';
import { type CommissionSum, sumCommissions } from '../commissions/commissions-model.ts';

/** How long something takes, in ms: half of the cases take at most `median`, nine of ten at most `p90`. */
export interface Durations {
  readonly median: number;
  readonly p90: number;
  readonly count: number;
}

/** How a partner's program does. Rates are from 0 to 1 and null while nothing can be said. */
export interface PartnerRow {
  readonly key: string;
  readonly name: string;
  readonly network: string;
  readonly clicks: number;
  /** Matched commissions that are not reversed, of the period. */
  readonly conversions: number;
  readonly conversionRate: number | null;
  /** By amount, in the currency with the most commissions. */
  readonly approvalRate: number | null;
  readonly sums: readonly CommissionSum[];
  /** From the click to the first commission. */
  readonly timeToConvert: Durations | null;
  /** From the booking to the approval. */
  readonly timeToApprove: Durations | null;
  /** When the newest message arrived, of all time; ms since 1970, null without any. */
  readonly lastMessageAt: number | null;
  /** When its network's API is read next; ms since 1970, null when it is not read. */
  readonly nextSyncAt: number | null;
}

/** The share of the final commission that has usually arrived, by age of the click in weeks. */
export interface MaturityModel {
  readonly partner: string;
  readonly name: string;
  readonly shares: readonly number[];
  /** The 80% interval of each share. */
  readonly ranges: readonly ShareRange[];
  /** Conversions of the partner itself. */
  readonly conversions: number;
  /** Whether it rests on the conversions of all partners, because there are too few of its own. */
  readonly isPooled: boolean;
}

export interface PartnersModel {
  readonly rows: readonly PartnerRow[];
  /** One for each partner with enough conversions. */
  readonly curves: readonly MaturityModel[];
  readonly now: number;
}

/** The median and the 90th percentile (nearest rank) of durations in ms; null without any. */
export function buildDurations(values: readonly number[]): Durations | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p90: at(0.9), count: sorted.length };
}

/** Builds a partner's row from its commissions of the period; `all` are its commissions of all time. */
export function buildPartnerRow(
  partner: Pick<PartnerRow, 'key' | 'name' | 'network' | 'clicks' | 'nextSyncAt'>,
  entries: readonly LedgerEntry[],
  all: readonly LedgerEntry[],
): PartnerRow {
  const counted = entries.filter(({ isCounted }) => isCounted);
  const matched = counted.filter(({ journey, commission }) => journey !== null && commission.amount !== 0);
  const sums = sumCommissions(counted);
  return {
    ...partner,
    conversions: matched.length,
    conversionRate: partner.clicks === 0 ? null : matched.length / partner.clicks,
    approvalRate: sums[0] === undefined ? null : getApprovalRate(sums[0]),
    sums,
    timeToConvert: buildDurations(listConversionTimes(counted)),
    timeToApprove: buildDurations(listApprovalTimes(counted)),
    lastMessageAt: all.reduce<number | null>(
      (newest, { facts }) => facts.reduce((time, { arrivedAt }) => Math.max(time ?? 0, arrivedAt), newest),
      null,
    ),
  };
}

/** From each click to its first commission; a recurring commission does not convert again. */
function listConversionTimes(entries: readonly LedgerEntry[]): number[] {
  const first = new Map<string, number>();
  for (const { commission, journey } of entries) {
    if (journey === null) continue;
    const time = Math.max(0, commission.eventTime - journey.clickTime);
    first.set(journey.clickId, Math.min(time, first.get(journey.clickId) ?? time));
  }
  return [...first.values()];
}

/** From the booking of each commission to its first approval; those that were approved at once are left out. */
function listApprovalTimes(entries: readonly LedgerEntry[]): number[] {
  return entries.flatMap(({ commission, facts }) => {
    const wasPending = facts.some(({ status }) => status === 'pending');
    const times = facts
      .filter(({ status }) => status === 'approved' || status === 'paid')
      .map(({ changeTime }) => changeTime);
    if (!wasPending || times.length === 0) return [];
    return [Math.max(0, Math.min(...times) - commission.eventTime)];
  });
}
