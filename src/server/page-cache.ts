import type { PreparedAnswer } from './http/send-prepared.ts';

/** A rendered page, ready to send. */
export interface RenderedPage extends PreparedAnswer {
  /** Whether it may be kept: errors and answers to forms are not. */
  readonly keep: boolean;
}

interface Entry {
  readonly page: RenderedPage;
  readonly bytes: number;
  readonly freshUntil: number;
}

/**
 * Keeps rendered pages in memory: fresh for `freshMs`, after that served at once while one new rendering runs behind.
 * Requests for a page that is not there share one rendering. Bounded by `maxPages` and `maxBytes`, the least recently used go first.
 */
export function createPageCache(options: {
  readonly freshMs: number;
  readonly maxPages: number;
  /** Of all bodies; each counts half again for its compressed forms. */
  readonly maxBytes: number;
  /** Monotonic clock in ms. */
  readonly now: () => number;
}) {
  const entries = new Map<string, Entry>();
  const rendering = new Map<string, Promise<RenderedPage>>();
  let bytes = 0;

  function renderOnce(key: string, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const running = rendering.get(key);
    if (running !== undefined) return running;
    const started = render()
      .then((page) => {
        if (page.keep) put(key, page);
        else if (page.status === 404) remove(key);
        return page;
      })
      .finally(() => rendering.delete(key));
    rendering.set(key, started);
    return started;
  }

  function put(key: string, page: RenderedPage): void {
    const before = entries.get(key)?.page;
    remove(key);
    // Most pages are rendered again as they were: what was compressed stays.
    const kept = before !== undefined && before.etag === page.etag ? { ...page, body: before.body } : page;
    const entry = { page: kept, bytes: countBytes(page), freshUntil: options.now() + options.freshMs };
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (entries.size <= options.maxPages && bytes <= options.maxBytes) break;
      remove(oldest);
    }
  }

  function remove(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
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

function countBytes({ body }: RenderedPage): number {
  return body.identity.bytes.byteLength * 1.5;
}

export type PageCache = ReturnType<typeof createPageCache>;
