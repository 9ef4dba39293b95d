import type { Log } from '../log.ts';

/** Does something once, or now and then in the background, one run at a time. A failure is logged once. */
export class PeriodicJob {
  readonly #name: string;
  readonly #work: () => Promise<unknown>;
  readonly #firstMs: number;
  readonly #intervalMs: number;
  readonly #log: Pick<Log, 'warn'>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #isFailing = false;

  constructor(options: {
    /** The line that is logged when it fails. */
    readonly name: string;
    readonly run: () => Promise<unknown>;
    readonly intervalMs: number;
    /** Ms before the first run; the interval when left out. */
    readonly firstMs?: number;
    readonly log: Pick<Log, 'warn'>;
  }) {
    this.#name = options.name;
    this.#work = options.run;
    this.#intervalMs = options.intervalMs;
    this.#log = options.log;
    this.#firstMs = options.firstMs ?? options.intervalMs;
  }

  /** Begins to run until `stop`. */
  start(): void {
    this.#schedule(this.#firstMs);
  }

  /** Resolves when the run that is in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.run().finally(() => this.#schedule(this.#intervalMs));
    }, ms);
    this.#timer.unref();
  }

  /** Runs once. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn(this.#name, { error });
      this.#isFailing = true;
    }
  }
}
