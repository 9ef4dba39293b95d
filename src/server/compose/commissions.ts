import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createGoogleAnalyticsSender } from '../../adapters/commissions/google-analytics.ts';
import { LEDGER_FILE, openLedgerDatabase } from '../../adapters/commissions/open-commission-store.ts';
import { SqlClickSource } from '../../adapters/commissions/sql-click-source.ts';
import { parseNetworkMessage } from '../../adapters/networks/network-messages.ts';
import type { SqlExecutor } from '../../adapters/sql/sql-executor.ts';
import type { Clock } from '../../core/clock.ts';
import type { AnalyticsOutbox } from '../../core/commissions/analytics-outbox.ts';
import type { LedgerEntry } from '../../core/commissions/build-ledger.ts';
import type { ClickSource } from '../../core/commissions/click-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { CommissionTerms, Network } from '../../core/commissions/commission-terms.ts';
import type { Content } from '../../core/pages/content.ts';
import { POSTBACK_PATTERN } from '../../core/paths.ts';
import { AnalyticsReporter } from '../commissions/analytics-reporter.ts';
import { CommissionLedger } from '../commissions/ledger.ts';
import { createPostbackHandler } from '../commissions/postback.ts';
import {
  createPostbackKey,
  createPostbackTokens,
  POSTBACK_KEY,
  type PostbackTokens,
} from '../commissions/postback-tokens.ts';
import { createPostbackTest } from '../commissions/postback-trial.ts';
import { startRawRetention } from '../commissions/raw-retention.ts';
import type { SyncResult } from '../commissions/sync-network.ts';
import { startSyncSchedule, syncNetworks } from '../commissions/sync-networks.ts';
import type { Config } from '../config.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { Route } from '../http/route.ts';
import type { Log } from '../log.ts';
import { createCommissionSources } from './commission-sources.ts';

/** A network sends from few addresses, and much at once when it sends again what was refused. */
const MESSAGES = { perSecond: 2_000, burst: 20_000, maxAddresses: 10_000 };
const GUESSES = { perSecond: 1, burst: 30, maxAddresses: 50_000 };

/** Health checks repeat the check of the ledger at most this often. */
const CHECK_INTERVAL_MS = 5_000;

/** A ledger that is open for reading and writing. */
export interface OpenedLedger {
  readonly store: CommissionStore;
  readonly ledger: CommissionLedger;
}

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
  /** Stops what runs in the background and closes the ledger. */
  close(): Promise<void>;
}

/**
 * Creates the ledger's routes and background work. A site without a ledger opens none: `commissions -- postback-url`
 * creates it. Never throws: a damaged ledger shows in the warnings and the log.
 */
export function createCommissions(options: {
  readonly config: Config;
  readonly content: Pick<Content, 'partners'>;
  /** Reads the events' database. */
  readonly events: Pick<SqlExecutor, 'query'>;
  readonly clock: Clock;
  readonly log: Log;
}): Commissions {
  const { config, content, clock, log } = options;
  const { partners } = content;
  const file = path.join(config.DATA_DIR, LEDGER_FILE);
  const clicks = new SqlClickSource(options.events);
  const terms = new Map([...partners].map(([key, partner]) => [key, partner.terms]));
  let opened: ReturnType<typeof openLedger> | null = null;
  let tokens: PostbackTokens | null = null;
  let warning: string | null = null;
  let checkedAt = 0;

  function openLedger() {
    const { store, analytics } = openLedgerDatabase(config.DATA_DIR, (message) => log.warn(message));
    const ledger = new CommissionLedger({ store, clicks, terms, now: clock.now, newId: randomUUID, log });
    const stopRetention = startRawRetention({ store, now: clock.now, log });
    const check = async () => {
      checkedAt = clock.monotonic();
      const reason = await store.probe();
      if (reason !== null && warning === null)
        log.error('the ledger of commissions cannot be used', { reason });
      warning = reason;
    };
    void check();
    const reporter = startReporter(ledger, analytics);
    return { store, ledger, stopRetention, reporter, check };
  }

  function startReporter(ledger: CommissionLedger, outbox: AnalyticsOutbox): AnalyticsReporter | null {
    const { GA_MEASUREMENT_ID: measurementId, GA_API_SECRET: secret, GA_ENDPOINT: endpoint } = config;
    if (measurementId === '' || secret === '') return null;
    const send = createGoogleAnalyticsSender({ endpoint, measurementId, secret });
    const readEntries = () => ledger.readEntries();
    const reporter = new AnalyticsReporter({ readEntries, clicks, outbox, send, now: clock.now, log });
    reporter.start();
    return reporter;
  }

  const getOpened = () => {
    opened ??= openLedger();
    return opened;
  };
  const findOpened = () => (opened !== null || existsSync(file) ? getOpened() : null);

  const readTokens = async () => {
    const found = tokens === null ? findOpened() : null;
    if (found !== null) {
      const key = await found.store.readState(POSTBACK_KEY);
      tokens = key === null ? null : createPostbackTokens(key);
    }
    return tokens;
  };

  const limit = (limits: typeof MESSAGES) => createRateLimiter({ ...limits, now: clock.monotonic });
  const handle = createPostbackHandler({
    partners,
    readTokens,
    getLedger: () => getOpened().ledger,
    parseMessage: parseNetworkMessage,
    secrets: config.WEBHOOK_SECRETS,
    limiter: limit(MESSAGES),
    guessLimiter: limit(GUESSES),
  });
  const sources = createCommissionSources(config, clock);
  const runSync = async () => {
    const { store, ledger } = getOpened();
    await ledger.rematch();
    return syncNetworks({ sources, terms, ledger, store, now: clock.now, holder: randomUUID() });
  };
  const stopSync =
    sources.size === 0 || config.COMMISSION_SYNC_HOURS === 0
      ? () => undefined
      : startSyncSchedule({
          run: runSync,
          hours: config.COMMISSION_SYNC_HOURS,
          random: Math.random,
          log,
        });
  findOpened();
  return {
    intake: {
      readTokens,
      async createTokens() {
        await getOpened().store.createState(POSTBACK_KEY, createPostbackKey());
      },
      sendTest: createPostbackTest({
        handle,
        readTokens,
        secrets: config.WEBHOOK_SECRETS,
        newId: randomUUID,
      }),
      networks: [...sources.keys()],
      runSync: sources.size === 0 ? null : runSync,
    },
    routes: [{ method: 'GET, POST', path: POSTBACK_PATTERN, handle }],
    clicks,
    terms,
    readEntries: async () => (await findOpened()?.ledger.readEntries()) ?? [],
    getLedger: findOpened,
    createLedger: getOpened,
    readWarnings() {
      if (opened !== null && clock.monotonic() - checkedAt > CHECK_INTERVAL_MS) void opened.check();
      return warning === null ? [] : [`The ledger of commissions cannot be used: ${warning}`];
    },
    async close() {
      stopSync();
      opened?.stopRetention();
      await opened?.reporter?.stop();
      await opened?.store.close();
    },
  };
}
