import { randomUUID } from 'node:crypto';
import { readSyncRows } from '../../console/import/read.ts';
import type { AnalyticsOutbox } from '../../core/commissions/build-analytics-messages.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import type { Content } from '../../core/pages/content.ts';
import { POSTBACK_PATTERN } from '../../core/paths.ts';
import { createGoogleAnalyticsSender } from '../../sources/http/google-analytics.ts';
import { parseNetworkMessage } from '../../sources/networks/network-messages.ts';
import { type ClickSource, SqlClickSource } from '../../stores/clicks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Route } from '../http/route.ts';
import { createLimiter } from '../limiters.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import { AnalyticsReporter } from './analytics-reporter.ts';
import { createCommissionSources } from './commission-sources.ts';
import { CommissionLedger } from './ledger.ts';
import { createMessageRetention } from './message-retention.ts';
import {
  createPostbackHandler,
  createPostbackKey,
  createPostbackTest,
  createPostbackTokens,
  POSTBACK_KEY,
  type PostbackTokens,
} from './postbacks.ts';
import { logSyncResults, type SyncResult, startSyncSchedule, syncNetworks } from './sync-networks.ts';

/** A network sends from few addresses, and much at once when it sends again what was refused. */
const MESSAGES = { perSecond: 2_000, burst: 20_000, maxAddresses: 10_000 };
const GUESSES = { perSecond: 1, burst: 30, maxAddresses: 50_000 };

/** The ways in which networks report, for the console. */
export interface CommissionIntake {
  /** Null while no postback address was ever created. */
  readTokens(): Promise<PostbackTokens | null>;
  createTokens(): Promise<void>;
  /** Sends a test message to the postback address of a partner, inside the process. */
  sendTest(partner: string): Promise<{ readonly isStored: boolean; readonly response: string }>;
  /** Networks whose API is read. */
  readonly networks: readonly Network[];
  /** Reads the networks now; null without any. */
  readonly runSync: (() => Promise<readonly SyncResult[]>) | null;
}

/** The ledger of commissions in the process of the site. */
export interface Commissions {
  readonly intake: CommissionIntake;
  readonly routes: readonly Route[];
  /** The clicks and sessions that commissions are matched with. */
  readonly clicks: ClickSource;
  /** How each partner's program works, by partner. */
  readonly terms: ReadonlyMap<string, CommissionTerms>;
  /**
   * Every commission with its journey, folded once and cached: the same list while nothing has changed. Empty while
   * there is no ledger. Rejects with `LedgerError`.
   */
  readEntries(): Promise<readonly LedgerEntry[]>;
  /** The ledger; null before it is created. */
  getLedger(): OpenedLedger | null;
  /** The ledger; creates it when it is missing. */
  createLedger(): OpenedLedger;
  /** What is wrong with the ledger, for operators. It does not concern visitors. */
  readWarnings(): readonly string[];
  /** Reads networks that are due, reports to analytics and removes old messages. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops what runs in the background and closes the ledger. */
  close(): Promise<void>;
}

interface CommissionsOptions {
  readonly settings: Settings;
  readonly content: Pick<Content, 'partners'>;
  /** Reads the events' database. */
  readonly events: Pick<SqlExecutor, 'query'>;
  /** The time by which stored messages are removed; null: none is. */
  readonly readTrustedTime: () => Promise<number | null>;
  readonly platform: Pick<
    Platform,
    'clock' | 'httpGet' | 'ledger' | 'hasTimers' | 'sharesWork' | 'shareLimiter'
  >;
  /** false: another thread of the process does the work in the background. */
  readonly runsJobs: boolean;
  readonly log: Log;
}

/**
 * Creates the ledger's routes and background work. A site without a ledger opens none: `commissions -- postback-url`
 * creates it. Never throws: a damaged ledger shows in the warnings and the log.
 */
