import { LRUCache } from 'lru-cache';
import type { ResponseCache } from '../../server/app.ts';
import { buildEtag, readResponse } from '../../server/http/buffered-response.ts';
import type { Log } from '../../server/log.ts';

/** Age in ms up to which a response is fresh, and how long after that it is still sent once. */
const FRESH_MS = 60_000;
const MAX_STALE_MS = 600_000;
/** How long the cache may store a response, for when rendering fails; in seconds. */
const STORE_SECONDS = 604_800;
const MAX_KEYS = 5_000;
/** What an instance, which has 128 MB for everything, holds in its own memory. */
const MAX_HELD_BYTES = 8_000_000;
const MAX_HELD_PAGE = 500_000;

const STORED_AT = 'x-stored-at';
const CACHE_CONTROL = 'x-cache-control';

/** A response whose body has been read. */
type ReadResponse = Awaited<ReturnType<typeof readResponse>>;

/** A stored response, as visitors get it. */
interface Page extends ReadResponse {
  readonly etag: string;
  /** Ms since 1970. */
  readonly storedAt: number;
}

type Render = () => Promise<Response>;

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
 * minute, then sent stale while one new rendering runs in the background. An instance keeps what it has sent in its own
 * memory while it is fresh, which saves reading it from the cache again.
 */
export class EdgeCache implements ResponseCache {
  readonly #options: Required<EdgeCacheOptions>;
  /** Keys that this instance has stored or found. */
  readonly #known = new LRUCache<string, true>({ max: MAX_KEYS });
  readonly #held = new LRUCache<string, Page>({
    maxSize: MAX_HELD_BYTES,
    maxEntrySize: MAX_HELD_PAGE,
    sizeCalculation: ({ body }, key) => body.byteLength + key.length + 1_000,
  });
  readonly #rendering = new Set<string>();

  constructor(options: EdgeCacheOptions) {
    this.#options = { now: Date.now, ...options };
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  async respond(request: Request, key: string, render: Render): Promise<Response> {
    const held = this.#held.get(key);
    if (held !== undefined && this.#getAge(held) <= FRESH_MS) return buildSent(request, held);
    const stored = await this.#find(key);
    const age = stored === null ? Number.POSITIVE_INFINITY : this.#getAge(stored);
    if (stored !== null && age <= FRESH_MS + MAX_STALE_MS) {
      if (age > FRESH_MS) this.#refresh(key, render);
      return buildSent(request, stored);
    }
    return buildSent(request, await this.#renderOrFall(key, render, stored));
  }

  /** Renders a response; when that fails, sends the old one if there is any. */
  async #renderOrFall(key: string, render: Render, old: Page | null): Promise<Page | ReadResponse> {
    try {
      const response = await this.#renderAndStore(key, render);
      return response.status >= 500 && old !== null ? old : response;
    } catch (error) {
      if (old !== null) return old;
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

  async #renderAndStore(key: string, render: Render): Promise<Page | ReadResponse> {
    const response = await readResponse(await render());
    const { status, headers, body } = response;
    const cacheControl = headers['cache-control'] ?? 'no-store';
    if (status !== 200 || /no-store|private/.test(cacheControl)) return response;
    const etag = `"${buildEtag(body)}"`;
    const page = { ...response, headers: { ...headers, etag }, etag, storedAt: this.#options.now() };
    this.#hold(key, page);
    // The visitor does not wait for the cache.
    this.#options.waitUntil(this.#put(key, page));
    return page;
  }

  #hold(key: string, page: Page): void {
    this.#known.set(key, true);
    this.#held.set(key, page);
  }

  async #put(key: string, { status, headers, body, storedAt }: Page): Promise<void> {
    const stored = {
      ...headers,
      'cache-control': `public, max-age=${STORE_SECONDS}`,
      [CACHE_CONTROL]: headers['cache-control'] ?? '',
      [STORED_AT]: String(storedAt),
    };
    try {
      await this.#options.cache.put(this.#buildUrl(key), new Response(body, { status, headers: stored }));
    } catch (error) {
      this.#options.log.warn('a page could not be stored in the cache', { error });
    }
  }

  /** Reads a page from the cache, and keeps it in memory. A cache that fails has none. */
  async #find(key: string): Promise<Page | null> {
    try {
      const found = await this.#options.cache.match(this.#buildUrl(key));
      if (found === undefined) return null;
      const page = parsePage(await readResponse(found));
      this.#hold(key, page);
      return page;
    } catch {
      return null;
    }
  }

  #getAge({ storedAt }: Page): number {
    return this.#options.now() - storedAt;
  }

  /** The cache of a worker takes absolute URLs; this one names the build. */
  #buildUrl(key: string): string {
    return `https://pages.invalid/${this.#options.version}${key}`;
  }
}

/** The page with its own policy, and without what the cache has added. */
function parsePage({ status, headers: stored, body }: ReadResponse): Page {
  const {
    [CACHE_CONTROL]: cacheControl = 'no-store',
    [STORED_AT]: storedAt,
    age: _age,
    'cf-cache-status': _status,
    'content-length': _length,
    ...headers
  } = stored;
  const sent = { ...headers, 'cache-control': cacheControl };
  return { status, headers: sent, body, etag: headers['etag'] ?? '', storedAt: Number(storedAt) };
}

/** Builds what the visitor gets: 304 when the copy of the client is current. */
function buildSent(request: Request, page: Page | ReadResponse): Response {
  const { status, headers, body } = page;
  if ('etag' in page && isCurrent(request.headers.get('if-none-match'), page.etag))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

/** A proxy that compresses a response makes its tag a weak one. */
function isCurrent(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
