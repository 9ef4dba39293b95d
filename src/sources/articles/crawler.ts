import { setTimeout } from 'node:timers/promises';
import { ARTICLES_PER_PAGE } from '../../core/articles/article.ts';
import {
  type ArticleSource,
  type ArticleVersionPage,
  VERSIONS_PER_PAGE,
} from '../../core/articles/article-source.ts';
import type { ArticleRepository } from './article-repository.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { CONFIRMATION_MS, type SourceCaches } from './source-caches.ts';

type ReadVersions = (page: number) => Promise<ArticleVersionPage>;

const MAX_ARTICLES = 20_000;
/** Without versions old articles are compared by reading all pages again, so often that no change is older. */
const FULL_CRAWL_MS = 3_600_000;
/** With versions a full crawl only repairs what they cannot show. */
const FULL_CRAWL_EVERY = 72;

/** Reads the whole source slowly in the background, so that search and every article survive an outage. */
export class Crawler {
  readonly #repository: ArticleRepository;
  readonly #caches: SourceCaches;
  readonly #breaker: CircuitBreaker;
  /** Reads a page of the versions of all articles; null: the source cannot list them. */
  readonly #readVersions: ReadVersions | null;
  readonly #times: { readonly pauseMs: number; readonly intervalMs: number };
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Version of each article when it was last read: an article that stays different is not read at every crawl. */
  #checked: ReadonlyMap<string, string> = new Map();
  /** Crawls in a row that found no article. */
  #emptyCrawls = 0;

  /** `times`: ms between two calls, and between two crawls. */
  constructor(
    source: ArticleSource,
    repository: ArticleRepository,
    caches: SourceCaches,
    breaker: CircuitBreaker,
    times: { readonly pauseMs: number; readonly intervalMs: number },
  ) {
    this.#repository = repository;
    this.#caches = caches;
    this.#breaker = breaker;
    this.#times = times;
    const { listVersions } = source;
    this.#readVersions = listVersions ? (page) => breaker.call(() => listVersions.call(source, page)) : null;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { intervalMs } = this.#times;
    const fullEvery = this.#readVersions
      ? FULL_CRAWL_EVERY
      : Math.max(1, Math.floor(FULL_CRAWL_MS / intervalMs));
    for (let count = 0; !this.#stopping.signal.aborted; count++) {
      await this.crawl(count % fullEvery === 0);
      await this.#pause(intervalMs).catch(() => undefined);
    }
  }

  /**
   * Reads what is new in the source, or with `isFull` all of it. Resolves with false when the source fails, which the
   * circuit breaker has recorded, or the crawler stops.
   */
  async crawl(isFull: boolean): Promise<boolean> {
    const readsAll = isFull || !this.#repository.isComplete;
    const readVersions = this.#readVersions;
    try {
      await (readVersions && !readsAll ? this.#crawlChanges(readVersions) : this.#crawlPages(readsAll));
      await this.#repository.prune();
      return true;
    } catch {
      return false;
    }
  }

  /** Whether a crawl that begins now is the first one of its period in which everything is read. */
  isFullDue(lastCrawl: number, now: number): boolean {
    const { intervalMs } = this.#times;
    const periodMs = this.#readVersions ? intervalMs * FULL_CRAWL_EVERY : FULL_CRAWL_MS;
    return Math.floor(lastCrawl / periodMs) !== Math.floor(now / periodMs);
  }

  async #crawlPages(isFull: boolean): Promise<void> {
    const repository = this.#repository;
    const seen = await this.#readPages(isFull);
    await this.#readArticles(this.#findSlugs((slug) => !repository.hasCurrentBody(slug)));
    if (seen !== null) {
      await this.#checkMissing(seen);
      await repository.writeIsComplete();
    }
  }

  /** Compares the versions of all articles and reads what is new, changed or gone. */
  async #crawlChanges(readVersions: ReadVersions): Promise<void> {
    const repository = this.#repository;
    const versions = await this.#readAllVersions(readVersions);
    if (this.#isSuddenlyEmpty(versions.size)) return;
    const isChanged = (slug: string) => repository.getBodyVersion(slug) !== versions.get(slug);
    const changed = [...versions.keys()].filter(
      (slug) => isChanged(slug) && this.#checked.get(slug) !== versions.get(slug),
    );
    await this.#readTwice([...changed, ...this.#findSlugs((slug) => !versions.has(slug))], isChanged);
    this.#checked = versions;
  }

  async #readAllVersions(readVersions: ReadVersions): Promise<ReadonlyMap<string, string>> {
    const all = new Map<string, string>();
    for (let page = 1; page <= MAX_ARTICLES / VERSIONS_PER_PAGE; page++) {
      const { versions, hasMore } = await readVersions(page);
      for (const { slug, updatedAt } of versions) all.set(slug, updatedAt);
      if (!hasMore) break;
      await this.#pause(this.#times.pauseMs);
    }
    return all;
  }

  /**
   * Reads pages to the last one, or to one without changes. Returns the slugs of all pages; null: not all were read.
   */
  async #readPages(isFull: boolean): Promise<ReadonlySet<string> | null> {
    const repository = this.#repository;
    const seen = new Set<string>();
    for (let page = 1; page <= MAX_ARTICLES / ARTICLES_PER_PAGE; page++) {
      const { slugs, hasMore } = await this.#caches.pages.refresh({ page, limit: ARTICLES_PER_PAGE });
      for (const slug of slugs) seen.add(slug);
      if (!hasMore) return seen;
      if (!isFull && slugs.every((slug) => repository.hasCurrentBody(slug))) return null;
      await this.#pause(this.#times.pauseMs);
    }
    return seen;
  }

  /** Skips an article that cannot be read; stops when the source fails. */
  async #readArticles(slugs: readonly string[]): Promise<void> {
    for (const slug of slugs) {
      if (!this.#breaker.isCallable()) return;
      await this.#caches.articles.refresh(slug).catch(() => undefined);
      await this.#pause(this.#times.pauseMs);
    }
  }

  /** Reads the known articles that are on no page. */
  async #checkMissing(seen: ReadonlySet<string>): Promise<void> {
    if (this.#isSuddenlyEmpty(seen.size)) return;
    await this.#readTwice(
      this.#findSlugs((slug) => !seen.has(slug)),
      () => true,
    );
  }

  /**
   * Reads articles, and those that are still known and different again: one counts as gone only after a second call.
   */
  async #readTwice(slugs: readonly string[], isDifferent: (slug: string) => boolean): Promise<void> {
    const repository = this.#repository;
    await this.#readArticles(slugs);
    const doubtful = slugs.filter((slug) => repository.getSummary(slug) !== null && isDifferent(slug));
    if (doubtful.length === 0) return;
    await this.#pause(CONFIRMATION_MS);
    await this.#readArticles(doubtful);
  }

  /** An empty source is believed at the second crawl. */
  #isSuddenlyEmpty(count: number): boolean {
    this.#emptyCrawls = count === 0 ? this.#emptyCrawls + 1 : 0;
    return this.#emptyCrawls === 1;
  }

  #findSlugs(isWanted: (slug: string) => boolean): string[] {
    return this.#repository
      .getSummaries()
      .map(({ slug }) => slug)
      .filter(isWanted);
  }

  /** Rejects when the crawler stops. */
  #pause(ms: number): Promise<void> {
    return setTimeout(ms, undefined, { signal: this.#stopping.signal, ref: false });
  }
}
