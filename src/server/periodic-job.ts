import type { Log } from './log.ts';

export interface PeriodicJobOptions {
  /** The line that is logged when it fails. */
  readonly name: string;
  /** `signal`: aborted by `stop`, which waits for the run. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  readonly intervalMs: number;
  /** Ms before the first run; the interval when left out. */
  readonly firstMs?: number;
  readonly log: Pick<Log, 'warn'>;
}

/** Does something once, or now and then in the background, one run at a time. A failure is logged once. */
export class PeriodicJob {
  readonly #options: PeriodicJobOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: PeriodicJobOptions) {
    this.#options = options;
  }

  /** Begins to run until `stop`. */
  start(): void {
    this.#schedule(this.#options.firstMs ?? this.#options.intervalMs);
  }

  /** Resolves when the run that is in progress has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.run().finally(() => this.#schedule(this.#options.intervalMs));
    }, ms);
    this.#timer.unref();
  }

  /** Runs once. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#options.run(this.#stopping.signal);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.log.warn(this.#options.name, { error });
      this.#isFailing = true;
    }
  }
}
