import { LRUCache } from 'lru-cache';

/** For how long a token that returns from the same client stands for the same click, in ms. */
const SAME_CLICK_MS = 120_000;

/** About 10 MB at most. Beyond it, the oldest tokens are forgotten. */
const MAX_TOKENS = 20_000;

/** Who uses a click token: its first client, the same client again (`repeated`), or another one or later (`copied`). */
export type TokenUse = 'new' | 'repeated' | 'copied';

/** The click tokens of the last minutes, in memory alone. */
export class ClickTokens {
  readonly #since: number;
  readonly #seen = new LRUCache<string, { readonly client: string; readonly time: number }>({
    max: MAX_TOKENS,
  });

  /** `now` in ms since 1970, as everywhere here. */
  constructor(now: number) {
    this.#since = now;
  }

  /** Whether every token of the last minutes is in memory: not yet when the process has just started. */
  isComplete(now: number): boolean {
    return now - this.#since >= SAME_CLICK_MS;
  }

  /** Classifies a token and remembers its first use. `client` is the address and user agent. */
  use(token: string, client: string, now: number): TokenUse {
    const first = this.#seen.get(token);
    if (first === undefined) {
      this.#seen.set(token, { client, time: now });
      return 'new';
    }
    return first.client === client && now - first.time < SAME_CLICK_MS ? 'repeated' : 'copied';
  }
}
