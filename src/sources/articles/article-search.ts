import { createHash } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import type { ArticleSearchQuery } from '../../core/articles/article-source.ts';
import {
  type ArticleFinder,
  buildSearchResult,
  type ChangedArticle,
  MAX_RELATED,
  MAX_TEXT_LENGTH,
  type SearchableArticles,
} from './article-finder.ts';
import { SearchIndex, type StoredIndex } from './search/search-index.ts';
import type { SearchDocument } from './search/word-impacts.ts';
import { createTimeSlice } from './time-slice.ts';

const FILL_BATCH = 10;
/** An index with a larger share of replaced documents is rebuilt, unless it is small. */
const MAX_TOMBSTONE_RATIO = 0.5;
const MIN_REBUILD_SIZE = 100;
/** How long a search waits for the first filling of the index. */
const FILL_TIMEOUT_MS = 1_000;

/** The version of an article in the index: hashes of its fields and of its text. */
interface Fingerprint {
  readonly fields: string;
  readonly text: string;
}

/** A filled search as plain values. */
export interface StoredSearch {
  readonly index: StoredIndex;
  readonly fingerprints: readonly (readonly [slug: string, Fingerprint])[];
}

/** Full-text search over articles with an index in memory. */
export class ArticleSearch implements ArticleFinder {
  readonly #articles: SearchableArticles;
  /** Searched; the same as `#target` except while a new index is filled to replace it. */
  #index: SearchIndex;
  #target: SearchIndex;
  #fingerprints: Map<string, Fingerprint>;
  #isFilling = false;
  #isComplete: boolean;
  #filled: Promise<void> = Promise.resolve();
  /** Related slugs by slug, until the index changes. */
  #related = new Map<string, readonly string[]>();

  constructor(articles: SearchableArticles, stored?: StoredSearch) {
    this.#articles = articles;
    this.#index = new SearchIndex(stored?.index);
    this.#target = this.#index;
    this.#fingerprints = new Map(stored?.fingerprints);
    this.#isComplete = stored !== undefined;
  }

  /** Waits for the filling in progress and returns the search as plain values. */
  async store(): Promise<StoredSearch> {
    await this.#filled;
    return { index: this.#index.store(), fingerprints: [...this.#fingerprints] };
  }

  get filled(): Promise<void> {
    return this.#filled;
  }

  fill(): void {
    this.#filled = this.#readAll();
  }

  /** Waits up to a second for the first filling. */
  async search({ text, page, limit }: ArticleSearchQuery): Promise<ArticleListPage> {
    if (!this.#isComplete) this.fill();
    if (this.#isFilling && this.#index === this.#target) {
      await Promise.race([this.#filled, setTimeout(FILL_TIMEOUT_MS, undefined, { ref: false })]);
    }
    const { ids, hasMore, matches } = this.#index.search({ text, page, limit });
    const pause = createTimeSlice();
    const articles: ArticleSummary[] = [];
    for (const slug of ids) {
      const result = await buildSearchResult(this.#articles, slug, matches);
      if (result) articles.push(result);
      await pause();
    }
    return { articles, hasMore };
  }

  async findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]> {
    const summary = this.#articles.getSummary(slug);
    if (!summary) return [];
    const slugs = this.#related.get(slug) ?? (await this.#findSimilar(summary));
    return slugs.slice(0, limit).flatMap((other) => this.#articles.getSummary(other) ?? []);
  }

  async put(articles: readonly ChangedArticle[]): Promise<void> {
    const pause = createTimeSlice();
    for (const article of articles) {
      await this.#put(article);
      await pause();
    }
  }

  async #put({ summary, text }: ChangedArticle): Promise<void> {
    const { slug } = summary;
    if (text === null && this.#fingerprints.get(slug)?.fields === hashFields(summary)) return;
    this.#add(summary, text ?? (await this.#articles.readText(slug)));
    const isWorn = this.#index.tombstoneRatio > MAX_TOMBSTONE_RATIO && this.#index.size > MIN_REBUILD_SIZE;
    if (isWorn && !this.#isFilling) {
      this.#target = new SearchIndex();
      this.#fingerprints = new Map();
      this.fill();
    }
  }

  remove(slug: string): void {
    this.#fingerprints.delete(slug);
    this.#related = new Map();
    this.#index.remove(slug);
    this.#target.remove(slug);
  }

  async #readAll(): Promise<void> {
    this.#isFilling = true;
    this.#isComplete = true;
    try {
      await this.#addAll();
      this.#index = this.#target;
    } catch {
      // The articles cannot be read right now; the next search tries again.
      this.#isComplete = false;
    } finally {
      this.#isFilling = false;
    }
  }

  async #addAll(): Promise<void> {
    const pause = createTimeSlice();
    let last = '';
    for (;;) {
      const batch = await this.#articles.readTextsAfter(last, FILL_BATCH);
      for (const { slug, text } of batch) {
        last = slug;
        const summary = this.#articles.getSummary(slug);
        if (summary) this.#add(summary, text);
        await pause();
      }
      if (batch.length === 0) break;
    }
    for (const summary of this.#articles.getSummaries()) {
      if (!this.#fingerprints.has(summary.slug)) this.#add(summary, '');
      await pause();
    }
  }

  #add(summary: ArticleSummary, text: string): void {
    const { slug } = summary;
    const fingerprint = { fields: hashFields(summary), text: hashText(text) };
    const known = this.#fingerprints.get(slug);
    if (known?.fields === fingerprint.fields && known.text === fingerprint.text) return;
    this.#fingerprints.set(slug, fingerprint);
    this.#related = new Map();
    this.#target.add(buildSearchDocument(summary, text));
  }

  async #findSimilar(summary: ArticleSummary): Promise<readonly string[]> {
    const related = this.#related;
    const text = await this.#articles.readText(summary.slug);
    await setImmediate();
    const slugs = this.#index.findSimilar(buildSearchDocument(summary, text), MAX_RELATED);
    // Only when the index has not changed in the meantime.
    if (related === this.#related) related.set(summary.slug, slugs);
    await setImmediate();
    return slugs;
  }
}

/** Builds the document of an article for the index; the weights add up to the 3.8 that the index allows. */
export function buildSearchDocument(summary: ArticleSummary, text: string): SearchDocument {
  return {
    id: summary.slug,
    text: text.slice(0, MAX_TEXT_LENGTH),
    fields: [
      { text: summary.title, weight: 1.8 },
      { text: summary.excerpt, weight: 0.6 },
      { text: summary.tags.join(' '), weight: 0.8 },
      { text: summary.categories.join(' '), weight: 0.6 },
    ],
    order: Date.parse(summary.publishedAt),
  };
}

/** The hash of what the index has of an article beside its text. */
export function hashFields(summary: ArticleSummary): string {
  return hashText(JSON.stringify(buildSearchDocument(summary, '')));
}

/** The hash by which the index recognizes a text that it has. */
export function hashText(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
