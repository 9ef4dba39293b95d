import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { buildCommissionKey, type CommissionId } from '../../core/commissions/ledger/commission-fact.ts';
import {
  type CommissionSource,
  CommissionSourceError,
  type MessageFields,
  type ParsedMessage,
  type RefusedRecord,
  type SourceReport,
} from '../../core/commissions/ledger/commission-source.ts';
import {
  type CommissionTerms,
  DEFAULT_TERMS,
  type Network,
} from '../../core/commissions/ledger/commission-terms.ts';
import { findReportProblem, roundId } from '../../core/commissions/ledger/message-fields.ts';
import { type ListedCommission, listedSchema } from '../../core/commissions/ledger/stored-money.schema.ts';
import type { Networks } from '../../core/commissions/networks/network.schema.ts';
import type { Content } from '../../core/pages/content.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { createApiSource, isConnected } from '../../sources/networks/network-api.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import type { ReportState } from './csv-import.ts';
import type { CommissionLedger } from './ledger.ts';
import type { NetworkSecrets } from './secrets.ts';
import { askAboutId, keepRecords, parseMappedRecords } from './unread-messages.ts';

/**
 * Creates the interfaces whose secrets are set, by network; that of a file which does not get them says why when it is read.
 * A test may have their hosts on this machine.
 */
export function createCommissionSources(
  networks: Networks,
  { TEST_HOSTS }: Settings,
  { clock, httpGet }: { readonly clock: Platform['clock']; readonly httpGet: Platform['httpGet'] },
  secrets: NetworkSecrets,
): ReadonlyMap<Network, CommissionSource> {
  const wait = (ms: number) => sleep(ms);
  const options = { get: httpGet, clock, sleep: wait, testHosts: TEST_HOSTS };
  return new Map(
    [...networks].flatMap(([name, file]) => {
      if (!isConnected(file, secrets.find)) return [];
      const findSecret = secrets.findFor(name, file);
      if (typeof findSecret === 'string') return [[name, createRefusedSource(findSecret)] as const];
      return [[name, createApiSource(file, { ...options, findSecret })] as const];
    }),
  );
}

const createRefusedSource = (problem: string): CommissionSource => ({
  readPages() {
    throw new CommissionSourceError('unauthorized', problem);
  },
});

const syncLogSchema = z.strictObject({
  /** When the run ended; ms since 1970. */
  at: z.int(),
  /** `busy`: another process is reading the same network. */
  state: z.enum(['done', 'busy', 'failed']),
  /** Reports that were new or had changed. */
  stored: z.int(),
  matched: z.int(),
  /** Why it failed, could not be compared with the network's own list, or left records to wait; empty otherwise. */
  problem: z.string(),
});

/** The key of a network's last run among the values that the ledger remembers. */
export const buildSyncLogKey = (network: Network) => `sync-log ${network}`;

/** What reading a network needs of a site: the command has little more. */
interface LedgerSite {
  readonly clock: Clock;
  readonly money: {
    readonly commissions: CommissionLedger;
    readonly ledger: Ledger;
    readonly parseMessage: (fields: MessageFields, terms: CommissionTerms) => ParsedMessage;
  };
}

/** What reading every network needs of a site. */
interface SyncSite extends LedgerSite {
  readonly newId: () => string;
  readonly money: LedgerSite['money'] & {
    readonly commissionSources: ReadonlyMap<Network, CommissionSource>;
  };
  readonly content: { readonly read: () => { readonly partners: Content['partners'] } };
}

/** The terms of the partners whose programs a network runs, by partner. */
type Partners = ReadonlyMap<string, CommissionTerms>;

/**
 * Reads every network whose API is set up, one after the other, and stores what became of each run. Rejects with
 * `LedgerError`.
 */
