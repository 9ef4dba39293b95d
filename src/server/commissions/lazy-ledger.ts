import { randomUUID } from 'node:crypto';
import type { AnalyticsOutbox } from '../../core/commissions/analytics-outbox.ts';
import type { ClickSource } from '../../core/commissions/click-source.ts';
import type { CommissionStore } from '../../core/commissions/commission-store.ts';
import type { CommissionTerms } from '../../core/commissions/commission-terms.ts';
import { createGoogleAnalyticsSender } from '../../sources/http/google-analytics.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Platform } from '../platform.ts';
import type { Config } from '../settings.ts';
import { AnalyticsReporter } from './analytics-reporter.ts';
import { CommissionLedger } from './ledger.ts';
import { createMessageRetention } from './message-retention.ts';
import { createPostbackTokens, POSTBACK_KEY, type PostbackTokens } from './postback-tokens.ts';

/** A ledger that is open for reading and writing. */
export interface OpenedLedger {
  readonly store: CommissionStore;
  readonly ledger: CommissionLedger;
  /** Its background work. */
  readonly jobs: readonly PeriodicJob[];
}

interface LazyLedgerOptions {
  readonly config: Config;
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

  /** Resolves with null while no postback address was ever created. Rejects with `CommissionStoreError`. */
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
    const { store, analytics } = platform.ledger.open();
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

  async #check(store: CommissionStore): Promise<void> {
    const { platform, log } = this.#options;
    this.#checkedAt = platform.clock.monotonic();
    const reason = await store.probe();
    if (reason !== null && this.#warning === null)
      log.error('the ledger of commissions cannot be used', { reason });
    this.#warning = reason;
  }

  /** Creates the job that reports to analytics, if that is set up. */
  #createReports(ledger: CommissionLedger, outbox: AnalyticsOutbox): PeriodicJob[] {
    const { config, clicks, platform, log } = this.#options;
    const { GA_MEASUREMENT_ID: measurementId, GA_API_SECRET: secret, GA_ENDPOINT: endpoint } = config;
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
