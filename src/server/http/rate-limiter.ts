import { hash, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { TokenBucket } from '../../core/token-bucket.ts';
import type { LimitName, Platform } from '../platform.ts';

export interface RateLimiterOptions {
  /** Tokens an address regains per second; 0: no limit. */
  readonly perSecond: number;
  /** Tokens an address may spend at once after a pause. */
  readonly burst: number;
  /** Addresses in memory; the one that was idle longest is evicted first. */
  readonly maxAddresses: number;
  /** Monotonic clock in ms. */
  readonly now: () => number;
}

export interface RateLimiter {
  /** Takes `cost` tokens of an address. Returns 0, or, having taken nothing, the whole seconds to wait. */
  take(address: string, cost: number): number;
}

/** A limiter whose counts other instances of the site may share. */
export interface SharedRateLimiter {
  /** As of `RateLimiter`; never rejects. */
  take(address: string, cost: number): number | Promise<number>;
}

/**
 * Creates a token bucket for each client address. An address is in memory alone, hashed with a salt of this process;
 * one IPv6 subscriber (a /64) counts as one address.
 */
export function createRateLimiter({ perSecond, burst, maxAddresses, now }: RateLimiterOptions): RateLimiter {
  let buckets: LRUCache<string, TokenBucket> | undefined;
  const salt = randomBytes(16).toString('hex');
  return {
    take(address, cost) {
      if (perSecond === 0) return 0;
      // 72 bits; V8 copies parts of texts that are as short.
      const key = hash('sha256', salt + parseSubscriber(address), 'base64url').slice(0, 12);
      // It reserves memory for all addresses, and many limits are never used.
      buckets ??= new LRUCache({ max: maxAddresses });
      const time = now();
      const known = buckets.get(key);
      const bucket = known ?? new TokenBucket({ perSecond, burst }, time);
      if (known === undefined) buckets.set(key, bucket);
      return bucket.take(cost, time);
    },
  };
}

/** Creates a limit of each address, in the memory of the process and, where the platform can, with other instances. */
export function createSharedLimiter(
  { clock, shareLimiter }: Platform,
  name: LimitName,
  options: { readonly perSecond: number; readonly burst: number; readonly maxAddresses: number },
): SharedRateLimiter {
  const limiter = createRateLimiter({ ...options, now: clock.monotonic });
  return shareLimiter === undefined || options.perSecond === 0 ? limiter : shareLimiter(name, limiter);
}

/** The part of an address that one subscriber cannot change at will: all of IPv4, the first 64 bits of IPv6. */
export function parseSubscriber(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}