export async function syncNetworks(site: SyncSite): Promise<readonly SyncResult[]> {
  const { money, clock, newId } = site;
  const { commissions, commissionSources, ledger } = money;
  const content = site.content.read();
  await commissions.rematch();
  const holder = newId();
  const results: SyncResult[] = [];
  for (const [network, source] of commissionSources) {
    const partners = new Map(
      [...content.partners].flatMap(([key, { terms }]) => (terms.network === network ? [[key, terms]] : [])),
    );
    if (partners.size === 0) continue;
    const result = await syncNetwork(site, network, partners, source, holder);
    results.push(result);
    const { state, stored, matched, problem } = result;
    // Another process that reads the network stores its own run.
    if (state === 'busy') continue;
    const entry: z.output<typeof syncLogSchema> = { at: clock.now(), state, stored, matched, problem };
    await ledger.writeState(buildSyncLogKey(network), JSON.stringify(entry));
  }
  return results;
}

/** Between two readings of the networks. */
const SYNC_MS = 6 * 3_600_000;
/** Sites that start together must not read a network together. */
const JITTER = 0.2;

/** After the start, when the site has other things to do. */
const FIRST_RUN_MS = 60_000;

/**
 * Creates the job that reads the networks every six hours, up to a fifth earlier or later. Without timers
 * it reads them when that is due, once there is a ledger.
 */
export function createSyncJob(site: Site): PeriodicJob {
  const { platform, log } = site;
  const run = async () => {
    if (!platform.hasTimers && !(await isSyncDue(site))) return;
    await site.money.secrets.readConfirmed(site.content.read().networks);
    for (const { state, problem, ...counts } of await syncNetworks(site)) {
      if (state === 'failed') log.warn('commissions could not be read', { ...counts, problem });
      else if (counts.stored > 0) log.info('commissions were read', counts);
    }
  };
  const spread = (ms: number) => ms * (1 - JITTER + 2 * JITTER * Math.random());
  const interval = () => spread(SYNC_MS);
  return new PeriodicJob(log, 'commissions could not be recorded', run, interval, spread(FIRST_RUN_MS));
}

async function isSyncDue(site: Site): Promise<boolean> {
  if (!site.money.ledger.exists()) return false;
  const rows = await readSyncRows(site);
  return rows.some(({ nextAt }) => nextAt === null || nextAt <= site.clock.now());
}

const readLastRun = async (ledger: Ledger, network: Network) =>
  syncLogSchema.safeParse(parseJson((await ledger.readState(buildSyncLogKey(network))) ?? '')).data ?? null;

/** Reads the last run of each network whose API is read. Rejects with `LedgerError`. */
export async function readSyncRows({ money, content }: Site) {
  const { partners, networks } = content.read();
  return Promise.all(
    [...money.commissionSources.keys()].map(async (network) => {
      const last = await readLastRun(money.ledger, network);
      const own = [...partners.values()].filter(({ terms }) => terms.network === network);
      return {
        network,
        title: networks.get(network)?.title ?? network,
        partners: own.map(({ name }) => name),
        last,
        /** About when it runs next; ms since 1970, null before the first run. */
        nextAt: last === null ? null : last.at + SYNC_MS,
      };
    }),
  );
}

/** What a run has read. */
export type SyncResult = Omit<z.output<typeof syncLogSchema>, 'at'> & { readonly network: Network };

/** Short, so that a process that was killed does not keep others from reading; prolonged while a run goes on. */
const LEASE_MS = 3_000;
const PROLONG_MS = 1_000;

/**
 * Reads a network and records what is new or has changed, page by page: an interrupted run goes on where it stopped.
 * Never rejects for a network that fails; rejects with `LedgerError`. `partners`: at least one. `holder`: names this
 * process among those that may run at the same time.
 */
