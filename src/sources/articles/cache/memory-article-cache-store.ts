import { type Article, type ArticleSummary, compareNewestFirst } from '../../../core/articles/article.ts';
import {
  type ArticleCacheStore,
  buildSummary,
  isArticle,
  type StoredPage,
} from '../../../stores/article-copies.ts';

interface Row {
  readonly summary: ArticleSummary;
  /** The last whole article with this slug. */
  readonly article: Article | null;
}

/** Creates a store whose content is lost with the process. */
export function createMemoryArticleStore(): ArticleCacheStore {
  const rows = new Map<string, Row>();
  const pages = new Map<string, StoredPage>();
  let isComplete = false;
  const getArticle = ({ summary, article }: Row): Article | null => article && { ...article, ...summary };
  const getNewestFirst = () => [...rows.values()].sort((a, b) => compareNewestFirst(a.summary, b.summary));
  return {
    readSummaries: async () =>
      getNewestFirst().map(({ summary, article }) => ({ summary, bodyVersion: article?.updatedAt ?? null })),
    readArticle: async (slug) => {
      const row = rows.get(slug);
      return row ? getArticle(row) : null;
    },
    readArticlesAfter: async (slug, count) =>
      [...rows.keys()]
        .filter((key) => key > slug)
        .sort()
        .flatMap((key) => rows.get(key) ?? [])
        .flatMap((row) => getArticle(row) ?? [])
        .slice(0, count),
    write: async (items) => {
      for (const item of items) {
        const article = isArticle(item) ? item : (rows.get(item.slug)?.article ?? null);
        rows.set(item.slug, { summary: buildSummary(item), article });
      }
    },
    remove: async (slug) => {
      rows.delete(slug);
    },
    readPages: async () => [...pages.values()],
    writePage: async (page) => {
      const key = `${page.page} ${page.limit}`;
      pages.delete(key);
      pages.set(key, page);
    },
    readIsComplete: async () => isComplete,
    writeIsComplete: async () => {
      isComplete = true;
    },
    prune: async ({ maxArticles, maxPages, maxBytes }) => {
      for (const key of [...pages.keys()].slice(0, Math.max(0, pages.size - maxPages))) pages.delete(key);
      let bytes = 0;
      const removed = getNewestFirst().filter(({ article }, index) => {
        bytes += Buffer.byteLength(article?.content ?? '');
        return index >= maxArticles || bytes > maxBytes;
      });
      for (const { summary } of removed) rows.delete(summary.slug);
      return removed.map(({ summary }) => summary.slug);
    },
    takeForeignChange: async () => false,
    close: async () => undefined,
  };
}
