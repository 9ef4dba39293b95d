import { hash, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { RecentMap } from '../../core/recent-map.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import type { LimitName, Platform } from '../platform.ts';

export interface RateLimiterOptions {
  /** Tokens an address regains per second; 0: no limit. */
  readonly perSecond: number;
  /** Tokens an address may spend at once after a pause. */
  readonly burst: number;
  /** Addresses that are remembered at least; those that were idle longest are forgotten. */
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
 * Creates a token bucket for each client address (`buildClientKey`), in memory alone.
 */
export function createRateLimiter({ perSecond, burst, maxAddresses, now }: RateLimiterOptions): RateLimiter {
  const buckets = new RecentMap<TokenBucket>(maxAddresses);
  return {
    take(address, cost) {
      if (perSecond === 0) return 0;
      const key = buildClientKey(address);
      const time = now();
      const known = buckets.get(key);
      const bucket = known ?? new TokenBucket({ perSecond, burst }, time);
      if (known === undefined) buckets.set(key, bucket);
      return bucket.take(cost, time);
    },
  };
}

let salt = '';
let last = { address: '', key: '' };

/**
 * What stands for an address in memory: 72 bits of a hash with a salt of this process. One IPv6 subscriber (a /64) counts as one
 * address. A request asks several times.
 */
export function buildClientKey(address: string): string {
  // Workers have no random values before the first request.
  salt ||= randomBytes(16).toString('hex');
  if (address !== last.address || last.key === '') {
    // V8 copies parts of texts that are as short.
    const key = hash('sha256', salt + parseSubscriber(address), 'base64url').slice(0, 12);
    last = { address, key };
  }
  return last.key;
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
