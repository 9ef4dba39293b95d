import type { ArticleListPage } from '../../core/articles/article.ts';
import { type Article, type ArticleSummary, compareNewestFirst } from '../../core/articles/article.ts';
import type { ArticleListQuery, ArticleSearchQuery } from '../../core/articles/article-source.ts';
import {
  DELETION_WINDOW_MS,
  type HeldDeletions,
  HOLD_MS,
  limitDeletions,
} from '../../core/articles/held-deletions.ts';
import {
  type ArticleCopies,
  buildSummary,
  isArticle,
  type MissingArticle,
  type StoredPage,
} from '../../stores/article-copies.ts';
import type { ArticleSearch } from '../../stores/article-search.ts';
import {
  buildSearchDocument,
  extractSearchText,
  findRelatedArticles,
  indexArticles,
  type SearchedArticles,
  searchArticles,
} from './article-index.ts';

/** What happened to an article that was known. */
export type ArticleChange = 'updated' | 'removed';

const MAX_ARTICLES = 20_000;
const MAX_PAGES = 2_000;
const MAX_BYTES = 500_000_000;

/** Copies that are brought into the index at once when they came from elsewhere, such as an import. */
const INDEX_BATCH = 20;

/** Every article that was ever read: summaries and pages in memory, bodies among the copies, and the search over both. */
export class ArticleRepository implements SearchedArticles {
  readonly #copies: ArticleCopies;
  readonly #search: ArticleSearch;
  readonly #onStoreError: (error: unknown) => void;
  readonly #onChange: (slug: string, change: ArticleChange) => void;
  readonly #summaries = new Map<string, ArticleSummary>();
  readonly #bodyVersions = new Map<string, string>();
  readonly #pages = new Map<string, StoredPage>();
  /** By slug: what the source no longer has. */
  readonly #missing = new Map<string, MissingArticle>();
  #isComplete = false;
  /** Whether the copies could be read once. */
  #isLoaded = false;
  #isClosed = false;
  #newestFirst: readonly ArticleSummary[] | null = null;
  #indexed: Promise<void> = Promise.resolve();

  /**
   * Opens the repository with the stored copies and brings those into the search, in the background, that it does not
   * have. `onStoreError` gets what cannot be read or written: the repository goes on without it. `onChange` is called
   * when a known article has a new version or is removed.
   */
  static async open(
    copies: ArticleCopies,
    search: ArticleSearch,
    onStoreError: (error: unknown) => void,
    onChange: (slug: string, change: ArticleChange) => void,
  ): Promise<ArticleRepository> {
    const repository = new ArticleRepository(copies, search, onStoreError, onChange);
    await repository.#load();
    repository.#indexUnknown();
    return repository;
  }

  private constructor(
    copies: ArticleCopies,
    search: ArticleSearch,
    onStoreError: (error: unknown) => void,
    onChange: (slug: string, change: ArticleChange) => void,
  ) {
    this.#copies = copies;
    this.#search = search;
    this.#onStoreError = onStoreError;
    this.#onChange = onChange;
  }

  /** Resolves when the indexing in progress has ended. */
  get indexed(): Promise<void> {
    return this.#indexed;
  }

