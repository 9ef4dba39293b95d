import { buildCommissionKey, type ReportedFact } from '../../core/commissions/commission-fact.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import { foldCommission } from '../../core/commissions/fold-commission.ts';
import type { IncomingReport } from './ledger.ts';

/** Counts rows against what the ledger had before the import. */
export async function createImportCounts(
  store: Pick<CommissionStore, 'readFacts'>,
  partner: string,
  account: string,
) {
  const facts = Map.groupBy(await store.readFacts({ partner }), buildCommissionKey);
  const known = new Map([...facts].map(([key, group]) => [key, buildState(foldCommission(group))]));
  const counts = { rows: 0, matched: 0, unmatched: 0, new: 0, changed: 0, unchanged: 0 };
  const sums: Record<string, number> = {};
  return {
    add(reports: readonly IncomingReport[], matched: number) {
      counts.rows += reports.length;
      counts.matched += matched;
      counts.unmatched += reports.length - matched;
      for (const { reported } of reports) {
        const state = known.get(buildCommissionKey({ partner, account, nativeId: reported.nativeId }));
        counts[state === undefined ? 'new' : state === buildState(reported) ? 'unchanged' : 'changed'] += 1;
        const amount = reported.status === 'reversed' ? 0 : reported.amount;
        sums[reported.currency] = (sums[reported.currency] ?? 0) + amount;
      }
    },
    read: () => ({ ...counts, sums }),
  };
}

function buildState({
  status,
  amount,
  currency,
}: Pick<ReportedFact, 'status' | 'amount' | 'currency'>): string {
  return `${status} ${status === 'reversed' ? 0 : amount} ${currency}`;
}
