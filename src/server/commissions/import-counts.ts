import { z } from 'zod';
import { buildCommissionKey, type ReportedFact } from '../../core/commissions/commission-fact.ts';
import type { SourceReport } from '../../core/commissions/commission-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import { foldCommission } from '../../core/commissions/fold-commission.ts';

const count = z.number().int().nonnegative();

/** What rows bring, compared with what the ledger had before the import. Sums in minor units by currency. */
export const importCountsSchema = z.object({
  rows: count,
  matched: count,
  unmatched: count,
  new: count,
  changed: count,
  unchanged: count,
  /** Of the amounts that are not reversed. */
  sums: z.record(z.string(), z.number().int()),
});
export type ImportCounts = Readonly<z.output<typeof importCountsSchema>>;

export const NO_ROWS: ImportCounts = {
  rows: 0,
  matched: 0,
  unmatched: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  sums: {},
};

/** The state of each commission that the ledger has of an account, by its key. */
export type KnownStates = ReadonlyMap<string, string>;

/** Reads what the ledger has of a partner. */
export async function readKnownStates(
  store: Pick<CommissionStore, 'readFacts'>,
  partner: string,
): Promise<KnownStates> {
  const facts = Map.groupBy(await store.readFacts({ partner }), buildCommissionKey);
  return new Map([...facts].map(([key, group]) => [key, buildState(foldCommission(group))]));
}

/** Adds rows to the counts. `matched`: how many of them name a known click. */
export function addToCounts(
  counts: ImportCounts,
  reports: readonly SourceReport[],
  {
    known,
    partner,
    account,
    matched,
  }: {
    readonly known: KnownStates;
    readonly partner: string;
    readonly account: string;
    readonly matched: number;
  },
): ImportCounts {
  const states = { new: 0, changed: 0, unchanged: 0 };
  const sums: Record<string, number> = { ...counts.sums };
  for (const { reported } of reports) {
    const state = known.get(buildCommissionKey({ partner, account, nativeId: reported.nativeId }));
    states[state === undefined ? 'new' : state === buildState(reported) ? 'unchanged' : 'changed'] += 1;
    const amount = reported.status === 'reversed' ? 0 : reported.amount;
    sums[reported.currency] = (sums[reported.currency] ?? 0) + amount;
  }
  return {
    rows: counts.rows + reports.length,
    matched: counts.matched + matched,
    unmatched: counts.unmatched + reports.length - matched,
    new: counts.new + states.new,
    changed: counts.changed + states.changed,
    unchanged: counts.unchanged + states.unchanged,
    sums,
  };
}

function buildState({
  status,
  amount,
  currency,
}: Pick<ReportedFact, 'status' | 'amount' | 'currency'>): string {
  return `${status} ${status === 'reversed' ? 0 : amount} ${currency}`;
}