  /** Finds articles, best match first. Rejects with `ArticleSourceError` when the index cannot be read. */
  search(query: ArticleSearchQuery): Promise<ArticleListPage> {
    return searchArticles(this.#search, this, query);
  }

  /** Finds the articles that share the most key terms with one, best first. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]> {
    return findRelatedArticles(this.#search, this, slug, limit);
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
    return this.#tolerate(this.#copies.readArticle(slug), null);
  }

  async readText(slug: string): Promise<string> {
    return extractSearchText(await this.readArticle(slug));
  }

  async write(items: readonly (ArticleSummary | Article)[]): Promise<void> {
    const before = new Map(items.map(({ slug }) => [slug, this.#summaries.get(slug)]));
    for (const item of items) {
      const known = before.get(item.slug);
      this.#summaries.set(item.slug, buildSummary(item));
      if (isArticle(item)) this.#bodyVersions.set(item.slug, item.updatedAt);
      if (known && known.updatedAt !== item.updatedAt) this.#onChange(item.slug, 'updated');
    }
    this.#newestFirst = null;
    await this.#tolerate(this.#copies.write(items), undefined);
    const changed = items.filter((item) => isArticle(item) || !hasSameWords(item, before.get(item.slug)));
    await this.#tolerate(this.#index(changed), undefined);
  }

  async writePage(page: StoredPage): Promise<void> {
    this.#pages.set(buildPageKey(page), page);
    await this.#tolerate(this.#copies.writePage(page), undefined);
  }

  async writeIsComplete(): Promise<void> {
    this.#isComplete = true;
    await this.#tolerate(this.#copies.writeIsComplete(), undefined);
  }

  async remove(slug: string): Promise<void> {
    this.#forget(slug);
    await this.#tolerate(this.#copies.remove(slug), undefined);
  }

  /**
   * Removes articles that are gone. `removedAt`: when (ms since 1970), if they count as deletions of a day; null: the
   * operator has accepted them.
   */
  async removeGone(slugs: readonly string[], removedAt: number | null): Promise<void> {
    for (const slug of slugs) {
      this.#forget(slug);
      if (removedAt === null) this.#missing.delete(slug);
      else this.#missing.set(slug, { state: 'removed', since: removedAt });
    }
    await this.#tolerate(this.#copies.removeGone(slugs, removedAt), undefined);
  }

  /** How many articles may still go at `now` without the operator. */
  countAllowedDeletions(now: number): number {
    const removed = [...this.#missing].filter(
      ([slug, { state, since }]) =>
        state === 'removed' && since > now - DELETION_WINDOW_MS && !this.#summaries.has(slug),
    ).length;
    return limitDeletions(this.#summaries.size + removed) - removed;
  }

  /** The deletions that are held back; null without any. */
  getHeld(): HeldDeletions | null {
    const held = [...this.#missing].filter(([, { state }]) => state === 'held');
    if (held.length === 0) return null;
    return {
      slugs: held.map(([slug]) => slug).sort(),
      since: Math.min(...held.map(([, { since }]) => since)),
    };
  }

  /** Lists the articles whose deletion the operator has accepted, or has not accepted for as long as they are held. */
  listAccepted(now: number): readonly string[] {
    const isAccepted = ({ state, since }: MissingArticle) =>
      state === 'accepted' || (state === 'held' && since + HOLD_MS <= now);
    return [...this.#missing].flatMap(([slug, missing]) => (isAccepted(missing) ? [slug] : []));
  }

  /** Holds exactly these deletions, each since it was held first. */
  async hold(slugs: readonly string[], now: number): Promise<void> {
    const known = new Map(this.#missing);
    const isUnchanged = slugs.length === 0 && ![...known.values()].some(({ state }) => state !== 'removed');
    if (isUnchanged) return;
    for (const [slug, { state }] of known) if (state !== 'removed') this.#missing.delete(slug);
    for (const slug of slugs) {
      const earlier = known.get(slug);
      const isNew = earlier === undefined || earlier.state === 'removed';
      this.#missing.set(slug, isNew ? { state: 'held', since: now } : earlier);
    }
    await this.#tolerate(this.#copies.writeHeld(slugs, now), undefined);
  }

  /** Accepts the held deletions; they are removed with the next crawl. Returns their number. */
  async acceptHeld(): Promise<number> {
    const slugs = this.getHeld()?.slugs ?? [];
    for (const slug of slugs) this.#missing.set(slug, { state: 'accepted', since: 0 });
    await this.#tolerate(this.#copies.acceptHeld(), 0);
    return slugs.length;
  }

  /** Removes what exceeds the bounds of memory and store. */
  async prune(): Promise<void> {
    const pruning = this.#copies.prune(MAX_ARTICLES, MAX_PAGES, MAX_BYTES);
    for (const slug of await this.#tolerate(pruning, [])) this.#forget(slug);
    const excess = Math.max(0, this.#pages.size - MAX_PAGES);
    for (const key of [...this.#pages.keys()].slice(0, excess)) this.#pages.delete(key);
  }

  /** Reads the store again when another process has written to it, or it could not be read so far. */
  async followStore(): Promise<boolean> {
    const isChanged = await this.#tolerate(this.#copies.takeForeignChange(), false);
    if (this.#isLoaded && !isChanged) return false;
    const before = [...this.#summaries.keys()];
    if (!(await this.#load())) return false;
    const removed = before.filter((slug) => !this.#summaries.has(slug));
    this.#indexUnknown();
    for (const slug of removed) this.#onChange(slug, 'removed');
    for (const slug of this.#summaries.keys()) this.#onChange(slug, 'updated');
    return true;
  }

  /** Resolves when the indexing in progress has ended; from now on, errors of the copies are expected. */
  async close(): Promise<void> {
    await this.#indexed;
    this.#isClosed = true;
  }

  #indexUnknown(): void {
    // What cannot be indexed now can be later.
    this.#indexed = this.#readUnknown().catch(() => undefined);
  }

  async #readUnknown(): Promise<void> {
    for (let last = ''; ; ) {
      const slugs = await this.#search.readUnknown(last, INDEX_BATCH);
      if (slugs.length === 0) return;
      last = slugs.at(-1) ?? '';
      // Articles that another instance has added are not known here yet; that instance indexes them.
      await this.#index(slugs.flatMap((slug) => this.getSummary(slug) ?? []));
    }
  }

  async #index(items: readonly (ArticleSummary | Article)[]): Promise<void> {
    if (items.length === 0) return;
    const known = await this.#search.readHashes(items.map(({ slug }) => slug));
    await indexArticles(this.#search, this.#buildDocuments(items), known);
  }

  async *#buildDocuments(items: readonly (ArticleSummary | Article)[]) {
    for (const item of items) {
      const text = isArticle(item) ? extractSearchText(item) : await this.readText(item.slug);
      yield buildSearchDocument(item, text);
    }
  }

  async #load(): Promise<boolean> {
    const copies = this.#copies;
    const summaries = await this.#tolerate(copies.readSummaries(), null);
    const pages = await this.#tolerate(copies.readPages(), []);
    const isComplete = await this.#tolerate(copies.readIsComplete(), this.#isComplete);
    const missing = await this.#tolerate(copies.readMissing(), new Map<string, MissingArticle>());
    if (summaries === null) return false;
    this.#isLoaded = true;
    for (const map of [this.#summaries, this.#bodyVersions, this.#pages, this.#missing]) map.clear();
    for (const [slug, one] of missing) this.#missing.set(slug, one);
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
    if (!wasKnown) return;
    this.#newestFirst = null;
    this.#onChange(slug, 'removed');
  }

  #tolerate<T>(work: Promise<T>, fallback: T): Promise<T> {
    return work.catch((error: unknown) => {
      // A refresh that ends after the store was closed cannot store its result; that is expected.
      if (!this.#isClosed) this.#onStoreError(error);
      return fallback;
    });
  }
}

function hasSameWords(summary: ArticleSummary, earlier: ArticleSummary | undefined): boolean {
  const read = (one: ArticleSummary) => JSON.stringify(buildSearchDocument(one, ''));
  return earlier !== undefined && read(summary) === read(earlier);
}

function buildPageKey({ page, limit }: ArticleListQuery): string {
  return `${page} ${limit}`;
}
