import type { ArticleCard } from '../../../core/articles/article.ts';
import {
  type ArticleCacheStore,
  buildCard,
  isWholeArticle,
  type StoredPage,
} from '../../../core/articles/article-cache-store.ts';
import { compareNewestFirst } from '../../../core/articles/neighbours.ts';

interface Kept {
  readonly card: ArticleCard;
  readonly body: { readonly html: string; readonly of: string } | null;
}

/** Creates a store that forgets with the process. */
export function createMemoryArticleStore(): ArticleCacheStore {
  const articles = new Map<string, Kept>();
  const pages = new Map<string, StoredPage>();
  const facts = new Map<string, string>();
  const toArticle = ({ card, body }: Kept) => (body ? { ...card, content: body.html } : null);
  const newestFirst = () => [...articles.values()].sort((a, b) => compareNewestFirst(a.card, b.card));
  return {
    readCards: async () => newestFirst().map(({ card, body }) => ({ card, bodyOf: body?.of ?? null })),
    readArticle: async (slug) => {
      const kept = articles.get(slug);
      return kept ? toArticle(kept) : null;
    },
    readArticlesAfter: async (slug, count) =>
      [...articles.keys()]
        .filter((key) => key > slug)
        .sort()
        .flatMap((key) => articles.get(key) ?? [])
        .flatMap((kept) => toArticle(kept) ?? [])
        .slice(0, count),
    write: async (items) => {
      for (const item of items) {
        const body = isWholeArticle(item)
          ? { html: item.content, of: item.updatedAt }
          : (articles.get(item.slug)?.body ?? null);
        articles.set(item.slug, { card: buildCard(item), body });
      }
    },
    remove: async (slug) => {
      articles.delete(slug);
    },
    readPages: async () => [...pages.values()],
    writePage: async (page) => {
      pages.delete(page.key);
      pages.set(page.key, page);
    },
    readFact: async (name) => facts.get(name) ?? null,
    writeFact: async (name, value) => {
      facts.set(name, value);
    },
    prune: async (bounds) => {
      for (const key of [...pages.keys()].slice(0, Math.max(0, pages.size - bounds.pages))) pages.delete(key);
      let bytes = 0;
      const dropped = newestFirst().filter(({ body }, index) => {
        bytes += Buffer.byteLength(body?.html ?? '');
        return index >= bounds.articles || bytes > bounds.bytes;
      });
      for (const { card } of dropped) articles.delete(card.slug);
      return dropped.map(({ card }) => card.slug);
    },
    close: async () => undefined,
  };
}
