import { setTimeout } from 'node:timers/promises';
import type {
  Article,
  ArticleListPage,
  ArticleSummary,
  UnpublishedArticle,
} from '../../core/articles/article.ts';
import type {
  ArticleListQuery,
  ArticleSearchQuery,
  ArticleSource,
} from '../../core/articles/article-source.ts';
import type { HeldDeletions } from '../../core/articles/held-deletions.ts';
import type { Clock } from '../../core/clock.ts';
import {
  buildSearchDocument,
  findRelatedArticles,
  indexArticles,
  type SearchedArticles,
  searchArticles,
} from '../../sources/articles/article-index.ts';
import { slicePage } from '../../stores/article-copies.ts';
import type { ArticleSearch } from '../../stores/article-search.ts';
import { type ArticleFile, stripMarkdown } from './article-file.ts';
import {
  type ArticleBylines,
  type ArticleFolder,
  isArticleShown,
  type PreparedEdits,
} from './article-folder.ts';

/** How long a search waits for the first filling of the index. */
const INDEX_TIMEOUT_MS = 1_000;

/** The built-in source: Markdown files. */
export class FilesSource implements ArticleSource, SearchedArticles {
  readonly #folder: ArticleFolder;
  readonly #clock: Clock;
  readonly #published: PublishedFiles;
  readonly #search: ArticleSearch;
  readonly #sharesWork: boolean;
  /** The files that were brought into the index, and the maps of them: those that went are not kept for it. */
  readonly #indexed = new WeakSet<ArticleFile | ReadonlyMap<string, ArticleFile>>();
  #isFilled = false;
  #indexing: Promise<void> = Promise.resolve();

  /**
   * `sharesWork`: the process brings the index up to date in the background, from now on. false: a request does, before
   * it searches, because it cannot wait for what another one has begun.
   */
  constructor(folder: ArticleFolder, clock: Clock, search: ArticleSearch, sharesWork: boolean) {
    this.#folder = folder;
    this.#clock = clock;
    this.#published = new PublishedFiles(folder, clock);
    this.#search = search;
    this.#sharesWork = sharesWork;
    if (sharesWork) void this.updateSearch();
  }

