import { LRUCache } from 'lru-cache';
import type { ResponseCache } from '../../server/app.ts';
import { buildEtag, isUnmodified, type ReadResponse, readResponse } from '../../server/http/responses.ts';
import type { Log } from '../../server/log.ts';
import { StaleWhileRevalidate } from '../../stores/stale-while-revalidate.ts';

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

interface Page extends ReadResponse {
  readonly etag: string;
  /** Ms since 1970. */
  readonly storedAt: number;
}

type Render = () => Promise<ReadResponse>;

/** The part of the Cache API that is used. */
interface PageStore {
  match(request: string): Promise<Response | undefined>;
  put(request: string, response: Response): Promise<void>;
}

/**
 * Stores responses in the Cache API of a data center, with the policy of the page cache of the Node server: fresh for a
 * minute, then sent stale while one new rendering runs in the background. An instance keeps what it has sent in its own
 * memory while it is fresh, which saves reading it from the cache again.
 */
export class EdgeCache implements ResponseCache {
  readonly #cache: PageStore;
  readonly #version: number;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  readonly #log: Log;
  readonly #now: () => number;
  /** Keys that this instance has stored or found. */
  readonly #known = new LRUCache<string, true>({ max: MAX_KEYS });
  readonly #pages: StaleWhileRevalidate<Page, Render>;

  /** `version` identifies the build: a deploy begins with an empty cache. `now`: ms since 1970. */
  constructor(
    cache: PageStore,
    version: number,
    waitUntil: (work: Promise<unknown>) => void,
    log: Log,
    now: () => number = Date.now,
  ) {
    this.#cache = cache;
    this.#version = version;
    this.#waitUntil = waitUntil;
    this.#log = log;
    this.#now = now;
    this.#pages = new StaleWhileRevalidate({
      max: MAX_KEYS,
      size: {
        max: MAX_HELD_BYTES,
        maxEntry: MAX_HELD_PAGE,
        of: ({ body }, key) => body.byteLength + key.length + 1_000,
      },
      now,
      maxStaleMs: MAX_STALE_MS,
      load: (key, render, previous) => this.#load(key, render, previous),
      recover: async (key, _, previous) => {
        const page = await this.#find(key);
        if (page === null || (previous && previous.storedAt >= page.storedAt)) return undefined;
        return { value: page, freshMs: FRESH_MS - (now() - page.storedAt) };
      },
      sharesWork: false,
      keepAlive: waitUntil,
    });
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  async respond(request: Request, key: string, render: Render): Promise<Response> {
    return buildSent(request, await this.#pages.read(key, render));
  }

  async #load(key: string, render: Render, previous: Page | undefined) {
    const page = await this.#render(render, previous);
    const { status, headers } = page;
    if (status !== 200 || /no-store|private/.test(headers['cache-control'] ?? 'no-store')) {
      return { value: page, freshMs: null };
    }
    this.#known.set(key, true);
    // The visitor does not wait for the cache.
    this.#waitUntil(this.#put(key, page));
    return { value: page, freshMs: FRESH_MS };
  }

  /** Rejects when a page that was sent before cannot be rendered: the old one is sent again. */
  async #render(render: Render, previous: Page | undefined): Promise<Page> {
    try {
      const response = await render();
      if (response.status >= 500 && previous) throw new Error(`[edge-cache] status ${response.status}`);
      const etag = response.status === 200 ? `"${buildEtag(response.body)}"` : '';
      const headers = etag === '' ? response.headers : { ...response.headers, etag };
      return { ...response, headers, etag, storedAt: this.#now() };
    } catch (error) {
      if (previous) this.#log.warn('a page could not be re-rendered', { error });
      throw error;
    }
  }

  async #put(key: string, { status, headers, body, storedAt }: Page): Promise<void> {
    const stored = {
      ...headers,
      'cache-control': `public, max-age=${STORE_SECONDS}`,
      [CACHE_CONTROL]: headers['cache-control'] ?? '',
      [STORED_AT]: String(storedAt),
    };
    try {
      await this.#cache.put(this.#buildUrl(key), new Response(body, { status, headers: stored }));
    } catch (error) {
      this.#log.warn('a page could not be stored in the cache', { error });
    }
  }

  /** Reads a page from the cache. A cache that fails has none. */
  async #find(key: string): Promise<Page | null> {
    try {
      const found = await this.#cache.match(this.#buildUrl(key));
      if (found === undefined) return null;
      const page = parsePage(await readResponse(found));
      this.#known.set(key, true);
      return page;
    } catch {
      return null;
    }
  }

  /** The cache of a worker takes absolute URLs; this one names the build. */
  #buildUrl(key: string): string {
    return `https://pages.invalid/${this.#version}${key}`;
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
function buildSent(request: Request, page: Page): Response {
  const { status, headers, body } = page;
  const known = request.headers.get('if-none-match');
  const since = known === null ? request.headers.get('if-modified-since') : null;
  if (page.etag !== '' && (isCurrent(known, page.etag) || isUnmodified(since, headers['last-modified'])))
    return new Response(null, { status: 304, headers });
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

/** A proxy that compresses a response makes its tag a weak one. */
function isCurrent(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
