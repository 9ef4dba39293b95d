import {
  type AnalyticsSender,
  type AttemptOutcome,
  buildAnalyticsBody,
  buildAnalyticsMessages,
  getAnalyticsVisit,
} from '../../core/commissions/build-analytics-messages.ts';
import type { ClaimedMessage } from '../../core/commissions/ledger/stored-money.schema.ts';
import { isCounted, type SiteEvent } from '../../core/events/site-event.ts';
import { createGoogleAnalyticsSender } from '../../sources/http/google-analytics.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { AnalyticsOutbox } from '../../stores/outboxes.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Site } from '../site.ts';
import type { CommissionTable } from './commission-table.ts';

const ENTRIES_PER_READ = 1_000;
const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 6 * 3_600_000;

/** How often commissions are reported. */
const INTERVAL_MS = 60_000;

/** Creates the job that reports commissions to analytics, once there is a ledger. */
export function createAnalyticsJob(site: Site): PeriodicJob {
  const { settings, clock, log } = site;
  const { commissions, clicks, analyticsOutbox, ledger } = site.money;
  const { GA_MEASUREMENT_ID: measurementId, GA_API_SECRET: secret, GA_ENDPOINT: endpoint } = settings;
  const reporter = new AnalyticsReporter({
    table: commissions.table,
    clicks,
    outbox: analyticsOutbox,
    send: createGoogleAnalyticsSender({ endpoint, measurementId, secret }),
    now: clock.now,
  });
  const run = async (signal: AbortSignal) => {
    if (ledger.exists()) await reporter.run(signal);
  };
  return new PeriodicJob(log, 'commissions could not be reported to analytics', run, INTERVAL_MS);
}

export interface AnalyticsReporterOptions {
  readonly table: CommissionTable;
  readonly clicks: Clicks;
  readonly outbox: AnalyticsOutbox;
  readonly send: AnalyticsSender;
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * Reports commissions to analytics, each at most once, of visits that consented. The client id is read from the click
 * when a message is sent: when the click was deleted, nothing is sent.
 */
export class AnalyticsReporter {
  readonly #options: AnalyticsReporterOptions;
  /** The version of the table up to which messages were added. */
  #seen = -1;

  constructor(options: AnalyticsReporterOptions) {
    this.#options = options;
  }

  /**
   * Adds new messages and sends those that are due, until the signal is aborted. Rejects with `LedgerError` or
   * `EventStoreError`.
   */
  async run(signal?: AbortSignal): Promise<void> {
    const { outbox, now } = this.#options;
    await this.#addMessages();
    while (!signal?.aborted) {
      const message = await outbox.claim(now());
      if (message === null) return;
      await outbox.finish(message, await this.#attempt(message), now());
    }
  }

  async #addMessages(): Promise<void> {
    const { table, clicks, outbox, now } = this.#options;
    const version = await table.refresh();
    for (let offset = 0; version !== this.#seen; offset += ENTRIES_PER_READ) {
      const order = { by: 'arrival', isDescending: false, limit: ENTRIES_PER_READ, offset } as const;
      const entries = await table.readEntries({ isCounted: true, changedAfter: this.#seen }, order);
      const messages = buildAnalyticsMessages(entries);
      const found = await clicks.findClicks([...new Set(messages.map(({ clickId }) => clickId))]);
      const isTold = (click: SiteEvent) => isCounted(click) && getAnalyticsVisit(click) !== null;
      const consented = new Set(found.filter(isTold).map(({ id }) => id));
      await outbox.add(
        messages.filter(({ clickId }) => consented.has(clickId)),
        now(),
      );
      if (entries.length < ENTRIES_PER_READ) this.#seen = version;
    }
  }

  async #attempt(message: ClaimedMessage): Promise<AttemptOutcome> {
    const { clicks, send, now } = this.#options;
    const [click] = await clicks.findClicks([message.clickId]).catch(() => [null]);
    // Nothing was sent yet: the events cannot be read now.
    if (click === null) return this.#buildRetry(message);
    const visit = click === undefined ? null : getAnalyticsVisit(click);
    if (visit === null) return { state: 'withdrawn' };
    const result = await send(buildAnalyticsBody(message, visit, now()));
    return result === 'refused' ? this.#buildRetry(message) : { state: result };
  }

  #buildRetry({ attempts }: ClaimedMessage): AttemptOutcome {
    if (attempts >= MAX_ATTEMPTS) return { state: 'failed' };
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
    return { state: 'waiting', retryAt: this.#options.now() + pause };
  }
}
