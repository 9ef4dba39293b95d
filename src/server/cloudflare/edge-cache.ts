import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ResponseCache } from '../app.ts';
import { type BufferedResponse, readResponse } from '../http/buffered-response.ts';
import type { Log } from '../log.ts';

/** Age in ms up to which a response is fresh, and how long after that it is still sent once. */
const FRESH_MS = 60_000;
const MAX_STALE_MS = 600_000;
/** How long the cache may store a response, for when rendering fails; in seconds. */
const STORE_SECONDS = 604_800;
const MAX_KEYS = 5_000;

const STORED_AT = 'x-stored-at';
const CACHE_CONTROL = 'x-cache-control';

type Render = () => Promise<Response | BufferedResponse>;

/** The part of the Cache API that is used. */
interface PageStore {
  match(request: string): Promise<Response | undefined>;
  put(request: string, response: Response): Promise<void>;
}

export interface EdgeCacheOptions {
  readonly cache: PageStore;
  /** Identifies the build: a deploy begins with an empty cache. */
  readonly version: number;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly log: Pick<Log, 'warn'>;
  /** Ms since 1970. */
  readonly now?: () => number;
}

/**
 * Stores responses in the Cache API of a data center, with the policy of the page cache of the Node server: fresh for a
 * minute, then sent stale while one new rendering runs in the background.
 */
export class EdgeCache implements ResponseCache {
  readonly #options: Required<EdgeCacheOptions>;
  /** Keys that this instance has stored or found. */
  readonly #known = new LRUCache<string, true>({ max: MAX_KEYS });
  readonly #rendering = new Set<string>();

  constructor(options: EdgeCacheOptions) {
    this.#options = { now: Date.now, ...options };
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  async respond(request: Request, key: string, render: Render): Promise<Response> {
    const stored = await this.#find(key);
    if (stored !== null) this.#known.set(key, true);
    const age = stored === null ? Number.POSITIVE_INFINITY : this.#getAge(stored);
    if (stored !== null && age <= FRESH_MS + MAX_STALE_MS) {
      if (age > FRESH_MS) this.#refresh(key, render);
      return buildSent(request, stored);
    }
    return buildSent(request, await this.#renderOrUseStale(key, render, stored));
  }

  /** Renders a response; when that fails, uses the stale one if there is any. */
  async #renderOrUseStale(key: string, render: Render, stale: Response | null): Promise<Response> {
    try {
      const response = await this.#renderAndStore(key, render);
      return response.status >= 500 && stale !== null ? stale : response;
    } catch (error) {
      if (stale !== null) return stale;
      throw error;
    }
  }

  /** Renders once more in the background, one rendering at a time. */
  #refresh(key: string, render: Render): void {
    if (this.#rendering.has(key)) return;
    this.#rendering.add(key);
    const work = this.#renderAndStore(key, render)
      .catch((error: unknown) => this.#options.log.warn('a page could not be re-rendered', { error }))
      .finally(() => this.#rendering.delete(key));
    this.#options.waitUntil(work);
  }

  async #renderAndStore(key: string, render: Render): Promise<Response> {
    const rendered = await render();
    const { status, headers, body } = rendered instanceof Response ? await readResponse(rendered) : rendered;
    const cacheControl = headers['cache-control'] ?? 'no-store';
    if (status !== 200 || /no-store|private/.test(cacheControl))
      return new Response(body, { status, headers });
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const stored = {
      ...headers,
      etag,
      'cache-control': `public, max-age=${STORE_SECONDS}`,
      [CACHE_CONTROL]: cacheControl,
      [STORED_AT]: String(this.#options.now()),
    };
    this.#known.set(key, true);
    const response = new Response(body, { status, headers: stored });
    // Copied before the body is read; the visitor does not wait for the cache.
    this.#options.waitUntil(this.#put(key, response.clone()));
    return response;
  }

  async #put(key: string, response: Response): Promise<void> {
    try {
      await this.#options.cache.put(this.#buildUrl(key), response);
    } catch (error) {
      this.#options.log.warn('a page could not be stored in the cache', { error });
    }
  }

  async #find(key: string): Promise<Response | null> {
    return (await this.#options.cache.match(this.#buildUrl(key)).catch(() => undefined)) ?? null;
  }

  #getAge({ headers }: Response): number {
    return this.#options.now() - Number(headers.get(STORED_AT));
  }

  /** The cache of a worker takes absolute URLs; this one names the build. */
  #buildUrl(key: string): string {
    return `https://pages.invalid/${this.#options.version}${key}`;
  }
}

/** Builds what the visitor gets: the policy of the page, and 304 when the copy of the client is current. */
function buildSent(request: Request, stored: Response): Response {
  const headers = new Headers(stored.headers);
  const cacheControl = headers.get(CACHE_CONTROL);
  if (cacheControl !== null) headers.set('cache-control', cacheControl);
  for (const name of [CACHE_CONTROL, STORED_AT, 'age', 'cf-cache-status']) headers.delete(name);
  const etag = headers.get('etag');
  if (etag !== null && isCurrent(request.headers.get('if-none-match'), etag)) {
    headers.delete('content-length');
    return new Response(null, { status: 304, headers });
  }
  const body = request.method === 'HEAD' ? null : stored.body;
  return new Response(body, { status: stored.status, headers });
}

/** A proxy that compresses a response makes its tag a weak one. */
function isCurrent(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
