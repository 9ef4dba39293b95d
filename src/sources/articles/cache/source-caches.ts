import type { Article, ArticleListPage, ArticleSummary } from '../../../core/articles/article.ts';
import type { ArticleListQuery, ArticleSearchQuery } from '../../../core/articles/article-source.ts';
import { markWords } from '../../../core/articles/mark-words.ts';
import { splitWords } from '../../../core/text/words.ts';
import { buildSummary, type StoredPage, slicePage } from '../../../stores/article-copies.ts';
import type { ArticleRepository } from './article-repository.ts';
import type { CachedSourceOptions } from './cached-source-options.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ReadThroughCache } from './read-through-cache.ts';
import type { SourceCache, SourceCacheOptions } from './source-cache.ts';
import { StaleWhileRevalidateCache } from './stale-while-revalidate-cache.ts';

export interface SourceCaches {
  readonly pages: SourceCache<ArticleListQuery, StoredPage>;
  /** By slug; null: the article does not exist. */
  readonly articles: SourceCache<string, Article | null>;
  /** Present slug by former slug; null: none. */
  readonly moves: SourceCache<string, string | null>;
  readonly searches: SourceCache<ArticleSearchQuery, ArticleListPage>;
}

interface SourceCachesOptions
  extends Pick<CachedSourceOptions, 'source' | 'clock' | 'random' | 'freshMs' | 'shared'> {
  readonly repository: ArticleRepository;
  readonly breaker: CircuitBreaker;
}

const MAX_PAGES = 2_000;
const MAX_ARTICLES = 500;
const MAX_SEARCHES = 200;
/** How long the absence of an article is fresh. */
const ABSENT_MS = 30_000;

/** Creates the caches of a source, whose copies survive in the repository. */
export function createSourceCaches(options: SourceCachesOptions): SourceCaches {
  return {
    pages: createPageCache(options),
    articles: createArticleCache(options),
    moves: createMoveCache(options),
    searches: createSearchCache(options),
  };
}

function createCache<Query extends {}, Value>({
  shared,
  ...options
}: SourceCacheOptions<Query, Value> & Pick<SourceCachesOptions, 'shared'>): SourceCache<Query, Value> {
  return shared
    ? new ReadThroughCache({ ...options, keepAlive: shared.keepAlive })
    : new StaleWhileRevalidateCache(options);
}

function createPageCache({ source, repository, freshMs, ...parts }: SourceCachesOptions) {
  return createCache<ArticleListQuery, StoredPage>({
    ...parts,
    max: MAX_PAGES,
    getFreshMs: () => freshMs,
    load: async (query) => {
      const { articles, hasMore } = await source.list(query);
      await repository.write(articles);
      return buildStoredPage(query, articles, hasMore);
    },
    recover: async (query) => {
      const stored = repository.getPage(query);
      if (stored || !repository.isComplete) return stored ?? undefined;
      const { articles, hasMore } = slicePage(repository.getSummaries(), query);
      return buildStoredPage(query, articles, hasMore);
    },
    needsConfirmation: (old, fresh) => old.slugs.length > 0 && fresh.slugs.length === 0,
    onUpdate: (_, page) => repository.writePage(page),
  });
}

function createArticleCache({ source, repository, freshMs, ...parts }: SourceCachesOptions) {
  return createCache<string, Article | null>({
    ...parts,
    max: MAX_ARTICLES,
    getFreshMs: (article) => (article ? freshMs : Math.min(ABSENT_MS, freshMs)),
    load: (slug) => source.get(slug),
    recover: async (slug) => {
      if (!repository.getSummary(slug)) return undefined;
      return (await repository.readArticle(slug)) ?? undefined;
    },
    needsConfirmation: (old, fresh) => old !== null && fresh === null,
    onUpdate: (slug, article) => (article ? repository.write([article]) : repository.remove(slug)),
  });
}

function createMoveCache({ source, freshMs, ...parts }: SourceCachesOptions) {
  return createCache<string, string | null>({
    ...parts,
    max: MAX_ARTICLES,
    getFreshMs: () => freshMs,
    load: async (slug) => (await source.findMoved?.(slug)) ?? null,
  });
}

function createSearchCache({ source, repository, freshMs, ...parts }: SourceCachesOptions) {
  return createCache<ArticleSearchQuery, ArticleListPage>({
    ...parts,
    max: MAX_SEARCHES,
    getFreshMs: () => freshMs,
    load: async (query) => {
      const found = await source.search(query);
      await repository.write(found.articles);
      return markMatches(found, query.text);
    },
  });
}

function buildStoredPage(
  { page, limit }: ArticleListQuery,
  articles: readonly ArticleSummary[],
  hasMore: boolean,
): StoredPage {
  return { page, limit, slugs: articles.map(({ slug }) => slug), hasMore };
}

function markMatches({ articles, hasMore }: ArticleListPage, text: string): ArticleListPage {
  const words = new Set(splitWords(text));
  const marked = articles.map((article) => ({
    ...buildSummary(article),
    excerptParts: markWords(article.excerpt, (word) => words.has(word)),
  }));
  return { articles: marked, hasMore };
}
