import type { ResponseCache } from '../../server/app.ts';
import type { ReadResponse } from '../../server/http/responses.ts';
import { StaleWhileRevalidate } from '../../stores/stale-while-revalidate.ts';
import { buildStoredResponse, type StoredResponse, storeResponse } from './stored-response.ts';

type Render = () => Promise<ReadResponse>;
type Pages = StaleWhileRevalidate<StoredResponse, Render>;

/** How long pages are cached, and how many. */
export interface PageCacheBounds {
  /** Age in ms up to which a response is fresh. */
  readonly freshMs: number;
  /** How long after that it is still sent once; an older one is sent only when rendering fails. */
  readonly maxStaleMs: number;
  readonly maxPages: number;
  /** Of all bodies; each counts half again for its compressed variants. */
  readonly maxBytes: number;
}

/**
 * Stores responses in memory and serves them stale while one new rendering runs in the background. Concurrent requests
 * for a response that is not stored share one rendering. The least recently used responses are evicted first.
 */
export class PageCache implements ResponseCache {
  readonly #plain: Pages;
  /** Addresses with a query: any client can request as many as it likes, so they have a smaller share. */
  readonly #queried: Pages;

  /** `now`: monotonic clock in ms. */
  constructor(bounds: PageCacheBounds, now: () => number = () => performance.now()) {
    const { maxPages, maxBytes } = bounds;
    this.#plain = createPages(bounds, now);
    const share = { maxPages: Math.ceil(maxPages / 10), maxBytes: Math.ceil(maxBytes / 8) };
    this.#queried = createPages({ ...bounds, ...share }, now);
  }

  #select(key: string): Pages {
    return hasQuery(key) ? this.#queried : this.#plain;
  }

  /** The fresh response of a key, without waiting. */
  get(key: string): StoredResponse | undefined {
    return this.#select(key).getFresh(key);
  }

  has(key: string): boolean {
    return this.#select(key).peek(key) !== undefined;
  }

  delete(key: string): void {
    this.#select(key).delete(key);
  }

  clear(): void {
    this.#plain.clear();
    this.#queried.clear();
  }

  get size(): number {
    return this.#plain.size + this.#queried.size;
  }

  async respond(request: Request, key: string, render: Render): Promise<Response> {
    return buildStoredResponse(request, await this.#select(key).read(key, render));
  }
}

function createPages({ freshMs, maxStaleMs, maxPages, maxBytes }: PageCacheBounds, now: () => number): Pages {
  return new StaleWhileRevalidate<StoredResponse, Render>({
    max: maxPages,
    size: { max: maxBytes, of: ({ body }) => Math.ceil(body.identity.bytes.byteLength * 1.5) },
    now,
    maxStaleMs,
    sharesWork: true,
    async load(key, render, previous) {
      const stored = storeResponse(await render(), { previous, isRepeated: !hasQuery(key) });
      if (isCacheable(stored)) return { value: stored, freshMs };
      // A good copy stays while rendering fails.
      if (stored.status >= 500 && previous)
        throw new Error(`[page-cache] status ${stored.status} is not stored`);
      return { value: stored, freshMs: null };
    },
  });
}

const hasQuery = (key: string) => key.includes('?');

function isCacheable({ status, headers }: StoredResponse): boolean {
  return status === 200 && !/no-store|private/.test(headers['cache-control'] ?? 'no-store');
}
