import { DAY_MS } from '../../core/clock.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import type { Log } from '../log.ts';
import { PeriodicJob } from '../periodic-job.ts';
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

/** Removes events older than `months`. */
export class Retention {
  readonly #options: RetentionOptions;
  #refusal: string | null = null;
  /** Removes them an hour after the start and then every day. */
  readonly job: PeriodicJob;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.job = new PeriodicJob({
      name: 'events past their retention could not be removed',
      run: () => this.#removeOld(),
      firstMs: FIRST_RUN_MS,
      intervalMs: DAY_MS,
      log: options.log,
    });
  }

  /** Why events past their retention are not removed, for operators. */
  readWarnings(): readonly string[] {
    return this.#refusal === null ? [] : [this.#refusal];
  }

  async #removeOld(): Promise<void> {
    const { store, months, time, log } = this.#options;
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
  }
}
