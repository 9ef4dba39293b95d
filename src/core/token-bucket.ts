/** A rate: `burst` at once after a pause, `perSecond` in the long run. */
export interface TokenRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** A token bucket. `now` is a monotonic time in ms. */
export class TokenBucket {
  readonly #rate: TokenRate;
  #tokens: number;
  #updatedAt: number;

  constructor(rate: TokenRate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#updatedAt = now;
  }

  /** Takes `cost` tokens and returns 0; or takes nothing and returns the whole seconds until there are enough. */
  take(cost: number, now: number): number {
    const { perSecond, burst } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#updatedAt) / 1_000) * perSecond);
    this.#updatedAt = now;
    if (this.#tokens < cost) return Math.ceil((cost - this.#tokens) / perSecond);
    this.#tokens -= cost;
    return 0;
  }
}
