import type { Clock } from '../../core/clock.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import type { Log } from '../log.ts';
import { planRetention } from './retention-plan.ts';

const DAY_MS = 86_400_000;
/** A machine that starts with a wrong clock has corrected it by then. */
const FIRST_RUN_MS = 3_600_000;

export interface RetentionOptions {
  readonly store: Pick<EventStore, 'readTimeRange' | 'remove'>;
  readonly months: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Removes events older than `months`, an hour after the start and then every day, until it is stopped. A failure is
 * logged and tried again the next day.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #startedAt: number;
  readonly #timers: readonly NodeJS.Timeout[];
  /** The newest server time in the store before this process added to it; null: not known. */
  #newestAtStart: Promise<number | null>;
  #refusal: string | null = null;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#newestAtStart = this.#readNewest();
    const run = () => void this.#run();
    this.#timers = [setTimeout(run, FIRST_RUN_MS), setInterval(run, DAY_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  /** Why events past their retention are not removed, for operators. */
  readWarnings(): readonly string[] {
    return this.#refusal === null ? [] : [this.#refusal];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { store, months, log } = this.#options;
    try {
      const range = await store.readTimeRange();
      const now = await this.#readTrustedTime();
      if (range === null || now === null) return;
      const plan = planRetention(range.oldest, now, months);
      this.#refusal = plan.kind === 'refuse' ? plan.reason : null;
      if (plan.kind === 'refuse') {
        log.warn('events past their retention were not removed', { reason: plan.reason });
        return;
      }
      const removed = await store.remove({ before: plan.before });
      if (removed > 0) log.info('events past their retention were removed', { removed, months });
    } catch (error) {
      log.warn('events past their retention could not be removed', { error });
    }
  }

  /**
   * The clock, but never later than the newest event of an earlier process and the time that has passed since the
   * start: a clock that jumped ahead would delete everything.
   */
  async #readTrustedTime(): Promise<number | null> {
    const { clock } = this.#options;
    const newest = await this.#newestAtStart;
    if (newest === null) {
      this.#newestAtStart = this.#readNewest();
      return null;
    }
    return Math.min(clock.now(), newest + clock.monotonic() - this.#startedAt);
  }

  async #readNewest(): Promise<number | null> {
    const range = await this.#options.store.readTimeRange().catch(() => null);
    return range?.newest ?? null;
  }
}