  async list(query: ArticleListQuery): Promise<ArticleListPage> {
    return slicePage(this.#published.getSummaries(), query);
  }

  async search(query: ArticleSearchQuery): Promise<ArticleListPage> {
    if (query.text.trim() === '') return this.list(query);
    await this.#prepareSearch();
    return searchArticles(this.#search, this, query);
  }

  async get(slug: string): Promise<Article | null> {
    const file = this.#published.getFile(slug);
    return file && this.#folder.renderArticle(file);
  }

  /** Reads an article whether or not it is published; null if its file is missing. */
  async preview(slug: string): Promise<Article | null> {
    const file = this.#folder.getFile(slug);
    return file && this.#folder.renderArticle(file);
  }

  getSummary(slug: string): ArticleSummary | null {
    const file = this.#published.getFile(slug);
    return file && this.#folder.getSummary(file);
  }

  async readText(slug: string): Promise<string> {
    return stripMarkdown(this.#published.getFile(slug)?.markdown ?? '');
  }

  /** Returns every published article, newest first. */
  getSummaries(): readonly ArticleSummary[] {
    return this.#published.getSummaries();
  }

  /** Returns the articles that visitors do not see yet: drafts and articles of a later day. */
  getUnpublished(now: number): readonly UnpublishedArticle[] {
    return this.#folder.getFiles().flatMap(({ slug, front: { title, draft, publishedAt } }) => {
      const publishAt = Date.parse(publishedAt);
      if (!draft && publishAt <= now) return [];
      return [{ title, file: `articles/${slug}.md`, publishAt: draft ? null : publishAt }];
    });
  }

  /** Finds the published articles that share the most key terms with one. */
  async findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]> {
    await this.#prepareSearch();
    return findRelatedArticles(this.#search, this, slug, limit);
  }

  /** Reads edited files; the articles stay as they are until `show` is called. */
  prepareEdits(bylines: ArticleBylines, edited: Set<string>): PreparedEdits {
    return this.#folder.prepareEdits(bylines, this.#clock.now(), edited);
  }

  /** Returns the files that are gone and still shown; null without any. */
  getHeld(): HeldDeletions | null {
    return this.#folder.getHeld();
  }

  /** Removes the files that are gone and still shown; returns their slugs. */
  acceptDeletions(): readonly string[] {
    return this.#folder.acceptDeletions();
  }

  /**
   * Brings what was published, edited or unpublished since the last time into the search, or takes it out. What fails
   * is tried again with the next search.
   */
  updateSearch(): Promise<void> {
    const update = () => this.#update().catch(() => undefined);
    if (!this.#sharesWork) return update();
    this.#indexing = this.#indexing.then(update);
    return this.#indexing;
  }

  /** Waits for the indexing in progress. */
  async close(): Promise<void> {
    await this.#indexing;
  }

  async #prepareSearch(): Promise<void> {
    const update = this.updateSearch();
    if (!this.#sharesWork || this.#isFilled) return update;
    await Promise.race([update, setTimeout(INDEX_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #update(): Promise<void> {
    const now = this.#published.getFiles();
    if (this.#indexed.has(now)) return;
    const known = await this.#search.readHashes(null);
    const gone = [...known.keys()].filter((slug) => !now.has(slug));
    if (gone.length > 0) await this.#search.remove(gone);
    await indexArticles(this.#search, this.#buildDocuments(now, known), known);
    for (const file of now.values()) this.#indexed.add(file);
    this.#indexed.add(now);
    this.#isFilled = true;
  }

  *#buildDocuments(now: ReadonlyMap<string, ArticleFile>, known: ReadonlyMap<string, string>) {
    for (const file of now.values()) {
      if (known.has(file.slug) && this.#indexed.has(file)) continue;
      yield buildSearchDocument(this.#folder.getSummary(file), stripMarkdown(file.markdown));
    }
  }
}

/** The published files of a folder at the current time: no drafts, no future and no unpublished articles. */
export class PublishedFiles {
  readonly #folder: ArticleFolder;
  readonly #clock: Clock;
  #source: readonly ArticleFile[] | null = null;
  #validFrom = 0;
  #validUntil = 0;
  #files: ReadonlyMap<string, ArticleFile> = new Map();
  #summaries: readonly ArticleSummary[] = [];

  constructor(folder: ArticleFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Returns the summaries, newest first; the same array until one changes. */
  getSummaries(): readonly ArticleSummary[] {
    this.#update();
    return this.#summaries;
  }

  getFile(slug: string): ArticleFile | null {
    return this.getFiles().get(slug) ?? null;
  }

  /** Returns the files by slug; the same map until one changes. */
  getFiles(): ReadonlyMap<string, ArticleFile> {
    this.#update();
    return this.#files;
  }

  /** Filters the files again when the folder has changed, or when the clock has passed a date or jumped back. */
  #update(): void {
    const now = this.#clock.now();
    this.#folder.acceptExpired(now);
    const all = this.#folder.getFiles();
    if (all === this.#source && now >= this.#validFrom && now < this.#validUntil) return;
    const time = new Date(now).toISOString();
    const published = all.filter((file) => isArticleShown(file, time));
    this.#source = all;
    this.#validFrom = now;
    this.#validUntil = findNextChange(all, now);
    this.#files = new Map(published.map((file) => [file.slug, file]));
    this.#summaries = published.map((file) => this.#folder.getSummary(file));
  }
}

/** When the next article is published or unpublished; ms since 1970. */
function findNextChange(files: readonly ArticleFile[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { front } of files) {
    for (const date of [front.publishedAt, front.unpublishAt]) {
      const time = date === undefined ? 0 : Date.parse(date);
      if (time > now) next = Math.min(next, time);
    }
  }
  return next;
}