export async function syncNetwork(
  site: LedgerSite,
  network: Network,
  partners: Partners,
  source: CommissionSource,
  holder: string,
): Promise<SyncResult> {
  const { ledger } = site.money;
  const { now } = site.clock;
  const result: SyncResult = { network, state: 'done', stored: 0, matched: 0, problem: '' };
  const lost: string[] = [];
  let waiting = new Map<string, string>();
  const lease = `sync ${network}`;
  const prolong = () => ledger.takeLease(lease, { holder, now: now(), until: now() + LEASE_MS });
  if (!(await prolong())) return { ...result, state: 'busy' };
  const timer = setInterval(() => void prolong().catch(() => false), PROLONG_MS);
  const cursorKey = `sync-cursor ${network}`;
  try {
    const known = await readKnownCommissions(ledger, partners);
    const cursor = (await ledger.readState(cursorKey)) || null;
    const terms = mergeTerms([...partners.values()]);
    for await (const page of source.readPages({ cursor, terms, now: now(), openSince: known.openSince })) {
      const reports = [...page.reports];
      const unread: RefusedRecord[] = [];
      for (const [partner, records] of groupByPartner(page.refused ?? [], partners)) {
        const mapped = await parseMappedRecords(
          site,
          partner,
          records,
          partners.get(partner) ?? DEFAULT_TERMS,
        );
        reports.push(...mapped.reports);
        unread.push(...mapped.refused);
      }
      const outcome = await recordPage(site, reports, known, partners);
      result.stored += outcome.stored;
      result.matched += outcome.matched;
      for (const [partner, records] of groupByPartner([...unread, ...outcome.refused], partners)) {
        const { kept, lost: left } = await keepRecords(ledger, records, { partner, arrivedAt: now() });
        waiting = new Map([...waiting, ...kept]);
        lost.push(...left);
      }
      // The cursor is that of the process that reads the network now.
      if (!(await prolong())) return { ...result, state: 'busy' };
      await ledger.writeState(cursorKey, page.cursor ?? '');
    }
    if (lost.length > 0) return { ...result, state: 'failed', problem: lost.slice(0, 3).join('. ') };
    const [first] = waiting.values();
    const problem = await readList(site, network, partners, source);
    return {
      ...result,
      problem:
        problem ||
        (first === undefined ? '' : `${waiting.size} of its records could not be counted yet: ${first}`),
    };
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    // A cursor that the network no longer accepts must not stop every later run.
    if (error.code === 'invalid-response') await ledger.writeState(cursorKey, '');
    return { ...result, state: 'failed', problem: error.message };
  } finally {
    clearInterval(timer);
    await ledger.takeLease(lease, { holder, now: now(), until: now() }).catch(() => false);
  }
}

/** Reads the network's own list, where there is one. Returns why it could not be read: the reports are stored. */
async function readList(
  { money: { ledger }, clock }: LedgerSite,
  network: Network,
  partners: Partners,
  source: CommissionSource,
): Promise<string> {
  if (source.readList === undefined) return '';
  const terms = mergeTerms([...partners.values()]);
  try {
    const records = await source.readList({ terms, now: clock.now() });
    const listed = records.map((record) => ({
      ...record.listed,
      partner: findProgram(record.strings, partners) ?? [...partners.keys()][0] ?? '',
    }));
    await writeListedCommissions(ledger, network, listed);
    return '';
  } catch (error) {
    if (!(error instanceof CommissionSourceError)) throw error;
    return `The list of commissions was not compared: ${error.message}`;
  }
}

const buildListKey = (network: Network) => `listed ${network}`;

/** Reads the networks' own lists, as they were read last. Rejects with `LedgerError`. */
export async function readListedCommissions(
  store: Ledger,
  networks: Networks,
): Promise<readonly ListedCommission[]> {
  const listing = [...networks].filter(([, file]) => file.interface?.compare !== undefined);
  const texts = await Promise.all(listing.map(([network]) => store.readState(buildListKey(network))));
  return texts.flatMap((text) => z.array(listedSchema).safeParse(parseJson(text)).data ?? []);
}

/** Replaces the list of a network. Rejects with `LedgerError`. */
export const writeListedCommissions = (
  store: Ledger,
  network: Network,
  listed: readonly ListedCommission[],
): Promise<void> => store.writeState(buildListKey(network), JSON.stringify(listed));

/** The terms of an account that runs several programs. */
function mergeTerms(all: readonly CommissionTerms[]): CommissionTerms {
  const statuses = Object.assign({}, ...all.map((terms) => terms.statuses));
  return { ...(all[0] ?? DEFAULT_TERMS), statuses, recurring: all.some(({ recurring }) => recurring) };
}

