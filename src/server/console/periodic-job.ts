import type { Log } from '../log.ts';

/** Does something now and then in the background, one run at a time. A failure is logged once and tried again. */
export class PeriodicJob {
  readonly #name: string;
  readonly #run: () => Promise<unknown>;
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
    this.#run = options.run;
    this.#intervalMs = options.intervalMs;
    this.#log = options.log;
    this.#schedule(options.firstMs ?? options.intervalMs);
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
      this.#running = this.#runOnce().finally(() => this.#schedule(this.#intervalMs));
    }, ms);
    this.#timer.unref();
  }

  async #runOnce(): Promise<void> {
    try {
      await this.#run();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn(this.#name, { error });
      this.#isFailing = true;
    }
  }
}
