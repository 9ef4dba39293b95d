import { DAY_MS } from '../../core/clock.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import type { Log } from '../log.ts';
import { planRetention } from './retention-plan.ts';
import type { TrustedTime } from './trusted-time.ts';

/** A machine that starts with a wrong clock has corrected it by then. */
const FIRST_RUN_MS = 3_600_000;

export interface RetentionOptions {
  readonly store: Pick<EventStore, 'readTimeRange' | 'remove'>;
  readonly months: number;
  readonly time: Pick<TrustedTime, 'read'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Removes events older than `months`: once, or an hour after the start and then every day until it is stopped. A
 * failure is logged and tried again the next day.
 */
export class Retention {
  readonly #options: RetentionOptions;
  #timers: readonly NodeJS.Timeout[] = [];
  #refusal: string | null = null;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Begins to run an hour from now and then every day. */
  start(): void {
    const run = () => void this.run();
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

  /** Removes what is past its retention. Never rejects. */
  async run(): Promise<void> {
    const { store, months, time, log } = this.#options;
    try {
      const range = await store.readTimeRange();
      const now = await time.read();
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
}
