import { isTotal, type LedgerEntry } from './build-ledger.ts';
import { foldCommission } from './fold-commission.ts';

/** A commission whose sources disagree, or a total per click that differs from its commissions. */
export interface LedgerDifference {
  readonly partner: string;
  readonly id: string;
  readonly currency: string;
  /** What counts, in minor units. */
  readonly counted: number;
  /** What the other source reports, in minor units. */
  readonly reported: number;
}

/** Lists where reports that do not count differ from what counts. */
export function findDifferences(entries: readonly LedgerEntry[]): LedgerDifference[] {
  return entries.flatMap((entry) => {
    const { commission, facts } = entry;
    const { partner, nativeId: id, currency } = commission;
    if (commission.isTest || commission.isDismissed) return [];
    const counted = isTotal(entry) ? sumOfClick(entries, entry) : entry.isCounted ? commission.amount : 0;
    const reported = isTotal(entry) ? sumOfTotals(entries, entry) : foldCommission(facts).amount;
    const isFirst =
      !isTotal(entry) || entries.find((other) => isSameClick(other, entry) && isTotal(other)) === entry;
    return counted === reported || (isTotal(entry) && entry.isCounted) || !isFirst
      ? []
      : [{ partner, id, currency, counted, reported }];
  });
}

function isSameClick({ commission: one }: LedgerEntry, { commission: other }: LedgerEntry): boolean {
  return one.partner === other.partner && one.clickId === other.clickId && one.currency === other.currency;
}

function sumOfClick(entries: readonly LedgerEntry[], total: LedgerEntry): number {
  return entries
    .filter((entry) => isSameClick(entry, total) && !isTotal(entry) && entry.isCounted)
    .reduce((sum, { commission }) => sum + commission.amount, 0);
}

function sumOfTotals(entries: readonly LedgerEntry[], total: LedgerEntry): number {
  return entries
    .filter((entry) => isSameClick(entry, total) && isTotal(entry))
    .reduce((sum, { commission }) => sum + commission.amount, 0);
}
