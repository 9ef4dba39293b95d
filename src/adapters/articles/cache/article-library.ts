import type { Article, ArticleCard, ArticlePage } from '../../../core/articles/article.ts';
import {
  type ArticleCacheStore,
  buildCard,
  isWholeArticle,
  type StoredPage,
} from '../../../core/articles/article-cache-store.ts';
import { readText } from '../../../core/articles/html-tags.ts';
import { compareNewestFirst } from '../../../core/articles/neighbours.ts';
import { createLibrarySearch, type LibrarySearch } from '../search/library-search.ts';

/** Every article that was ever read, held in memory as cards and in the store with bodies. */
export interface ArticleLibrary {
  /** Newest first. */
  cards(): readonly ArticleCard[];
  card(slug: string): ArticleCard | null;
  /** Whether the kept body belongs to the version that the card speaks of. */
  hasCurrentBody(slug: string): boolean;
  /** How many articles have a body here. */
  bodies(): number;
  readArticle(slug: string): Promise<Article | null>;
  remember(items: readonly (ArticleCard | Article)[]): Promise<void>;
  forget(slug: string): Promise<void>;
  pages: ReadonlyMap<string, StoredPage>;
  rememberPage(page: StoredPage): Promise<void>;
  /** Whether every page of the source has been read once. */
  isComplete(): boolean;
  markComplete(): Promise<void>;
  readonly search: LibrarySearch;
  /** Keeps memory and file within bounds. */
  prune(): Promise<void>;
}

const BOUNDS = { articles: 20_000, pages: 2_000, bytes: 500_000_000 };

/** Why the store could not keep or read something; the library goes on without it. */
export type OnStoreError = (error: unknown) => void;

/** Opens the library: cards and pages at once, the search index behind. */
export async function openArticleLibrary(
  store: ArticleCacheStore,
  onStoreError: OnStoreError,
): Promise<ArticleLibrary> {
  const tolerate = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    work.catch((error: unknown) => {
      onStoreError(error);
      return otherwise;
    });
  const stored = await tolerate(store.readCards(), []);
  const cards = new Map(stored.map(({ card }) => [card.slug, card]));
  const bodyOf = new Map(stored.flatMap(({ card, bodyOf: of }) => (of === null ? [] : [[card.slug, of]])));
  const pages = new Map((await tolerate(store.readPages(), [])).map((page) => [page.key, page]));
  let complete = (await tolerate(store.readFact('complete'), null)) === 'yes';
  let sorted: readonly ArticleCard[] | null = null;
  const readArticle = (slug: string) => tolerate(store.readArticle(slug), null);
  const search = createLibrarySearch({
    card: (slug) => cards.get(slug) ?? null,
    cards: () => [...cards.values()],
    readBody: async (slug) => readText((await readArticle(slug))?.content ?? ''),
    readBodiesAfter: async (after, count) => {
      const articles = await tolerate(store.readArticlesAfter(after, count), []);
      return articles.map(({ slug, content }) => ({ slug, text: readText(content) }));
    },
  });
  const drop = (slug: string) => {
    cards.delete(slug);
    bodyOf.delete(slug);
    search.remove(slug);
    sorted = null;
  };
  return {
    pages,
    search,
    readArticle,
    cards: () => {
      sorted ??= [...cards.values()].sort(compareNewestFirst);
      return sorted;
    },
    card: (slug) => cards.get(slug) ?? null,
    hasCurrentBody: (slug) => {
      const of = bodyOf.get(slug);
      return of !== undefined && of >= (cards.get(slug)?.updatedAt ?? '');
    },
    bodies: () => bodyOf.size,
    async remember(items) {
      for (const item of items) {
        cards.set(item.slug, buildCard(item));
        if (isWholeArticle(item)) bodyOf.set(item.slug, item.updatedAt);
      }
      sorted = null;
      await tolerate(store.write(items), undefined);
      for (const item of items) {
        await search.put(buildCard(item), isWholeArticle(item) ? readText(item.content) : null);
      }
    },
    async forget(slug) {
      drop(slug);
      await tolerate(store.remove(slug), undefined);
    },
    async rememberPage(page) {
      pages.set(page.key, page);
      await tolerate(store.writePage(page), undefined);
    },
    isComplete: () => complete,
    async markComplete() {
      complete = true;
      await tolerate(store.writeFact('complete', 'yes'), undefined);
    },
    async prune() {
      for (const slug of await tolerate(store.prune(BOUNDS), [])) drop(slug);
      for (const key of [...pages.keys()].slice(0, Math.max(0, pages.size - BOUNDS.pages))) pages.delete(key);
    },
  };
}

/** Cuts one page out of cards. */
export function slicePage(cards: readonly ArticleCard[], page: number, limit: number): ArticlePage {
  const end = page * limit;
  return { articles: cards.slice(end - limit, end), hasMore: cards.length > end };
}
