import { LRUCache } from 'lru-cache';
import type { ResponseCache } from '../../server/app.ts';
import { buildStoredResponse, type StoredResponse, storeResponse } from './stored-response.ts';

type Render = () => Promise<Response>;
type Pages = LRUCache<string, StoredResponse, Render>;

export interface PageCacheOptions {
  /** Age in ms up to which a response is fresh. */
  readonly freshMs: number;
  /** How long after that it is still sent once; an older one is sent only when rendering fails. */
  readonly maxStaleMs: number;
  readonly maxPages: number;
  /** Of all bodies; each counts half again for its compressed variants. */
  readonly maxBytes: number;
  /** Monotonic clock in ms. */
  readonly now?: () => number;
}

/**
 * Stores responses in memory and serves them stale while one new rendering runs in the background. Concurrent requests
 * for a response that is not stored share one rendering. The least recently used responses are evicted first.
 */
export class PageCache implements ResponseCache {
  readonly #plain: Pages;
  /** Addresses with a query: any client can request as many as it likes, so they have a smaller share. */
  readonly #queried: Pages;
  readonly #maxStaleMs: number;

  constructor(options: PageCacheOptions) {
    const { maxStaleMs, maxPages, maxBytes } = options;
    this.#maxStaleMs = maxStaleMs;
    this.#plain = this.#create(options);
    const share = { maxPages: Math.ceil(maxPages / 10), maxBytes: Math.ceil(maxBytes / 8) };
    this.#queried = this.#create({ ...options, ...share });
  }

  #create({ freshMs, maxPages, maxBytes, now = () => performance.now() }: PageCacheOptions): Pages {
    const pages: Pages = new LRUCache({
      max: maxPages,
      maxSize: maxBytes,
      sizeCalculation: ({ body }) => Math.ceil(body.identity.bytes.byteLength * 1.5) || 1,
      ttl: freshMs,
      ttlResolution: 0,
      perf: { now },
      allowStale: true,
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
      // Clients that share a rendering get it even when its place in the cache was evicted meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: async (key, previous, { context: render }) => {
        const stored = await storeResponse(await render(), { previous, isRepeated: !hasQuery(key) });
        if (isCacheable(stored)) return stored;
        if (stored.status === 404) setImmediate(() => pages.delete(key));
        throw new UncacheableResponse(stored);
      },
    });
    return pages;
  }

  #select(key: string): Pages {
    return hasQuery(key) ? this.#queried : this.#plain;
  }

  /** The fresh response of a key, without waiting. */
  get(key: string): StoredResponse | undefined {
    return this.#select(key).get(key, { allowStale: false });
  }

  has(key: string): boolean {
    return this.#select(key).has(key) || this.#select(key).peek(key, { allowStale: true }) !== undefined;
  }

  /** Removes the response of a key. */
  delete(key: string): void {
    this.#select(key).delete(key);
  }

  /** Removes every response. */
  clear(): void {
    this.#plain.clear();
    this.#queried.clear();
  }

  get size(): number {
    return this.#plain.size + this.#queried.size;
  }

  async respond(request: Request, key: string, render: Render): Promise<Response> {
    return buildStoredResponse(request, await this.#read(key, render));
  }

  async #read(key: string, render: Render): Promise<StoredResponse> {
    const pages = this.#select(key);
    const allowStale = pages.getRemainingTTL(key) >= -this.#maxStaleMs;
    try {
      return await pages.forceFetch(key, { context: render, allowStale });
    } catch (error) {
      const isGone = error instanceof UncacheableResponse && error.response.status < 500;
      const old = isGone ? undefined : pages.peek(key, { allowStale: true });
      if (old !== undefined) return old;
      if (error instanceof UncacheableResponse) return error.response;
      throw error;
    }
  }
}

const hasQuery = (key: string) => key.includes('?');

/** A rendering that is sent to the clients that wait for it and not stored; a good copy stays in the cache. */
class UncacheableResponse extends Error {
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super(`[page-cache] status ${response.status} is not stored`);
    this.name = 'UncacheableResponse';
    this.response = response;
  }
}

function isCacheable({ status, headers }: StoredResponse): boolean {
  return status === 200 && !/no-store|private/.test(headers['cache-control'] ?? 'no-store');
}
