import type {
  Article,
  ArticleListPage,
  ArticleSummary,
  UnpublishedArticle,
} from '../../../core/articles/article.ts';
import { slicePage } from '../../../core/articles/article-cache-store.ts';
import type {
  ArticleListQuery,
  ArticleSearchQuery,
  ArticleSource,
} from '../../../core/articles/article-source.ts';
import type { Clock } from '../../../core/clock.ts';
import type { SearchableArticles } from '../article-finder.ts';
import { ArticleSearch, type StoredSearch } from '../article-search.ts';
import type { ArticleFile } from './article-file.ts';
import {
  type ArticleBylines,
  ArticleFolder,
  type ArticleFolderOptions,
  type PreparedEdits,
} from './article-folder.ts';
import { PublishedFiles } from './published-files.ts';
import { stripMarkdown } from './strip-markdown.ts';

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