export function createCommissions(options: CommissionsOptions): Commissions {
  const { settings, content, readTrustedTime, platform, runsJobs, log } = options;
  const { clock, hasTimers } = platform;
  const { partners } = content;
  const clicks = new SqlClickSource(options.events);
  const terms = new Map([...partners].map(([key, partner]) => [key, partner.terms]));
  const lazy = new LazyLedger({ settings, clicks, terms, readTrustedTime, platform, runsJobs, log });
  const readTokens = () => lazy.readTokens();
  const secrets = settings.WEBHOOK_SECRETS;
  const handle = createPostbackHandler({
    ...{ partners, readTokens, secrets },
    getLedger: () => lazy.getOrCreate().ledger,
    parseMessage: parseNetworkMessage,
    limiter: createRateLimiter({ ...MESSAGES, now: clock.monotonic }),
    guessLimiter: createLimiter(platform, 'guesses', GUESSES),
  });
  const sync = createSync(options, terms, lazy);
  if (hasTimers) lazy.find();
  return {
    intake: {
      readTokens,
      async createTokens() {
        await lazy.getOrCreate().store.createState(POSTBACK_KEY, createPostbackKey());
      },
      sendTest: createPostbackTest({ handle, readTokens, secrets, newId: randomUUID }),
      networks: sync.networks,
      runSync: sync.networks.length === 0 ? null : sync.run,
    },
    routes: [{ method: 'GET, POST', path: POSTBACK_PATTERN, handle }],
    clicks,
    terms,
    readEntries: async () => (await lazy.find()?.ledger.readEntries()) ?? [],
    getLedger: () => lazy.find(),
    createLedger: () => lazy.getOrCreate(),
    readWarnings: () => lazy.readWarnings(),
    async runDueJobs() {
      const opened = lazy.find();
      if (opened === null) return;
      await sync.runDue().catch((error: unknown) => {
        log.warn('commissions could not be recorded', { error });
      });
      for (const job of opened.jobs) await job.run();
    },
    async close() {
      sync.stop();
      await lazy.close();
    },
  };
}

/** Creates what reads the networks' APIs, and starts its schedule. */
function createSync(
  { settings, content: { partners }, platform, runsJobs, log }: CommissionsOptions,
  terms: Commissions['terms'],
  lazy: LazyLedger,
) {
  const { clock, hasTimers } = platform;
  const sources = createCommissionSources(settings, platform);
  const networks = [...sources.keys()];
  const { COMMISSION_SYNC_HOURS: syncHours } = settings;
  const isScheduled = sources.size > 0 && syncHours > 0;
  const run = async () => {
    const { store, ledger } = lazy.getOrCreate();
    await ledger.rematch();
    return syncNetworks({ sources, terms, ledger, store, now: clock.now, holder: randomUUID() });
  };
  const runDue = async () => {
    if (!isScheduled) return;
    const rows = await readSyncRows(lazy.find()?.store ?? null, { networks, syncHours, partners });
    const isDue = rows.some(({ nextAt }) => nextAt === null || nextAt <= clock.now());
    if (isDue) logSyncResults(await run(), log);
  };
  const stop =
    isScheduled && hasTimers && runsJobs
      ? startSyncSchedule({ run, hours: syncHours, random: Math.random, log })
      : () => undefined;
  return { networks, run, runDue, stop };
}

/** A ledger that is open for reading and writing. */
export interface OpenedLedger {
  readonly store: Ledger;
  readonly ledger: CommissionLedger;
  /** Its background work. */
  readonly jobs: readonly PeriodicJob[];
}

interface LazyLedgerOptions {
  readonly settings: Settings;
  readonly clicks: ClickSource;
  readonly terms: ReadonlyMap<string, CommissionTerms>;
  /** The time by which stored messages are removed; null: none is. */
  readonly readTrustedTime: () => Promise<number | null>;
  readonly platform: Pick<Platform, 'clock' | 'ledger' | 'hasTimers' | 'sharesWork'>;
  /** false: another thread of the process does the work in the background. */
  readonly runsJobs: boolean;
  readonly log: Log;
}

