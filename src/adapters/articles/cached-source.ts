import type { Article, ArticleCard, ArticlePage } from '../../core/articles/article.ts';
import type { ArticleCacheStore } from '../../core/articles/article-cache-store.ts';
import { isArticleSlug } from '../../core/articles/article-slug.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import type { Clock } from '../../core/clock.ts';
import { openArticleLibrary, slicePage } from './cache/article-library.ts';
import { createBudget } from './cache/budget.ts';
import { createCachedMaps } from './cache/cached-maps.ts';
import { createCrawler } from './cache/crawler.ts';
import { createUpstreamGate, type GateStatus } from './cache/upstream-gate.ts';

/** How a source is cached. */
export interface CachedSourceOptions {
  readonly source: ArticleSource;
  readonly store: ArticleCacheStore;
  readonly clock: Clock;
  /** A number in [0, 1): spreads attempts over time. */
  readonly random: () => number;
  /** Ms for which a copy is given out without asking. */
  readonly freshMs: number;
  /** Ms between two calls of the background reader; null: it does not run. */
  readonly crawlPauseMs: number | null;
  /** Hears of the first failure in a row and of the recovery. */
  onGateChange(status: GateStatus): void;
  /** Hears that the store could not keep or read a copy; the site goes on. */
  onStoreError(error: unknown): void;
}

/** How the cache and its source are doing. */
export interface CacheStatus extends GateStatus {
  /** Articles that can be listed and found. */
  readonly articles: number;
  /** Of these, how many can be read without the source. */
  readonly bodies: number;
  /** Whether every page of the source has been read once. */
  readonly complete: boolean;
}

/** A source that outlives the one behind it. */
export interface CachedSource extends ArticleSource {
  /** Everything that is known, newest first. */
  cards(): readonly ArticleCard[];
  /** The articles that share the most telling words with one; empty: nothing is known of it. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleCard[]>;
  status(): CacheStatus;
  /** Resolves when the search index knows what the store held at the start. */
  readonly filled: Promise<void>;
  close(): Promise<void>;
}

/** Calls for what nobody has a copy of: so many at once, then so many a second. */
const MISSES = { burst: 60, perSecond: 10 };

/**
 * Creates a source that gives out fresh copies, then stale ones at once with one refresh behind and, while its
 * source fails, the last good ones for as long as it fails, across restarts. Search works on what is known.
 */
export async function createCachedSource(options: CachedSourceOptions): Promise<CachedSource> {
  const { store, clock } = options;
  let isOpen = true;
  const library = await openArticleLibrary(store, (error) => {
    // A refresh that ends after the end has nowhere to put its copy, which is no news.
    if (isOpen) options.onStoreError(error);
  });
  const gate = createUpstreamGate({ clock, random: options.random, onChange: options.onGateChange });
  const { pages, articles, searches } = createCachedMaps({ ...options, library, gate });
  const mayMiss = createBudget({ clock, ...MISSES });
  const assertMayMiss = () => {
    if (!mayMiss())
      throw new ArticleSourceError('rate-limited', '[articles:cache] too many unknown things are asked for');
  };
  const list = async (page: number, limit: number): Promise<ArticlePage> => {
    const key = `${page}:${limit}`;
    try {
      if (!pages.has(key) && !library.pages.has(key)) assertMayMiss();
      const { slugs, hasMore } = await pages.read(key);
      return { articles: slugs.flatMap((slug) => library.card(slug) ?? []), hasMore };
    } catch (error) {
      const known = slicePage(library.cards(), page, limit);
      if (known.articles.length > 0) return known;
      throw error;
    }
  };
  const search = async (text: string, page: number, limit: number): Promise<ArticlePage> => {
    const local = () => library.search.find({ text, page, limit });
    if (library.isComplete()) return local();
    try {
      const key = `${page}:${limit}:${text}`;
      if (!searches.has(key)) assertMayMiss();
      return await searches.read(key);
    } catch (error) {
      if (library.cards().length > 0) return local();
      throw error;
    }
  };
  const get = async (slug: string): Promise<Article | null> => {
    if (!isArticleSlug(slug)) return null;
    if (!articles.has(slug) && !library.card(slug)) assertMayMiss();
    return articles.read(slug);
  };
  const crawler =
    options.crawlPauseMs === null
      ? null
      : createCrawler({
          library,
          refreshPage: pages.refresh,
          refreshArticle: articles.refresh,
          isOpen: gate.isOpen,
          pauseMs: options.crawlPauseMs,
          everyMs: options.freshMs,
        });
  crawler?.start();
  return {
    list: ({ page, limit }) => list(page, limit),
    search: ({ text, page, limit }) =>
      text.trim() === '' ? list(page, limit) : search(text.trim(), page, limit),
    get,
    cards: library.cards,
    findRelated: library.search.findRelated,
    get filled() {
      return library.search.filled;
    },
    status: () => ({
      ...gate.status(),
      articles: library.cards().length,
      bodies: library.bodies(),
      complete: library.isComplete(),
    }),
    async close() {
      await crawler?.stop();
      await library.search.filled;
      isOpen = false;
      await store.close();
    },
  };
}
