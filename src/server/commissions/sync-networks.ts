import type { CommissionSource } from '../../core/commissions/commission-source.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import { buildSyncLogKey, type SyncLogEntry } from '../../core/commissions/sync-log.schema.ts';
import type { Log } from '../log.ts';
import { type SyncOptions, type SyncResult, syncNetwork } from './sync-network.ts';

export interface SyncNetworksOptions extends Omit<SyncOptions, 'network' | 'partners' | 'source'> {
  readonly sources: ReadonlyMap<Network, CommissionSource>;
  /** By partner. */
  readonly terms: ReadonlyMap<string, CommissionTerms>;
}

/** Reads one network after the other and stores what became of each run. Rejects with `CommissionStoreError`. */
export async function syncNetworks(options: SyncNetworksOptions): Promise<readonly SyncResult[]> {
  const { sources, terms, ...rest } = options;
  const results: SyncResult[] = [];
  for (const [network, source] of sources) {
    const partners = new Map([...terms].filter(([, own]) => own.network === network));
    if (partners.size === 0) continue;
    const result = await syncNetwork({ ...rest, network, partners, source });
    results.push(result);
    // Another process that reads the network stores its own run.
    if (result.state !== 'busy') await writeSyncLog(result, rest);
  }
  return results;
}

async function writeSyncLog(
  { network, state, stored, matched, problem }: SyncResult,
  { store, now }: Pick<SyncNetworksOptions, 'store' | 'now'>,
): Promise<void> {
  const entry: SyncLogEntry = { at: now(), state, stored, matched, problem };
  await store.writeState(buildSyncLogKey(network), JSON.stringify(entry));
}

/** Logs what became of a run. */
export function logSyncResults(results: readonly SyncResult[], log: Pick<Log, 'info' | 'warn'>): void {
  for (const { state, problem, ...counts } of results) {
    if (state === 'failed') log.warn('commissions could not be read', { ...counts, problem });
    else if (counts.stored > 0) log.info('commissions were read', counts);
  }
}

const HOUR_MS = 3_600_000;
/** Sites that start together must not read a network together. */
const JITTER = 0.2;

/** Runs now and then every `hours`, up to a fifth earlier or later, until the returned function is called. */
export function startSyncSchedule(options: {
  readonly run: () => Promise<readonly SyncResult[]>;
  readonly hours: number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
}): () => void {
  const { run, hours, random, log } = options;
  let timer: NodeJS.Timeout;
  const schedule = (ms: number) => {
    timer = setTimeout(tick, ms * (1 - JITTER + 2 * JITTER * random()));
    timer.unref();
  };
  const tick = () => {
    run()
      .then(
        (results) => logSyncResults(results, log),
        (error: unknown) => log.warn('commissions could not be recorded', { error }),
      )
      .finally(() => schedule(hours * HOUR_MS));
  };
  schedule(FIRST_RUN_MS);
  return () => clearTimeout(timer);
}

/** After the start, when the site has other things to do. */
const FIRST_RUN_MS = 60_000;
