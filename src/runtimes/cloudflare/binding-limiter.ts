import { parseSubscriber, type RateLimiter, type SharedRateLimiter } from '../../server/http/rate-limiter.ts';
import type { Log } from '../../server/log.ts';

/** A rate limit of Workers: it counts calls in a data center, over periods of 60 s, as `wrangler.jsonc` says. */
export interface RateLimitBinding {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** The binding does not say when the period ends. */
const PERIOD_SECONDS = 60;

/**
 * Limits the requests of an address in this instance as on Node, and those that other instances of the data center take
 * as well with the binding, which counts each call as one. While the binding fails, this instance decides alone.
 */
export function createBindingLimiter(
  local: RateLimiter,
  binding: RateLimitBinding,
  log: Pick<Log, 'warn'>,
): SharedRateLimiter {
  return {
    async take(address, cost) {
      const seconds = local.take(address, cost);
      if (seconds > 0) return seconds;
      try {
        const { success } = await binding.limit({ key: parseSubscriber(address) });
        return success ? 0 : PERIOD_SECONDS;
      } catch (error) {
        log.warn('a rate limit could not be read', { error });
        return 0;
      }
    },
  };
}
