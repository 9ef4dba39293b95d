import { DAY_MS } from '../../core/clock.ts';
import type { Log } from '../log.ts';
import { planRetention } from './retention-plan.ts';
import type { TrustedTime } from './trusted-time.ts';

/** After retention, which runs an hour after the start. */
const FIRST_RUN_MS = 2 * 3_600_000;

export interface ArchiveJobOptions {
  readonly archiver: {
    archiveBefore(before: number, maxFiles?: number): Promise<number>;
    list(): Promise<readonly { readonly oldest: number }[]>;
    removeBefore(before: number): Promise<number>;
  };
  /** Days after which events are archived. */
  readonly hotDays: number;
  /** Months after which archived events are removed. */
  readonly months: number;
  /** Most files of one run; all that are due when left out. */
  readonly maxFiles?: number | undefined;
  readonly time: Pick<TrustedTime, 'read'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Moves old events to the archive and removes archived ones past their retention: once, or every day until it is
 * stopped. A clock that nothing confirms moves and removes nothing. A failure is logged and tried again.
 */
export class ArchiveJob {
  readonly #options: ArchiveJobOptions;
  #timers: readonly NodeJS.Timeout[] = [];
  #running: Promise<void> | null = null;

  constructor(options: ArchiveJobOptions) {
    this.#options = options;
  }

  /** Begins to run two hours from now and then every day. */
  start(): void {
    const run = () => void this.run();
    this.#timers = [setTimeout(run, FIRST_RUN_MS), setInterval(run, DAY_MS)];
    for (const timer of this.#timers) timer.unref();
  }

  /** Stops and resolves when the run that has begun is over. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#running;
  }

  /** Archives and removes what is due. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { archiver, hotDays, maxFiles, time, log } = this.#options;
    try {
      const now = await time.read();
      if (now === null) return;
      const archived = await archiver.archiveBefore(now - hotDays * DAY_MS, maxFiles);
      if (archived > 0) log.info('old events were archived', { archived, hotDays });
      await this.#removeOld(now);
    } catch (error) {
      log.warn('old events could not be archived', { error });
    }
  }

  async #removeOld(now: number): Promise<void> {
    const { archiver, months, log } = this.#options;
    const [first] = await archiver.list();
    if (first === undefined) return;
    const plan = planRetention(first.oldest, now, months);
    if (plan.kind === 'refuse') {
      log.warn('archived events past their retention were not removed', { reason: plan.reason });
      return;
    }
    const removed = await archiver.removeBefore(plan.before);
    if (removed > 0)
      log.info('archived events past their retention were removed', { files: removed, months });
  }
}
