import type { Article, ArticleCard, ArticlePage } from '../../../core/articles/article.ts';
import { buildCard, type StoredPage } from '../../../core/articles/article-cache-store.ts';
import type { ArticleSource } from '../../../core/articles/article-source.ts';
import { markWords } from '../../../core/articles/marked-text.ts';
import { readWords } from '../../../core/articles/words.ts';
import type { Clock } from '../../../core/clock.ts';
import { type ArticleLibrary, slicePage } from './article-library.ts';
import { createRefreshingMap, type RefreshingMap } from './refreshing-map.ts';
import type { UpstreamGate } from './upstream-gate.ts';

/** What the cache keeps of its source: pages by `{page}:{limit}`, articles by slug, searches by `{page}:{limit}:{text}`. */
export interface CachedMaps {
  readonly pages: RefreshingMap<StoredPage>;
  readonly articles: RefreshingMap<Article | null>;
  readonly searches: RefreshingMap<ArticlePage>;
}

/** For how long it counts that an article does not exist; ms. */
const ABSENT_MS = 30_000;

/** Creates the three maps over one source, one library and one gate. */
export function createCachedMaps(options: {
  readonly source: ArticleSource;
  readonly library: ArticleLibrary;
  readonly gate: UpstreamGate;
  readonly clock: Clock;
  readonly random: () => number;
  readonly freshMs: number;
}): CachedMaps {
  const { source, library, freshMs } = options;
  const pages = createRefreshingMap<StoredPage>({
    ...options,
    limit: 2_000,
    freshFor: () => freshMs,
    load: async (key) => {
      const [page = 1, limit = 1] = key.split(':').map(Number);
      const { articles, hasMore } = await source.list({ page, limit });
      await library.remember(articles);
      return { key, slugs: articles.map(({ slug }) => slug), hasMore };
    },
    recover: async (key) => library.pages.get(key) ?? recoverPage(key, library),
    isDoubtful: (old, fresh) => old.slugs.length > 0 && fresh.slugs.length === 0,
    onAccepted: (_, page) => library.rememberPage(page),
  });
  const articles = createRefreshingMap<Article | null>({
    ...options,
    limit: 500,
    freshFor: (article) => (article ? freshMs : Math.min(ABSENT_MS, freshMs)),
    load: (slug) => source.get(slug),
    recover: async (slug) =>
      library.card(slug) ? ((await library.readArticle(slug)) ?? undefined) : undefined,
    isDoubtful: (old, fresh) => old !== null && fresh === null,
    onAccepted: (slug, article) => (article ? library.remember([article]) : library.forget(slug)),
  });
  const searches = createRefreshingMap<ArticlePage>({
    ...options,
    limit: 200,
    freshFor: () => freshMs,
    load: async (key) => {
      const [page = '', limit = '', ...text] = key.split(':');
      const query = { text: text.join(':'), page: Number(page), limit: Number(limit) };
      const found = await source.search(query);
      await library.remember(found.articles);
      return markPage(found, query.text);
    },
    recover: async () => undefined,
    isDoubtful: () => false,
    onAccepted: async () => undefined,
  });
  return { pages, articles, searches };
}

/** A page that was never read, out of what is known, once everything is. */
function recoverPage(key: string, library: ArticleLibrary): StoredPage | undefined {
  if (!library.isComplete()) return undefined;
  const [page = 1, limit = 1] = key.split(':').map(Number);
  const { articles, hasMore } = slicePage(library.cards(), page, limit);
  return { key, slugs: articles.map(({ slug }) => slug), hasMore };
}

function markPage({ articles, hasMore }: ArticlePage, text: string): ArticlePage {
  const words = new Set(readWords(text));
  const mark = (card: ArticleCard): ArticleCard => ({
    ...buildCard(card),
    excerptParts: markWords(card.excerpt, (word) => words.has(word)),
  });
  return { articles: articles.map(mark), hasMore };
}
