import {
  type CommissionSource,
  CommissionSourceError,
  type SourceReport,
} from '../../core/commissions/commission-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import {
  type CommissionTerms,
  DEFAULT_TERMS,
  type Network,
} from '../../core/commissions/commission-terms.ts';
import { type KnownCommissions, readKnownCommissions, selectChanged } from './known-commissions.ts';
import type { CommissionLedger } from './ledger.ts';
import { writeListedCommissions } from './listed-commissions.ts';

/** What a run has read. `busy`: another process is reading the same network. */
export interface SyncResult {
  readonly network: Network;
  readonly state: 'done' | 'busy' | 'failed';
  /** Reports that are new or have changed. */
  readonly stored: number;
  readonly matched: number;
  /** Why it failed, or why it could not be compared with the network's own list; empty otherwise. */
  readonly problem: string;
}

export interface SyncOptions {
  readonly network: Network;
  /** The terms of the partners whose programs the network runs; at least one. */
  readonly partners: ReadonlyMap<string, CommissionTerms>;
  readonly source: CommissionSource;
  readonly ledger: Pick<CommissionLedger, 'record' | 'matchClicks'>;
  readonly store: CommissionStore;
  readonly now: () => number;
  /** Names this process among those that may run at the same time. */
  readonly holder: string;
}

/** Short, so that a process that was killed does not keep others from reading; prolonged while a run goes on. */
const LEASE_MS = 3_000;
const PROLONG_MS = 1_000;

/**
 * Reads a network and records what is new or has changed, page by page: an interrupted run goes on where it stopped.
 * Never rejects for a network that fails; rejects with `CommissionStoreError`.
 */
export async function syncNetwork(options: SyncOptions): Promise<SyncResult> {
  const { network, source, store, now, holder } = options;
  const result = { network, state: 'done' as SyncResult['state'], stored: 0, matched: 0, problem: '' };
  const lease = `sync ${network}`;
  const prolong = () => store.takeLease(lease, { holder, now: now(), until: now() + LEASE_MS });
  if (!(await prolong())) return { ...result, state: 'busy' };
  const timer = setInterval(() => void prolong().catch(() => false), PROLONG_MS);
  const cursorKey = `sync-cursor ${network}`;
  try {
    const known = await readKnownCommissions(store, options.partners.keys());
    const cursor = (await store.readState(cursorKey)) || null;
    const terms = mergeTerms([...options.partners.values()]);
    for await (const page of source.readPages({ cursor, terms, now: now() })) {
      const outcome = await recordPage(page.reports, known, options);
      result.stored += outcome.stored;
      result.matched += outcome.matched;
      await store.writeState(cursorKey, page.cursor ?? '');
      if (!(await prolong())) return { ...result, state: 'busy' };
    }
    return { ...result, problem: await readList(options) };
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    // A cursor that the network no longer accepts must not stop every later run.
    if (error.code === 'invalid-response') await store.writeState(cursorKey, '');
    return { ...result, state: 'failed', problem: error.message };
  } finally {
    clearInterval(timer);
    await store.takeLease(lease, { holder, now: now(), until: now() }).catch(() => false);
  }
}

/** Reads the network's own list, where there is one. Returns why it could not be read: the reports are stored. */
async function readList({ network, source, partners, store, now }: SyncOptions): Promise<string> {
  if (source.readList === undefined) return '';
  const terms = mergeTerms([...partners.values()]);
  try {
    const records = await source.readList({ terms, now: now() });
    const listed = records.map((record) => ({
      ...record.listed,
      partner: findProgram(record.strings, partners) ?? [...partners.keys()][0] ?? '',
    }));
    await writeListedCommissions(store, network, listed);
    return '';
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return `The list of commissions was not compared: ${error.message}`;
  }
}

/** The terms of an account that runs several programs. */
function mergeTerms(all: readonly CommissionTerms[]): CommissionTerms {
  const statuses = Object.assign({}, ...all.map((terms) => terms.statuses));
  return { ...(all[0] ?? DEFAULT_TERMS), statuses, recurring: all.some(({ recurring }) => recurring) };
}

async function recordPage(
  reports: readonly SourceReport[],
  known: KnownCommissions,
  options: SyncOptions,
): Promise<{ readonly stored: number; readonly matched: number }> {
  const { ledger, partners } = options;
  const { clickPartners } = await ledger.matchClicks(reports);
  const groups = Map.groupBy(
    reports.map((report, index) => ({
      report,
      partner: findPartner(report, known, clickPartners[index], options),
    })),
    ({ partner }) => partner,
  );
  const result = { stored: 0, matched: 0 };
  for (const [partner, group] of groups) {
    const terms = partners.get(partner) ?? DEFAULT_TERMS;
    const changed = selectChanged(
      group.map(({ report }) => report),
      known,
      { partner, account: terms.account, now: options.now() },
    );
    if (changed.length === 0) continue;
    const outcome = await ledger.record({ partner, terms, source: 'api', reports: changed });
    result.stored += outcome.stored;
    result.matched += outcome.matched;
  }
  return result;
}

/**
 * The partner that a report belongs to: the one that it was recorded for before, that of its program, that of its
 * click, else the first one of the network.
 */
function findPartner(
  { reported, strings }: SourceReport,
  known: KnownCommissions,
  clickPartner: string | null | undefined,
  { partners }: SyncOptions,
): string {
  const recorded = known.partners.get(reported.nativeId);
  if (recorded !== undefined) return recorded;
  const found =
    findProgram(strings, partners) ?? (clickPartner && partners.has(clickPartner) ? clickPartner : undefined);
  const partner = found ?? [...partners.keys()][0] ?? '';
  known.partners.set(reported.nativeId, partner);
  return partner;
}

/** The partner whose program is named. */
function findProgram(strings: readonly string[], partners: SyncOptions['partners']): string | undefined {
  return [...partners].find(([, { program }]) => program !== '' && strings.includes(program))?.[0];
}
