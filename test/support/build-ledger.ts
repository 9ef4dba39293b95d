import type { FrozenJourney } from '../../src/core/commissions/credit/credit.ts';
import {
  buildLedgerEntry,
  dropCoveredTotals,
  type EntryContext,
  groupByCommission,
  type LedgerEntry,
  markLaterPayments,
} from '../../src/core/commissions/ledger/build-ledger.ts';
import type { CommissionDecision, StoredFact } from '../../src/core/commissions/ledger/commission-fact.ts';

/** Builds every commission at once, as the ledger's snapshot does step by step. */
export function buildLedger(content: {
  readonly facts: readonly StoredFact[];
  readonly decisions: readonly CommissionDecision[];
  readonly journeys: readonly FrozenJourney[];
  readonly terms: EntryContext['terms'];
  readonly firstEventTime: number | null;
}): LedgerEntry[] {
  const journeys = new Map(content.journeys.map((journey) => [journey.clickId, journey]));
  const decisions = groupByCommission(content.decisions);
  const entries = [...groupByCommission(content.facts)].map(([key, facts]) =>
    buildLedgerEntry(facts, decisions.get(key), { ...content, journeys }),
  );
  return [...markLaterPayments(dropCoveredTotals(entries))];
}