/** Health checks repeat the check of the ledger at most this often. */
const CHECK_INTERVAL_MS = 5_000;
/** How often commissions are reported to analytics. */
const REPORT_MS = 60_000;

/** The ledger of the process with its background work, opened with the first use. Damage shows in the warnings. */
export class LazyLedger {
  readonly #options: LazyLedgerOptions;
  #opened: OpenedLedger | null = null;
  #tokens: PostbackTokens | null = null;
  #warning: string | null = null;
  #checkedAt = 0;

  constructor(options: LazyLedgerOptions) {
    this.#options = options;
  }

  /** Returns the ledger; creates it when it is missing. */
  getOrCreate(): OpenedLedger {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Returns the ledger; null before it is created. */
  find(): OpenedLedger | null {
    return this.#opened !== null || this.#options.platform.ledger.exists() ? this.getOrCreate() : null;
  }

  /** Resolves with null while no postback address was ever created. Rejects with `LedgerError`. */
  async readTokens(): Promise<PostbackTokens | null> {
    const opened = this.#tokens === null ? this.find() : null;
    if (opened !== null) {
      const key = await opened.store.readState(POSTBACK_KEY);
      this.#tokens = key === null ? null : createPostbackTokens(key);
    }
    return this.#tokens;
  }

  /** Returns what is wrong with the ledger, for operators, and checks it again when the last check is old. */
  readWarnings(): readonly string[] {
    const age = this.#options.platform.clock.monotonic() - this.#checkedAt;
    if (this.#opened !== null && age > CHECK_INTERVAL_MS) void this.#check(this.#opened.store);
    return this.#warning === null ? [] : [`The ledger of commissions cannot be used: ${this.#warning}`];
  }

  /** Stops the background work, then closes the ledger. */
  async close(): Promise<void> {
    if (this.#opened === null) return;
    await Promise.all(this.#opened.jobs.map((job) => job.stop()));
    await this.#opened.store.close();
  }

  #open(): OpenedLedger {
    const { clicks, terms, readTrustedTime, platform, runsJobs, log } = this.#options;
    const { clock, hasTimers, sharesWork } = platform;
    const { ledger: store, analytics } = platform.ledger.open();
    const options = { store, clicks, terms, now: clock.now, newId: randomUUID, log, sharesWork };
    const ledger = new CommissionLedger(options);
    if (hasTimers) void this.#check(store);
    const jobs = [
      ...this.#createReports(ledger, analytics),
      createMessageRetention({ store, readTrustedTime, log }),
    ];
    if (hasTimers && runsJobs) for (const job of jobs) job.start();
    return { store, ledger, jobs };
  }

  async #check(store: Ledger): Promise<void> {
    const { platform, log } = this.#options;
    this.#checkedAt = platform.clock.monotonic();
    const reason = await store.probe();
    if (reason !== null && this.#warning === null)
      log.error('the ledger of commissions cannot be used', { reason });
    this.#warning = reason;
  }

  /** Creates the job that reports to analytics, if that is set up. */
  #createReports(ledger: CommissionLedger, outbox: AnalyticsOutbox): PeriodicJob[] {
    const { settings, clicks, platform, log } = this.#options;
    const { GA_MEASUREMENT_ID: measurementId, GA_API_SECRET: secret, GA_ENDPOINT: endpoint } = settings;
    if (measurementId === '' || secret === '') return [];
    const send = createGoogleAnalyticsSender({ endpoint, measurementId, secret });
    const readEntries = () => ledger.readEntries();
    const { now } = platform.clock;
    const reporter = new AnalyticsReporter({ readEntries, clicks, outbox, send, now });
    const job = new PeriodicJob({
      name: 'commissions could not be reported to analytics',
      run: (signal) => reporter.run(signal),
      intervalMs: REPORT_MS,
      log,
    });
    return [job];
  }
}
