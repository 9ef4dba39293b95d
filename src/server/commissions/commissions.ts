import { randomUUID } from 'node:crypto';
import { readSyncRows } from '../../console/import/read-sync-rows.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { ClickSource } from '../../core/commissions/click-source.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import type { Content } from '../../core/pages/content.ts';
import { POSTBACK_PATTERN } from '../../core/paths.ts';
import { parseNetworkMessage } from '../../sources/networks/network-messages.ts';
import { SqlClickSource } from '../../stores/commissions/sql-click-source.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Route } from '../http/route.ts';
import { createLimiter } from '../limiters.ts';
import type { Log } from '../log.ts';
import type { Platform } from '../platform.ts';
import type { Config } from '../settings.ts';
import { createCommissionSources } from './commission-sources.ts';
import { LazyLedger, type OpenedLedger } from './lazy-ledger.ts';
import { createPostbackKey, POSTBACK_KEY, type PostbackTokens } from './postback-tokens.ts';
import { createPostbackTest } from './postback-trial.ts';
import { createPostbackHandler } from './postbacks.ts';
import type { SyncResult } from './sync-network.ts';
import { logSyncResults, startSyncSchedule, syncNetworks } from './sync-networks.ts';

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
   * there is no ledger. Rejects with `CommissionStoreError`.
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
  readonly config: Config;
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
  const { config, content, readTrustedTime, platform, runsJobs, log } = options;
  const { clock, hasTimers } = platform;
  const { partners } = content;
  const clicks = new SqlClickSource(options.events);
  const terms = new Map([...partners].map(([key, partner]) => [key, partner.terms]));
  const lazy = new LazyLedger({ config, clicks, terms, readTrustedTime, platform, runsJobs, log });
  const readTokens = () => lazy.readTokens();
  const secrets = config.WEBHOOK_SECRETS;
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
  { config, content: { partners }, platform, runsJobs, log }: CommissionsOptions,
  terms: Commissions['terms'],
  lazy: LazyLedger,
) {
  const { clock, hasTimers } = platform;
  const sources = createCommissionSources(config, platform);
  const networks = [...sources.keys()];
  const { COMMISSION_SYNC_HOURS: syncHours } = config;
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
