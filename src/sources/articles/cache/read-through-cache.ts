import { LRUCache } from 'lru-cache';
import { buildKey, type SourceCache, type SourceCacheOptions } from './source-cache.ts';

/** How a value is read that requests of one instance do not share a promise for. */
export interface ReadThroughOptions<Query, Value> extends SourceCacheOptions<Query, Value> {
  /** Keeps the instance running until work in the background ends. */
  readonly keepAlive: (work: Promise<unknown>) => void;
}

/** How long a copy of the store is used before the store is read again, to which other instances write. */
const STORED_MS = 10_000;

/**
 * A cache of an instance that may end at any time, in front of a store that all instances share and a crawler keeps
 * fresh: the source is called only for what the store does not have. A value stays for as long as store and source
 * fail. Requests share values, never a promise.
 */
export class ReadThroughCache<Query extends {}, Value> implements SourceCache<Query, Value> {
  readonly #options: ReadThroughOptions<Query, Value>;
  readonly #entries: LRUCache<string, { readonly value: Value }>;
  /** Keys of values that need confirmation. */
  readonly #doubted: LRUCache<string, true>;

  constructor(options: ReadThroughOptions<Query, Value>) {
    const { max, clock } = options;
    this.#options = options;
    const perf = { now: () => clock.monotonic() };
    this.#entries = new LRUCache({ max, perf, ttlResolution: 0, allowStale: true, noDeleteOnStaleGet: true });
    this.#doubted = new LRUCache({ max });
  }

  has(query: Query): boolean {
    return this.hasValue(query);
  }

  hasValue(query: Query): boolean {
    return this.#find(buildKey(query)) !== undefined;
  }

  async get(query: Query): Promise<Value> {
    const key = buildKey(query);
    const known = this.#find(key);
    if (known !== undefined && this.#isFresh(key)) return known.value;
    const stored = await this.#options.recover?.(query);
    if (stored !== undefined) return this.#keep(key, stored, STORED_MS);
    if (known === undefined) return this.refresh(query);
    // One refresh at a time.
    this.#keep(key, known.value, STORED_MS);
    this.#options.keepAlive(this.refresh(query).catch(() => undefined));
    return known.value;
  }

  async refresh(query: Query): Promise<Value> {
    const { breaker, load, recover, needsConfirmation, onUpdate, getFreshMs } = this.#options;
    const key = buildKey(query);
    const value = await breaker.call(() => load(query));
    const old = this.#entries.peek(key)?.value ?? (await recover?.(query));
    if (old !== undefined && !this.#doubted.has(key) && needsConfirmation?.(old, value)) {
      this.#doubted.set(key, true);
      return old;
    }
    this.#doubted.delete(key);
    await onUpdate?.(query, value);
    return this.#keep(key, value, getFreshMs(value));
  }

  clear(): void {
    this.#entries.clear();
  }

  /** What does not exist is believed only while that is fresh. */
  #find(key: string): { readonly value: Value } | undefined {
    const entry = this.#entries.get(key);
    return entry?.value === null && !this.#isFresh(key) ? undefined : entry;
  }

  #isFresh(key: string): boolean {
    return this.#entries.getRemainingTTL(key) > 0;
  }

  #keep(key: string, value: Value, ttl: number): Value {
    this.#entries.set(key, { value }, { ttl });
    return value;
  }
}
