import { setTimeout } from 'node:timers/promises';
import { ARTICLES_PER_PAGE } from '../../../core/articles/article.ts';
import type { StoredPage } from '../../../core/articles/article-cache-store.ts';
import type { ArticleLibrary } from './article-library.ts';
import { SECOND_LOOK_MS } from './refreshing-map.ts';

/** What the crawler walks through. */
export interface CrawlerOptions {
  readonly library: ArticleLibrary;
  /** Asks the source for a page and remembers it. */
  refreshPage(key: string): Promise<StoredPage>;
  /** Asks the source for an article and remembers it, or that it is gone. */
  refreshArticle(slug: string): Promise<unknown>;
  /** Whether the source may be asked at all right now. */
  isOpen(): boolean;
  /** Ms between two calls. */
  readonly pauseMs: number;
  /** Ms between two walks over the first pages. */
  readonly everyMs: number;
}

/** Reads the whole source in the background, slowly, so that search and every page outlive it. */
export interface Crawler {
  start(): void;
  stop(): Promise<void>;
}

const MOST_PAGES = 20_000 / ARTICLES_PER_PAGE;
/** Every so many walks, all pages are read again: old articles change and go, too. */
const WHOLE_WALK_EVERY = 72;

/** Creates a crawler; nothing is asked before `start`. */
export function createCrawler(options: CrawlerOptions): Crawler {
  const { library } = options;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let emptyWalks = 0;
  const pause = (ms: number) => setTimeout(ms, undefined, { signal: stopping.signal, ref: false });

  /** Reads pages until the last, or until one brings nothing new; whether it saw all of them. */
  const walk = async (whole: boolean): Promise<ReadonlySet<string> | null> => {
    const seen = new Set<string>();
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { slugs, hasMore } = await options.refreshPage(`${page}:${ARTICLES_PER_PAGE}`);
      const isKnown = slugs.every((slug) => library.hasCurrentBody(slug));
      for (const slug of slugs) seen.add(slug);
      if (!hasMore) return seen;
      if (!whole && isKnown) return null;
      await pause(options.pauseMs);
    }
    return seen;
  };
  /** One article that cannot be had must not keep the others away; a source that fails must. */
  const ask = async (slugs: readonly string[]) => {
    for (const slug of slugs) {
      if (!options.isOpen()) return;
      await options.refreshArticle(slug).catch(() => undefined);
      await pause(options.pauseMs);
    }
  };
  const slugsOf = (isWanted: (slug: string) => boolean) =>
    library
      .cards()
      .map(({ slug }) => slug)
      .filter(isWanted);
  const askForUnseen = async (seen: ReadonlySet<string>) => {
    emptyWalks = seen.size === 0 ? emptyWalks + 1 : 0;
    const unseen = slugsOf((slug) => !seen.has(slug));
    if (emptyWalks === 1 || unseen.length === 0) return;
    await ask(unseen);
    await pause(SECOND_LOOK_MS);
    await ask(unseen.filter((slug) => library.card(slug) !== null));
  };
  const run = async () => {
    for (let count = 0; !stopping.signal.aborted; count++) {
      try {
        const seen = await walk(count % WHOLE_WALK_EVERY === 0 || !library.isComplete());
        await ask(slugsOf((slug) => !library.hasCurrentBody(slug)));
        if (seen) {
          await askForUnseen(seen);
          await library.markComplete();
        }
        await library.prune();
      } catch {
        // The source fails or the process stops; the gate has noted the one, the loop sees the other.
      }
      await pause(options.everyMs).catch(() => undefined);
    }
  };
  return {
    start: () => {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
