import { hash, randomBytes } from 'node:crypto';

export interface RateLimiterOptions {
  /** Tokens an address regains in a second; 0: no limit. */
  readonly perSecond: number;
  /** Tokens an address may spend at once after a pause. */
  readonly burst: number;
  /** Addresses remembered; the one that was quiet longest is forgotten first. */
  readonly maxAddresses: number;
  /** Monotonic clock in ms. */
  readonly now: () => number;
}

export interface RateLimiter {
  /** Takes `cost` tokens of an address. Returns 0, or, having taken nothing, the whole seconds to wait. */
  take(address: string, cost: number): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Creates a token bucket for each client address. An address lives in memory alone, hashed with a salt of
 * this process; one IPv6 subscriber (a /64) counts as one address.
 */
export function createRateLimiter({ perSecond, burst, maxAddresses, now }: RateLimiterOptions): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const salt = randomBytes(16).toString('hex');

  function findBucket(address: string): Bucket {
    const key = hash('sha256', salt + readSubscriber(address), 'base64url');
    const known = buckets.get(key);
    if (known) buckets.delete(key);
    else if (buckets.size >= maxAddresses) forgetOldest();
    const bucket = known ?? { tokens: burst, at: now() };
    buckets.set(key, bucket);
    return bucket;
  }

  function forgetOldest(): void {
    for (const key of buckets.keys()) {
      buckets.delete(key);
      return;
    }
  }

  return {
    take(address, cost) {
      if (perSecond === 0) return 0;
      const bucket = findBucket(address);
      const time = now();
      bucket.tokens = Math.min(burst, bucket.tokens + ((time - bucket.at) / 1_000) * perSecond);
      bucket.at = time;
      if (bucket.tokens < cost) return Math.ceil((cost - bucket.tokens) / perSecond);
      bucket.tokens -= cost;
      return 0;
    },
  };
}

/** The part of an address that one subscriber cannot change at will: all of IPv4, the first 64 bits of IPv6. */
function readSubscriber(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
