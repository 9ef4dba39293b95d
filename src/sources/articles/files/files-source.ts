import type {
  Article,
  ArticleListPage,
  ArticleSummary,
  UnpublishedArticle,
} from '../../../core/articles/article.ts';
import type {
  ArticleListQuery,
  ArticleSearchQuery,
  ArticleSource,
} from '../../../core/articles/article-source.ts';
import type { Clock } from '../../../core/clock.ts';
import { slicePage } from '../../../stores/article-copies.ts';
import type { SearchableArticles } from '../article-finder.ts';
import { ArticleSearch, type StoredSearch } from '../article-search.ts';
import { type ArticleFile, stripMarkdown } from './article-file.ts';
import {
  type ArticleBylines,
  ArticleFolder,
  type ArticleFolderOptions,
  type PreparedEdits,
} from './article-folder.ts';

/** The built-in source: Markdown files. */
export class FilesSource implements ArticleSource {
  readonly #folder: ArticleFolder;
  readonly #published: PublishedFiles;
  readonly #searchable: SearchableArticles;
  readonly #readSearch: ArticleFolderOptions['files']['readSearch'];
  /** Null until the first search when the build has filled the index. */
  #search: ArticleSearch | null = null;

  /**
   * Reads the files, and begins to fill the search index unless the build has filled it. Throws `ArticleFilesError`
   * when a file is invalid.
   */
  constructor(options: ArticleFolderOptions & { readonly clock: Clock }) {
    this.#folder = new ArticleFolder(options);
    const published = new PublishedFiles(this.#folder, options.clock);
    const getSummary = (slug: string) => {
      const file = published.getFile(slug);
      return file && this.#folder.getSummary(file);
    };
    this.#published = published;
    this.#searchable = {
      getSummary,
      getSummaries: () => published.getSummaries(),
      readText: async (slug) => stripMarkdown(published.getFile(slug)?.markdown ?? ''),
      readTextsAfter: async (slug, count) => published.getFilesAfter(slug, count).map(toBodyText),
    };
    this.#readSearch = options.files.readSearch;
    if (this.#readSearch === undefined) this.#openSearch().fill();
  }

  async list(query: ArticleListQuery): Promise<ArticleListPage> {
    return slicePage(this.#published.getSummaries(), query);
  }

  async search(query: ArticleSearchQuery): Promise<ArticleListPage> {
    if (query.text.trim() === '') return this.list(query);
    return (await this.#updateSearch()).search(query);
  }

  async get(slug: string): Promise<Article | null> {
    const file = this.#published.getFile(slug);
    return file && this.#folder.renderArticle(file);
  }

  /** Reads an article whether or not it is published; null when there is no such file. */
  async preview(slug: string): Promise<Article | null> {
    const file = this.#folder.getFile(slug);
    return file && this.#folder.renderArticle(file);
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
    return (await this.#updateSearch()).findRelated(slug, limit);
  }

  /** Reads edited files; the articles stay as they are until `show` is called. Throws `ArticleFilesError`. */
  prepareEdits(bylines: ArticleBylines): PreparedEdits {
    return this.#folder.prepareEdits(bylines);
  }

  /** Resolves when searches find every article. */
  async waitForSearch(): Promise<void> {
    await this.#search?.filled;
  }

  /** Returns the filled search index as plain values. */
  storeSearch(): Promise<StoredSearch> {
    return this.#openSearch().store();
  }

  /** Waits for the filling of the search index. */
  async close(): Promise<void> {
    await this.waitForSearch();
  }

  #openSearch(): ArticleSearch {
    if (this.#search !== null) return this.#search;
    const stored = this.#readSearch?.();
    this.#search = new ArticleSearch(this.#searchable, stored);
    if (stored !== undefined) this.#published.setReported(stored.fingerprints.map(([slug]) => slug));
    return this.#search;
  }

  /** Returns the search with what was published, edited or unpublished since the last one, or since the build. */
  async #updateSearch(): Promise<ArticleSearch> {
    const search = this.#openSearch();
    const { added, removed } = this.#published.takeChanges();
    for (const slug of removed) search.remove(slug);
    await search.put(
      added.map((file) => ({ summary: this.#folder.getSummary(file), text: stripMarkdown(file.markdown) })),
    );
    return search;
  }
}

function toBodyText({ slug, markdown }: ArticleFile) {
  return { slug, text: stripMarkdown(markdown) };
}

export interface PublishedChanges {
  /** New and changed files. */
  readonly added: readonly ArticleFile[];
  /** Slugs. */
  readonly removed: readonly string[];
}

/** The published files of a folder at the current time: no drafts, no future and no unpublished articles. */
export class PublishedFiles {
  readonly #folder: ArticleFolder;
  readonly #clock: Clock;
  #source: readonly ArticleFile[] | null = null;
  #validFrom = 0;
  #validUntil = 0;
  #files: ReadonlyMap<string, ArticleFile> = new Map();
  #inSlugOrder: readonly ArticleFile[] = [];
  #summaries: readonly ArticleSummary[] = [];
  #reported: ReadonlyMap<string, ArticleFile>;

  constructor(folder: ArticleFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#reported = this.#getBySlug();
  }

  /** Returns the summaries, newest first; the same array until one changes. */
  getSummaries(): readonly ArticleSummary[] {
    this.#update();
    return this.#summaries;
  }

  getFile(slug: string): ArticleFile | null {
    return this.#getBySlug().get(slug) ?? null;
  }

  /** Returns at most `count` files whose slugs come after `slug`, in order of slug. */
  getFilesAfter(slug: string, count: number): readonly ArticleFile[] {
    this.#update();
    return this.#inSlugOrder.filter((file) => file.slug > slug).slice(0, count);
  }

  /** Takes the files of these slugs as those of the last call of `takeChanges`. */
  setReported(slugs: readonly string[]): void {
    const files = slugs.flatMap((slug) => this.#folder.getFile(slug) ?? []);
    this.#reported = new Map(files.map((file) => [file.slug, file]));
  }

  /** Returns what changed since the last call, or since the start. */
  takeChanges(): PublishedChanges {
    const before = this.#reported;
    const now = this.#getBySlug();
    this.#reported = now;
    if (before === now) return { added: [], removed: [] };
    return {
      added: [...now.values()].filter((file) => before.get(file.slug) !== file),
      removed: [...before.keys()].filter((slug) => !now.has(slug)),
    };
  }

  #getBySlug(): ReadonlyMap<string, ArticleFile> {
    this.#update();
    return this.#files;
  }

  /** Filters the files again when the folder has changed, or when the clock has passed a date or jumped back. */
  #update(): void {
    const all = this.#folder.getFiles();
    const now = this.#clock.now();
    if (all === this.#source && now >= this.#validFrom && now < this.#validUntil) return;
    const time = new Date(now).toISOString();
    const published = all.filter((file) => isPublished(file, time));
    this.#source = all;
    this.#validFrom = now;
    this.#validUntil = findNextChange(all, now);
    this.#files = new Map(published.map((file) => [file.slug, file]));
    this.#inSlugOrder = published.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
    this.#summaries = published.map((file) => this.#folder.getSummary(file));
  }
}

function isPublished({ front }: ArticleFile, now: string): boolean {
  return !front.draft && front.publishedAt <= now && !(front.unpublishAt && front.unpublishAt <= now);
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
