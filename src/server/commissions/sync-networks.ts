import {
  buildCommissionKey,
  type CommissionId,
  type ReportedFact,
  type StoredFact,
} from '../../core/commissions/commission-fact.ts';
import {
  type CommissionSource,
  CommissionSourceError,
  type SourceReport,
} from '../../core/commissions/commission-source.ts';
import {
  type CommissionTerms,
  DEFAULT_TERMS,
  type Network,
} from '../../core/commissions/commission-terms.ts';
import { buildSyncLogKey, parseSyncLog, type SyncLogEntry } from '../../core/commissions/sync-log.schema.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';
import type { CommissionLedger } from './ledger.ts';
import { writeListedCommissions } from './listed-commissions.ts';

export interface SyncNetworksOptions extends Omit<SyncOptions, 'network' | 'partners' | 'source'> {
  readonly sources: ReadonlyMap<Network, CommissionSource>;
  /** By partner. */
  readonly terms: ReadonlyMap<string, CommissionTerms>;
}

/** Reads one network after the other and stores what became of each run. Rejects with `LedgerError`. */
export async function syncNetworks(options: SyncNetworksOptions): Promise<readonly SyncResult[]> {
  const { sources, terms, ...rest } = options;
  const results: SyncResult[] = [];
  for (const [network, source] of sources) {
    const partners = new Map([...terms].filter(([, own]) => own.network === network));
    if (partners.size === 0) continue;
    const result = await syncNetwork({ ...rest, network, partners, source });
    results.push(result);
    const { state, stored, matched, problem } = result;
    // Another process that reads the network stores its own run.
    if (state === 'busy') continue;
    const entry: SyncLogEntry = { at: rest.now(), state, stored, matched, problem };
    await rest.store.writeState(buildSyncLogKey(network), JSON.stringify(entry));
  }
  return results;
}

/** Logs what became of a run. */
function logSyncResults(results: readonly SyncResult[], log: Pick<Log, 'info' | 'warn'>): void {
  for (const { state, problem, ...counts } of results) {
    if (state === 'failed') log.warn('commissions could not be read', { ...counts, problem });
    else if (counts.stored > 0) log.info('commissions were read', counts);
  }
}

const HOUR_MS = 3_600_000;
/** Sites that start together must not read a network together. */
const JITTER = 0.2;

/** After the start, when the site has other things to do. */
const FIRST_RUN_MS = 60_000;

/** Reads every network whose API is set up now. Rejects with `LedgerError`. */
export async function runSync(site: Site): Promise<readonly SyncResult[]> {
  const { commissions, commissionSources: sources, terms, ledger, clock, newId } = site;
  await commissions.rematch();
  return syncNetworks({
    sources,
    terms,
    ledger: commissions,
    store: ledger,
    now: clock.now,
    holder: newId(),
  });
}

/**
 * Creates the job that reads the networks every COMMISSION_SYNC_HOURS, up to a fifth earlier or later. Without timers
 * it reads them when that is due, once there is a ledger.
 */
export function createSyncJob(site: Site): PeriodicJob {
  const { settings, platform, log } = site;
  const run = async () => {
    if (platform.hasTimers || (await isSyncDue(site))) logSyncResults(await runSync(site), log);
  };
  const spread = (ms: number) => ms * (1 - JITTER + 2 * JITTER * Math.random());
  const interval = () => spread(settings.COMMISSION_SYNC_HOURS * HOUR_MS);
  return new PeriodicJob(log, 'commissions could not be recorded', run, interval, spread(FIRST_RUN_MS));
}

async function isSyncDue(site: Site): Promise<boolean> {
  if (!site.ledger.exists()) return false;
  const rows = await readSyncRows(site);
  return rows.some(({ nextAt }) => nextAt === null || nextAt <= site.clock.now());
}

/** What the last run of a network's API brought. */
export interface SyncRow {
  readonly network: string;
  /** Names of its partners. */
  readonly partners: readonly string[];
  readonly last: SyncLogEntry | null;
  /** About when it runs next; ms since 1970, null when it does not run by itself. */
  readonly nextAt: number | null;
}

/** Reads the last run of each network whose API is read. Rejects with `LedgerError`. */
export async function readSyncRows(site: Site): Promise<readonly SyncRow[]> {
  const syncMs = site.settings.COMMISSION_SYNC_HOURS * HOUR_MS;
  return Promise.all(
    [...site.commissionSources.keys()].map(async (network) => {
      const last = parseSyncLog(parseJson((await site.ledger.readState(buildSyncLogKey(network))) ?? ''));
      return {
        network,
        partners: [...site.content.partners.values()]
          .filter(({ terms }) => terms.network === network)
          .map(({ name }) => name),
        last,
        nextAt: last === null || syncMs === 0 ? null : last.at + syncMs,
      };
    }),
  );
}

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
  readonly store: Ledger;
  readonly now: () => number;
  /** Names this process among those that may run at the same time. */
  readonly holder: string;
}

/** Short, so that a process that was killed does not keep others from reading; prolonged while a run goes on. */
const LEASE_MS = 3_000;
const PROLONG_MS = 1_000;

/**
 * Reads a network and records what is new or has changed, page by page: an interrupted run goes on where it stopped.
 * Never rejects for a network that fails; rejects with `LedgerError`.
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

function findProgram(strings: readonly string[], partners: SyncOptions['partners']): string | undefined {
  return [...partners].find(([, { program }]) => program !== '' && strings.includes(program))?.[0];
}

type State = Pick<ReportedFact, 'status' | 'amount' | 'currency'>;

/** What the ledger has of the commissions of a network. */
export interface KnownCommissions {
  /** Partner by native id. */
  readonly partners: Map<string, string>;
  /** What the API reported last, by commission. */
  readonly states: Map<string, State>;
}

async function readKnownCommissions(
  store: Pick<Ledger, 'readFacts'>,
  partners: Iterable<string>,
): Promise<KnownCommissions> {
  const known: KnownCommissions = { partners: new Map(), states: new Map() };
  for (const partner of partners) {
    for (const fact of await store.readFacts({ partner })) addFact(known, fact);
  }
  return known;
}

function addFact({ partners, states }: KnownCommissions, fact: StoredFact): void {
  partners.set(fact.nativeId, fact.partner);
  if (fact.source === 'api') states.set(buildCommissionKey(fact), fact);
}

/**
 * Selects the reports that say something new. One without a change time is the state of now: it is stored when it
 * differs from the last one, with the time of this run, so that a commission can return to an earlier state.
 */
function selectChanged(
  reports: readonly SourceReport[],
  { states }: KnownCommissions,
  { partner, account, now }: Omit<CommissionId, 'nativeId'> & { readonly now: number },
): SourceReport[] {
  return reports.flatMap(({ reported, strings }) => {
    if (reported.changeTime !== null) return [{ reported, strings }];
    const key = buildCommissionKey({ partner, account, nativeId: reported.nativeId });
    const last = states.get(key);
    const isSame =
      last === undefined
        ? reported.amount === 0 && reported.nativeId.startsWith('sub:')
        : isSameState(last, reported);
    if (isSame) return [];
    states.set(key, reported);
    return [{ reported: { ...reported, changeTime: now }, strings }];
  });
}

function isSameState(one: State, other: State): boolean {
  return one.status === other.status && one.amount === other.amount && one.currency === other.currency;
}
