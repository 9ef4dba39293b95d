/** After the first change; with the way to the server, two seconds of typing are lost at most. */
const KEEP_MS = 1_500;
const MAX_WAIT_MS = 30_000;

/** Sends what has changed: a moment after the first change, one at a time, and again, later each time, until it arrives. */
export class Sender {
  readonly #send: () => Promise<boolean>;
  #isDue = false;
  #wait = KEEP_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** `send` resolves with whether it has arrived. */
  constructor(send: () => Promise<boolean>) {
    this.#send = send;
  }

  /** Something has changed. */
  change(): void {
    this.#isDue = true;
    this.#timer ??= setTimeout(() => void this.now(), this.#wait);
  }

  /** Sends what is due, after what is on its way. */
  now(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.#isDue) return;
      this.stop();
      const hasArrived = await this.#send().catch(() => false);
      this.#wait = hasArrived ? KEEP_MS : Math.min(2 * this.#wait, MAX_WAIT_MS);
      if (!hasArrived) {
        this.stop();
        this.change();
      }
    });
  }

  /** Does something while nothing is sent. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Sends nothing until the next change. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
  }
}
