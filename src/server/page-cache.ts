import type { Encodings } from './compression.ts';

/** A rendered page, ready to send. */
export interface RenderedPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly encodings: Encodings;
  /** Whether it may be kept: errors and answers to forms are not. */
  readonly keep: boolean;
}

interface Entry {
  readonly page: RenderedPage;
  readonly freshUntil: number;
}

/**
 * Keeps rendered pages in memory: fresh for `freshMs`, after that served at once while one new rendering runs behind.
 * Requests for a page that is not there share one rendering. Bounded by `maxPages`, the least recently used go first.
 */
export function createPageCache(options: {
  readonly freshMs: number;
  readonly maxPages: number;
  /** Monotonic clock in ms. */
  readonly now: () => number;
}) {
  const entries = new Map<string, Entry>();
  const rendering = new Map<string, Promise<RenderedPage>>();

  function renderOnce(key: string, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const running = rendering.get(key);
    if (running !== undefined) return running;
    const started = render()
      .then((page) => {
        if (page.keep) put(key, page);
        else if (page.status === 404) entries.delete(key);
        return page;
      })
      .finally(() => rendering.delete(key));
    rendering.set(key, started);
    return started;
  }

  function put(key: string, page: RenderedPage): void {
    entries.delete(key);
    entries.set(key, { page, freshUntil: options.now() + options.freshMs });
    const oldest = entries.keys().next();
    if (entries.size > options.maxPages && oldest.done !== true) entries.delete(oldest.value);
  }

  return {
    /** The page when it is kept (a stale one is renewed behind), else undefined. Synchronous: the hot path. */
    peek(key: string, render: () => Promise<RenderedPage>): RenderedPage | undefined {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.freshUntil < options.now()) {
        // A failed renewal leaves the good copy where it is.
        renderOnce(key, render).catch(() => undefined);
      } else {
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.page;
    },
    read: renderOnce,
    get size() {
      return entries.size;
    },
  };
}

export type PageCache = ReturnType<typeof createPageCache>;
