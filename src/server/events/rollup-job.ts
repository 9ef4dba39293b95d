import type { RollupStore } from '../../core/events/rollup-store.ts';
import type { Log } from '../log.ts';

/** Reads count what is not rolled up yet themselves, so a longer interval makes them slower, not wrong. */
const INTERVAL_MS = 1_000;

/** Adds new events to the counts, once or in the background until it is stopped. A failure is logged once. */
export class RollupJob {
  readonly #store: Pick<RollupStore, 'advance'>;
  readonly #log: Pick<Log, 'warn'>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #isFailing = false;

  constructor(store: Pick<RollupStore, 'advance'>, log: Pick<Log, 'warn'>) {
    this.#store = store;
    this.#log = log;
  }

  /** Begins to run every few seconds. */
  start(): void {
    this.#schedule();
  }

  /** Resolves when the transaction that is running has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.run().finally(() => this.#schedule());
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  /** Adds every new event. Never rejects. */
  async run(): Promise<void> {
    try {
      while (!this.#isStopped && (await this.#store.advance()) > 0);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn('events could not be added to the counts', { error });
      this.#isFailing = true;
    }
  }
}
