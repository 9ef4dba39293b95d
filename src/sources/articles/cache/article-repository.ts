import { type Article, type ArticleSummary, compareNewestFirst } from '../../../core/articles/article.ts';
import type { ArticleListQuery } from '../../../core/articles/article-source.ts';
import {
  type ArticleCacheStore,
  buildSummary,
  isArticle,
  type StoredPage,
} from '../../../stores/article-copies.ts';
import type { ArticleFinder, BodyText, SearchableArticles } from '../article-finder.ts';
import { ArticleSearch } from '../article-search.ts';
import { buildChanges, buildSearchText, buildSearchTexts } from './search-texts.ts';

export interface RepositoryOptions {
  readonly store: ArticleCacheStore;
  /** Creates the search over the articles; in memory when left out. */
  readonly createSearch?: ((articles: SearchableArticles) => ArticleFinder) | undefined;
  /** Called with what the store could not read or write: the repository goes on without it. */
  onStoreError(error: unknown): void;
  /** Called when a known article has a new version or is removed. */
  onChange(slug: string, change: ArticleChange): void;
}

/** What happened to an article that was known. */
export type ArticleChange = 'updated' | 'removed';

const BOUNDS = { maxArticles: 20_000, maxPages: 2_000, maxBytes: 500_000_000 };

/** Every article that was ever read: summaries and pages in memory, bodies in the store, and the search over both. */
export class ArticleRepository implements SearchableArticles {
  readonly search: ArticleFinder;
  readonly #store: ArticleCacheStore;
  readonly #options: RepositoryOptions;
  readonly #summaries = new Map<string, ArticleSummary>();
  readonly #bodyVersions = new Map<string, string>();
  readonly #pages = new Map<string, StoredPage>();
  #isComplete = false;
  /** Whether the store could be read once. */
  #isLoaded = false;
  #isClosed = false;
  #newestFirst: readonly ArticleSummary[] | null = null;

  /** Opens the repository with what the store contains and fills the search in the background. */
  static async open(options: RepositoryOptions): Promise<ArticleRepository> {
    const repository = new ArticleRepository(options);
    await repository.#load();
    repository.search.fill();
    return repository;
  }

  private constructor(options: RepositoryOptions) {
    this.#store = options.store;
    this.#options = options;
    this.search = options.createSearch?.(this) ?? new ArticleSearch(this);
  }

  /** Every summary, newest first; the same array until an article changes. */
  getSummaries(): readonly ArticleSummary[] {
    this.#newestFirst ??= [...this.#summaries.values()].sort(compareNewestFirst);
    return this.#newestFirst;
  }

  getSummary(slug: string): ArticleSummary | null {
    return this.#summaries.get(slug) ?? null;
  }

  /** Whether the stored body belongs to the version that the summary describes. */
  hasCurrentBody(slug: string): boolean {
    const version = this.#bodyVersions.get(slug);
    return version !== undefined && version >= (this.#summaries.get(slug)?.updatedAt ?? '');
  }

  /** `updatedAt` of the article that the stored body belongs to; null: no body is stored. */
  getBodyVersion(slug: string): string | null {
    return this.#bodyVersions.get(slug) ?? null;
  }

  get bodies(): number {
    return this.#bodyVersions.size;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  getPage(query: ArticleListQuery): StoredPage | null {
    return this.#pages.get(buildPageKey(query)) ?? null;
  }

  readArticle(slug: string): Promise<Article | null> {
    return this.#tolerate(this.#store.readArticle(slug), null);
  }

  async readText(slug: string): Promise<string> {
    return buildSearchText(await this.readArticle(slug));
  }

  async readTextsAfter(slug: string, count: number): Promise<readonly BodyText[]> {
    const articles = await this.#tolerate(this.#store.readArticlesAfter(slug, count), []);
    return buildSearchTexts(articles);
  }

  async write(items: readonly (ArticleSummary | Article)[]): Promise<void> {
    for (const item of items) {
      const known = this.#summaries.get(item.slug);
      this.#summaries.set(item.slug, buildSummary(item));
      if (isArticle(item)) this.#bodyVersions.set(item.slug, item.updatedAt);
      if (known && known.updatedAt !== item.updatedAt) this.#options.onChange(item.slug, 'updated');
    }
    this.#newestFirst = null;
    await this.#tolerate(this.#store.write(items), undefined);
    await this.#tolerate(this.search.put(await buildChanges(items)), undefined);
  }

  async writePage(page: StoredPage): Promise<void> {
    this.#pages.set(buildPageKey(page), page);
    await this.#tolerate(this.#store.writePage(page), undefined);
  }

  async writeIsComplete(): Promise<void> {
    this.#isComplete = true;
    await this.#tolerate(this.#store.writeIsComplete(), undefined);
  }

  async remove(slug: string): Promise<void> {
    this.#forget(slug);
    await this.#tolerate(this.#store.remove(slug), undefined);
  }

  /** Removes what exceeds the bounds of memory and store. */
  async prune(): Promise<void> {
    for (const slug of await this.#tolerate(this.#store.prune(BOUNDS), [])) this.#forget(slug);
    const excess = Math.max(0, this.#pages.size - BOUNDS.maxPages);
    for (const key of [...this.#pages.keys()].slice(0, excess)) this.#pages.delete(key);
  }

  /** Reads the store again when another process has written to it, or it could not be read so far. */
  async followStore(): Promise<boolean> {
    const isChanged = await this.#tolerate(this.#store.takeForeignChange(), false);
    if (this.#isLoaded && !isChanged) return false;
    const before = [...this.#summaries.keys()];
    if (!(await this.#load())) return false;
    const removed = before.filter((slug) => !this.#summaries.has(slug));
    for (const slug of removed) this.search.remove(slug);
    this.search.fill();
    for (const slug of removed) this.#options.onChange(slug, 'removed');
    for (const slug of this.#summaries.keys()) this.#options.onChange(slug, 'updated');
    return true;
  }

  /** Closes the store when the filling of the search index has ended. */
  async close(): Promise<void> {
    await this.search.filled;
    this.#isClosed = true;
    await this.#store.close();
  }

  async #load(): Promise<boolean> {
    const store = this.#store;
    const summaries = await this.#tolerate(store.readSummaries(), null);
    const pages = await this.#tolerate(store.readPages(), []);
    const isComplete = await this.#tolerate(store.readIsComplete(), this.#isComplete);
    if (summaries === null) return false;
    this.#isLoaded = true;
    for (const map of [this.#summaries, this.#bodyVersions, this.#pages]) map.clear();
    this.#newestFirst = null;
    for (const { summary, bodyVersion } of summaries) {
      this.#summaries.set(summary.slug, summary);
      if (bodyVersion !== null) this.#bodyVersions.set(summary.slug, bodyVersion);
    }
    for (const page of pages) this.#pages.set(buildPageKey(page), page);
    this.#isComplete = isComplete;
    return true;
  }

  #forget(slug: string): void {
    const wasKnown = this.#summaries.delete(slug);
    this.#bodyVersions.delete(slug);
    this.search.remove(slug);
    if (!wasKnown) return;
    this.#newestFirst = null;
    this.#options.onChange(slug, 'removed');
  }

  #tolerate<T>(work: Promise<T>, fallback: T): Promise<T> {
    return work.catch((error: unknown) => {
      // A refresh that ends after the store was closed cannot store its result; that is expected.
      if (!this.#isClosed) this.#options.onStoreError(error);
      return fallback;
    });
  }
}

function buildPageKey({ page, limit }: ArticleListQuery): string {
  return `${page} ${limit}`;
}
