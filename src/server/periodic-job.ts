import type { Log } from './log.ts';

/** Does something once, or now and then in the background, one run at a time. A failure is logged once. */
export class PeriodicJob {
  readonly #log: Log;
  readonly #failure: string;
  readonly #work: (signal: AbortSignal) => Promise<unknown>;
  readonly #intervalMs: number | (() => number);
  readonly #firstMs: number;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isFailing = false;

  /**
   * `failure` is the line that is logged when `work` rejects; its signal is aborted by `stop`, which waits for the run.
   * `firstMs`: ms before the first run.
   */
  constructor(
    log: Log,
    failure: string,
    work: (signal: AbortSignal) => Promise<unknown>,
    intervalMs: number | (() => number),
    firstMs = readMs(intervalMs),
  ) {
    this.#log = log;
    this.#failure = failure;
    this.#work = work;
    this.#intervalMs = intervalMs;
    this.#firstMs = firstMs;
  }

  /** Begins to run until `stop`. */
  start(): void {
    this.#schedule(this.#firstMs);
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
      void this.run().finally(() => this.#schedule(readMs(this.#intervalMs)));
    }, ms);
    this.#timer.unref();
  }

  /** Runs once; with a run that is in progress, resolves when that has ended. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    try {
      await this.#work(this.#stopping.signal);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.warn(this.#failure, { error });
      this.#isFailing = true;
    }
  }
}

const readMs = (ms: number | (() => number)) => (typeof ms === 'number' ? ms : ms());
