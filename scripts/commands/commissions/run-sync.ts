import { randomUUID } from 'node:crypto';
import { createCommissionSources, NETWORK_APIS } from '../../../src/server/commissions/commission-sources.ts';
import { type SyncResult, syncNetworks } from '../../../src/server/commissions/sync-networks.ts';
import { guardedGet } from '../../../src/sources/http/guarded-http.ts';
import { formatTable } from '../arguments/format-table.ts';
import type { OpenedLedger } from './open-ledger.ts';

/** Reads every network whose credentials are set, or that of one partner. Throws when no network has credentials. */
export async function runSyncCommand(
  { config, partners, ledger, store }: OpenedLedger,
  partner: string | undefined,
): Promise<readonly SyncResult[]> {
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const chosen = partner === undefined ? undefined : partners.get(partner);
  if (partner !== undefined && chosen === undefined) throw new Error(`There is no partner "${partner}".`);
  const all = [...createCommissionSources(config, { clock, httpGet: guardedGet })];
  const sources = new Map(all.filter(([network]) => !chosen || chosen.terms.network === network));
  if (sources.size === 0) {
    const needed = Object.values(NETWORK_APIS).map(({ credentials }) => credentials.join(' and '));
    throw new Error(`No network to read: set ${needed.join(', or ')}.`);
  }
  await ledger.rematch();
  const terms = new Map([...partners].map(([key, { terms: own }]) => [key, own]));
  return syncNetworks({ sources, terms, ledger, store, now: Date.now, holder: randomUUID() });
}

/** Formats the results for a terminal. */
export function formatSync(results: readonly SyncResult[]): string {
  const rows = results.map(({ network, state, stored, matched, problem }) => [
    network,
    state,
    String(stored),
    String(matched),
    problem,
  ]);
  return formatTable(['network', 'state', 'stored', 'matched', 'problem'], rows);
}
