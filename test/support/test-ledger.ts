import { randomUUID } from 'node:crypto';
import { readShippedNetworks } from '../../src/content-files/networks.ts';
import type { MessageFields } from '../../src/core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../../src/core/commissions/ledger/commission-terms.ts';
import { CommissionLedger } from '../../src/server/commissions/ledger.ts';
import { parseSentMessage } from '../../src/server/commissions/unread-messages.ts';
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

/** What reading a network needs of a site. `now`: ms since 1970. */
export const createSyncSite = (
  commissions: CommissionLedger,
  ledger: LedgerOptions['store'],
  now: () => number,
) => ({
  clock: { now, monotonic: now },
  money: {
    commissions,
    ledger,
    parseMessage: (fields: MessageFields, terms: CommissionTerms) =>
      parseSentMessage(fields, terms, readShippedNetworks(), now()),
  },
});

/** Reads every commission with its messages, however many have arrived. */
export async function readEntries({ fold, table }: CommissionLedger) {
  await fold.foldMarked();
  return table.readWhole({});
}