const groupByPartner = (records: readonly RefusedRecord[], partners: Partners) =>
  Map.groupBy(records, ({ strings }) => findProgram(strings, partners) ?? [...partners.keys()][0] ?? '');

/** Records the reports of a page. `refused`: those that cannot count as they are, with the reason. */
async function recordPage(
  { money: { commissions }, clock }: LedgerSite,
  page: readonly SourceReport[],
  known: KnownCommissions,
  partners: Partners,
) {
  // The API of the operator's own account may book corrections as it likes.
  const findProblem = ({ reported }: SourceReport) => findReportProblem({ ...reported, kind: 'adjustment' });
  const reports = page.filter((report) => findProblem(report) === null);
  const refuse = ({ record = {}, strings }: SourceReport, problem: string) => ({ record, strings, problem });
  const refused = page
    .map((report) => refuse(report, findProblem(report) ?? ''))
    .filter(({ problem }) => problem !== '');
  const { clickPartners } = await commissions.matchClicks(reports);
  const groups = Map.groupBy(
    reports.map((report, index) => ({
      report,
      partner: findPartner(report, known, clickPartners[index], partners),
    })),
    ({ partner }) => partner,
  );
  const result = { stored: 0, matched: 0, refused };
  for (const [partner, group] of groups) {
    const terms = partners.get(partner) ?? DEFAULT_TERMS;
    const sent = group.map(({ report }) => report);
    const { settled, open } = await commissions.settleIds({ partner, terms, reports: sent });
    refused.push(...open.map((report) => refuse(report, askAboutId(report))));
    const changed = selectChanged(settled, known, { partner, account: terms.account, now: clock.now() });
    if (changed.length === 0) continue;
    const outcome = await commissions.record({ partner, terms, source: 'api', reports: changed });
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
  partners: Partners,
): string {
  const { nativeId } = reported;
  const recorded = known.partners.get(nativeId) ?? known.partners.get(roundId(nativeId));
  if (recorded !== undefined) return recorded;
  const found =
    findProgram(strings, partners) ?? (clickPartner && partners.has(clickPartner) ? clickPartner : undefined);
  const partner = found ?? [...partners.keys()][0] ?? '';
  known.partners.set(nativeId, partner);
  return partner;
}

function findProgram(strings: readonly string[], partners: Partners): string | undefined {
  return [...partners].find(([, { program }]) => program !== '' && strings.includes(program))?.[0];
}

/** What the ledger has of the commissions of a network. */
type KnownCommissions = Awaited<ReturnType<typeof readKnownCommissions>>;

/**
 * Reads the partner of each native id, what the API reported last by commission, and when the oldest one was made that
 * the API has called open. Totals of a click are open for ever, and do not count there.
 */
async function readKnownCommissions(ledger: Ledger, partners: Partners) {
  const known = { partners: new Map<string, string>(), states: new Map<string, ReportState>() };
  const open = new Map<string, number>();
  for (const partner of partners.keys()) {
    for (const fact of await ledger.readFacts({ partner })) {
      known.partners.set(fact.nativeId, fact.partner);
      if (fact.source !== 'api') continue;
      const key = buildCommissionKey(fact);
      known.states.set(key, fact);
      if (fact.status === 'pending' && !fact.nativeId.startsWith('sub:')) open.set(key, fact.eventTime);
      else open.delete(key);
    }
  }
  const openSince = [...open.values()].reduce<number | null>(
    (first, time) => Math.min(first ?? time, time),
    null,
  );
  return { ...known, openSince };
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
    const { status, amount, currency, nativeId } = reported;
    const isSame =
      last === undefined
        ? amount === 0 && nativeId.startsWith('sub:')
        : last.status === status && last.amount === amount && last.currency === currency;
    if (isSame) return [];
    states.set(key, reported);
    return [{ reported: { ...reported, changeTime: now }, strings }];
  });
}
