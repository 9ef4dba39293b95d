import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import { findDifferences, type LedgerDifference } from '../../core/commissions/find-differences.ts';
import type { ListedCommission } from '../../core/commissions/listed-commission.ts';
import { getMatchRate } from '../../core/commissions/metric-definitions.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { buildCommissionRow, type CommissionRow } from '../commissions/commissions-model.ts';
import type { ListPage } from '../figures/list-page.ts';

/** A click that an unmatched commission may belong to. The operator decides. */
export interface ClickSuggestion {
  readonly clickId: string;
  /** ms since 1970. */
  readonly clickedAt: number;
  readonly page: string;
  readonly placement: string;
  /** `text`: a text of the message names it. `time`: the only click to the partner near the time that was reported. */
  readonly basis: 'text' | 'time';
}

/** A commission that waits for a decision. */
export interface UnmatchedItem {
  readonly row: CommissionRow;
  /** The sub-id that was reported; empty without one. */
  readonly token: string;
  readonly suggestion: ClickSuggestion | null;
}

/** A decision of an operator that applies and can be undone. */
export interface DecidedItem {
  readonly row: CommissionRow;
  readonly action: 'assign' | 'dismiss';
  readonly decidedAt: number;
}

/** How much of the money of a currency found its click. Amounts in minor units. */
export interface MatchSummary {
  readonly currency: string;
  readonly unmatched: number;
  /** From 0 to 1; null without any amount. */
  readonly matchRate: number | null;
}

/** A page of the commissions that wait, and what was decided. */
export interface UnmatchedModel extends Omit<ListPage<UnmatchedItem>, 'rows'> {
  readonly items: readonly UnmatchedItem[];
  readonly summaries: readonly MatchSummary[];
  /** Newest first. */
  readonly decided: readonly DecidedItem[];
  /** Commissions whose sources disagree; at most `MAX_DIFFERENCES`. */
  readonly differences: readonly LedgerDifference[];
  readonly canDecide: boolean;
  readonly formToken: string;
  readonly now: number;
}

const MAX_DIFFERENCES = 50;

/** The commissions that wait for a decision: without a click, not dismissed and no test message; newest first. */
export const listWaiting = memoizeByKey((entries: readonly LedgerEntry[]): readonly LedgerEntry[] =>
  entries
    .filter(
      ({ journey, commission, reason }) =>
        journey === null && !commission.isDismissed && reason !== 'test-message',
    )
    .sort((one, other) => other.commission.eventTime - one.commission.eventTime),
);

/** The share of the money whose click is known, by currency; the largest unmatched amount first. */
export function summarizeMatches(entries: readonly LedgerEntry[]): MatchSummary[] {
  const sums = new Map<string, { matched: number; unmatched: number }>();
  for (const { commission, journey, isCounted } of entries) {
    if (!isCounted) continue;
    const sum = sums.get(commission.currency) ?? { matched: 0, unmatched: 0 };
    sums.set(commission.currency, sum);
    sum[journey === null ? 'unmatched' : 'matched'] += commission.amount;
  }
  return [...sums]
    .map(([currency, { matched, unmatched }]) => ({
      currency,
      unmatched,
      matchRate: getMatchRate(matched, unmatched),
    }))
    .sort((one, other) => other.unmatched - one.unmatched);
}

/** What a list of commissions was compared with last, and the result. */
const getCompared = memoizeByKey((_entries: readonly LedgerEntry[]) => ({
  listed: '',
  differences: null as readonly LedgerDifference[] | null,
}));

/** The first differences between sources; `listed` are the networks' own lists. */
export function listDifferences(
  entries: readonly LedgerEntry[],
  listed: readonly ListedCommission[],
): readonly LedgerDifference[] {
  const compared = getCompared(entries);
  const text = JSON.stringify(listed);
  if (compared.differences === null || compared.listed !== text) {
    compared.differences = findDifferences(entries, listed).slice(0, MAX_DIFFERENCES);
    compared.listed = text;
  }
  return compared.differences;
}

/** Builds the row of a waiting commission. */
export function buildUnmatchedItem(entry: LedgerEntry, suggestion: ClickSuggestion | null): UnmatchedItem {
  return { row: buildCommissionRow(entry), token: entry.commission.token, suggestion };
}
