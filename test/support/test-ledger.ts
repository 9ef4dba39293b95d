import { randomUUID } from 'node:crypto';
import { CommissionLedger } from '../../src/server/commissions/ledger.ts';
import { NO_LOG } from './no-log.ts';

type LedgerOptions = ConstructorParameters<typeof CommissionLedger>[0];

/** Creates a ledger over a store and its clicks, without terms and log, with the time of the machine. */
export function createTestLedger(
  options: Pick<LedgerOptions, 'store' | 'clicks'> & Partial<LedgerOptions>,
): CommissionLedger {
  const time = { now: Date.now, newId: randomUUID };
  const terms = new Map();
  const defaults = { readTerms: () => terms, ownHosts: ['site.test'], log: NO_LOG, ...time };
  return new CommissionLedger({ ...defaults, ...options });
}

/** Reads every commission with its messages, however many have arrived. */
export async function readEntries({ fold, table }: CommissionLedger) {
  await fold.foldMarked();
  return table.readWhole({});
}
