import { createRateLimiter, type RateLimiterOptions, type SharedRateLimiter } from './http/rate-limiter.ts';
import type { LimitName, Platform } from './platform.ts';

/** Creates a limit of each address, in the memory of the process and, where the runtime can, with other instances. */
export function createLimiter(
  { clock, shareLimiter }: Pick<Platform, 'clock' | 'shareLimiter'>,
  name: LimitName,
  options: Omit<RateLimiterOptions, 'now'>,
): SharedRateLimiter {
  const limiter = createRateLimiter({ ...options, now: clock.monotonic });
  return shareLimiter === undefined || options.perSecond === 0 ? limiter : shareLimiter(name, limiter);
}
