import { LRUCache } from 'lru-cache';
import { type BackoffOptions, buildBackoffMs } from '../../http/http-get.ts';
import { buildKey, CONFIRMATION_MS, type SourceCache, type SourceCacheOptions } from './source-cache.ts';

interface LoadContext<Query> {
  readonly query: Query;
  /** The caller waits for the source although there may be a value. */
  readonly isForced: boolean;
}

interface Entry<Value> {
  readonly value: Value;
  /** Why the last call for this value failed; null: it did not. */
  readonly error: unknown;
  readonly failures: number;
  /** A call returned a value that needs confirmation. */
  readonly isInDoubt: boolean;
}

/** Refreshes in the background at the same time; a source with few processes would time out under more. */
const MAX_REFRESHES = 4;
/** Ms until a stale value is refreshed for which there was no room. */
const BUSY_MS = 1_000;
const BACKOFF: BackoffOptions = { firstMs: 1_000, maxMs: 300_000 };

/** Expired from the start; lru-cache ignores a start of 0. */
const STALE = { ttl: 1, start: -10 };

/**
 * A cache that returns fresh values, and stale ones at once while one call refreshes them in the background. A value
 * stays for as long as its source fails, and concurrent calls for the same value are one.
 */
export class StaleWhileRevalidateCache<Query extends {}, Value> implements SourceCache<Query, Value> {
  readonly #options: SourceCacheOptions<Query, Value>;
  readonly #entries: LRUCache<string, Entry<Value>, LoadContext<Query>>;
  /** Refreshes of stale values in progress. */
  #refreshes = 0;
  /** Keys with a call in progress. */
  readonly #loading = new Set<string>();

  constructor(options: SourceCacheOptions<Query, Value>) {
    this.#options = options;
    this.#entries = new LRUCache<string, Entry<Value>, LoadContext<Query>>({
      max: options.max,
      ttlResolution: 0,
      perf: { now: () => options.clock.monotonic() },
      allowStale: true,
      noDeleteOnFetchRejection: true,
      ignoreFetchAbort: true,
      fetchMethod: async (key, stale, { context, options: entryOptions }) => {
        this.#loading.add(key);
        try {
          const { entry, ttl } = await this.#loadOrWait(context, stale);
          entryOptions.ttl = ttl;
          return entry;
        } finally {
          this.#loading.delete(key);
        }
      },
    });
  }

  has(query: Query): boolean {
    return this.#loading.has(buildKey(query)) || this.hasValue(query);
  }

  hasValue(query: Query): boolean {
    return this.#entries.peek(buildKey(query), { allowStale: true }) !== undefined;
  }

  async get(query: Query): Promise<Value> {
    await this.#recover(query);
    return (await this.#entries.forceFetch(buildKey(query), { context: { query, isForced: false } })).value;
  }

  async refresh(query: Query): Promise<Value> {
    await this.#recover(query);
    const fetchOptions = { context: { query, isForced: true }, forceRefresh: true, allowStale: false };
    const { value, error } = await this.#entries.forceFetch(buildKey(query), fetchOptions);
    if (error !== null) throw error;
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Puts the stored copy into memory, already stale, unless the cache knows the value. */
  async #recover(query: Query): Promise<void> {
    if (this.has(query)) return;
    const value = await this.#options.recover?.(query);
    if (value === undefined || this.has(query)) return;
    this.#entries.set(buildKey(query), { value, error: null, failures: 0, isInDoubt: false }, STALE);
  }

  async #loadOrWait({ query, isForced }: LoadContext<Query>, stale: Entry<Value> | undefined) {
    if (stale === undefined || isForced) return this.#load(query, stale);
    if (this.#refreshes >= MAX_REFRESHES) return { entry: stale, ttl: BUSY_MS };
    this.#refreshes += 1;
    try {
      return await this.#load(query, stale);
    } finally {
      this.#refreshes -= 1;
    }
  }

  async #load(query: Query, stale: Entry<Value> | undefined): Promise<{ entry: Entry<Value>; ttl: number }> {
    const { breaker, random } = this.#options;
    if (stale && !breaker.isCallable()) {
      const { lastError, waitMs } = breaker.getStatus();
      return { entry: { ...stale, error: lastError }, ttl: Math.max(BACKOFF.firstMs, Math.ceil(waitMs)) };
    }
    try {
      return await this.#accept(query, stale, await breaker.call(() => this.#options.load(query)));
    } catch (error) {
      if (!stale) throw error;
      const failures = stale.failures + 1;
      return { entry: { ...stale, error, failures }, ttl: buildBackoffMs(failures, random(), BACKOFF) };
    }
  }

  async #accept(query: Query, stale: Entry<Value> | undefined, value: Value) {
    const { needsConfirmation, getFreshMs, onUpdate } = this.#options;
    if (stale && !stale.isInDoubt && needsConfirmation?.(stale.value, value)) {
      const entry = { value: stale.value, error: null, failures: 0, isInDoubt: true };
      return { entry, ttl: CONFIRMATION_MS };
    }
    await onUpdate?.(query, value);
    return { entry: { value, error: null, failures: 0, isInDoubt: false }, ttl: getFreshMs(value) };
  }
}
