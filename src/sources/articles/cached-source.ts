import { setTimeout as sleep } from 'node:timers/promises';
import type { Article, ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import {
  type ArticleListQuery,
  type ArticleSearchQuery,
  type ArticleSource,
  ArticleSourceError,
} from '../../core/articles/article-source.ts';
import type { HeldDeletions } from '../../core/articles/held-deletions.ts';
import type { Clock } from '../../core/clock.ts';
import { isArticleSlug } from '../../core/text/slug.ts';
import { TokenBucket } from '../../core/token-bucket.ts';
import { ArticleCopies, slicePage } from '../../stores/article-copies.ts';
import { ArticleSearch } from '../../stores/article-search.ts';
import type { SqlExecutor } from '../../stores/sql/sql-executor.ts';
import { type ArticleChange, ArticleRepository } from './article-repository.ts';
import { type BreakerStatus, CircuitBreaker } from './circuit-breaker.ts';
import { Crawler } from './crawler.ts';
import { createSourceCaches, type SourceCache, type SourceCaches } from './source-caches.ts';

/** What a source is cached with. */
export interface CachedSourceInput {
  readonly source: ArticleSource;
  /** Where the copies are, with the tables of `migrations/articles`; closed with the cache. */
  readonly database: SqlExecutor;
  readonly clock: Clock;
  /** A number in [0, 1) that spreads attempts over time. */
  readonly random: () => number;
  /** Ms for which a copy is fresh; a whole number. */
  readonly freshMs: number;
  /** Ms that a read without a copy waits for the source; the call goes on and its result is cached. */
  readonly maxWaitMs: number;
  /** Ms between two calls of the crawler; null: it does not run. */
  readonly crawlPauseMs: number | null;
  /** Ms after which the crawler looks again for an article that is gone. */
  readonly confirmationMs: number;
  /**
   * Keeps an instance running that may end at any time and shares the database with others: copies are refreshed by
   * `crawlWhenDue` alone, requests share no promise, and there are no timers. Left out: one process has the database.
   */
  readonly keepAlive?: ((work: Promise<unknown>) => void) | undefined;
  /** Called when a round of calls fails and when the source recovers. */
  onBreakerChange(status: BreakerStatus): void;
  /** Called with what the database could not read or write. */
  onStoreError(error: unknown): void;
  /** Called when a known article has a new version or is removed. */
  onChange(slug: string, change: ArticleChange): void;
  /** Called when the number of held deletions changes; null: none is held back any more. */
  onHeld(held: HeldDeletions | null): void;
}

/** Rejects with `timeout` when work takes too long; the work goes on. */
async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ArticleSourceError('timeout', `[articles:cache] no response of the source within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

const MAX_STOP_MS = 1_000;
/** How soon copies that another process has purged are gone here. */
const FOLLOW_STORE_MS = 1_000;
/** How often an instance looks for what others have stored. */
const FOLLOW_OTHERS_MS = 10_000;

/** How soon a crawl that has failed begins again. */
const RETRY_MS = 60_000;

/** Calls for pages, articles and searches without a copy: requests for them must not overload the source. */
const MISS_RATE = { burst: 60, perSecond: 10 };

/**
 * A source that survives outages of the one behind it: copies are fresh for a time, then returned at once and refreshed
 * in the background, and the last good ones stay for as long as the source fails, also after a restart. Searches use
 * the own index as soon as every article has been read once.
 */
export class CachedSource implements ArticleSource {
  readonly #input: CachedSourceInput;
  readonly #copies: ArticleCopies;
  readonly #repository: ArticleRepository;
  readonly #breaker: CircuitBreaker;
  readonly #misses: TokenBucket;
  readonly #caches: SourceCaches;
  readonly #crawler: Crawler | null;
  #timer: NodeJS.Timeout | undefined;
  #followedAt: number;

  /** Opens the cache with the stored copies and starts the crawler, unless instances share the database. */
  static async open(input: CachedSourceInput): Promise<CachedSource> {
    const { database, keepAlive, onStoreError, onChange } = input;
    const copies = new ArticleCopies(database);
    const search = new ArticleSearch(database);
    const repository = await ArticleRepository.open(copies, search, onStoreError, onChange);
    const cached = new CachedSource(input, copies, repository);
    if (keepAlive) {
      keepAlive(repository.indexed);
      return cached;
    }
    cached.#crawler?.start();
    cached.#timer = setInterval(() => void cached.#followStore(), FOLLOW_STORE_MS).unref();
    return cached;
  }

  private constructor(input: CachedSourceInput, copies: ArticleCopies, repository: ArticleRepository) {
    const { source, clock, random, freshMs, crawlPauseMs: pauseMs, keepAlive = null } = input;
    this.#input = input;
    this.#copies = copies;
    this.#followedAt = clock.monotonic();
    this.#repository = repository;
    const breaker = new CircuitBreaker(clock, random, input.onBreakerChange);
    this.#breaker = breaker;
    this.#misses = new TokenBucket(MISS_RATE, clock.monotonic());
    const shared = { clock, random, breaker, keepAlive };
    this.#caches = createSourceCaches(source, repository, freshMs, shared, () => this.#crawler?.crawlSoon());
    const { confirmationMs, onHeld } = input;
    const times = pauseMs === null ? null : { pauseMs, intervalMs: freshMs, confirmationMs };
    const parts = { source, repository, caches: this.#caches, breaker, clock, onHeld };
    this.#crawler = times && new Crawler(parts, times);
  }

  async list({ page, limit }: ArticleListQuery): Promise<ArticleListPage> {
    this.#followOthers();
    const query = { page, limit };
    // The crawler knows every article: pages are full although some are left out, and a removed article is on none.
    if (this.#crawler && this.#repository.isComplete)
      return slicePage(this.#repository.getSummaries(), query);
    try {
      if (!this.#caches.pages.has(query) && !this.#repository.getPage(query)) this.#takeMiss();
      const { slugs, hasMore } = await this.#read(this.#caches.pages, query);
      const articles = slugs.flatMap((slug) => this.#repository.getSummary(slug) ?? []);
      // Whether a source is empty that was not is decided by the crawler.
      return articles.length > 0 ? { articles, hasMore } : slicePage(this.#repository.getSummaries(), query);
    } catch (error) {
      const known = slicePage(this.#repository.getSummaries(), query);
      if (known.articles.length > 0) return known;
      throw error;
    }
  }

  async search({ text, page, limit }: ArticleSearchQuery): Promise<ArticleListPage> {
    const query = { text: text.trim(), page, limit };
    if (query.text === '') return this.list(query);
    const indexed = this.#repository.isComplete
      ? await this.#repository.search(query).catch(() => null)
      : null;
    if (indexed) return indexed;
    try {
      if (!this.#caches.searches.has(query)) this.#takeMiss();
      return await this.#read(this.#caches.searches, query);
    } catch (error) {
      if (this.#repository.getSummaries().length === 0) throw error;
      return this.#repository.search(query);
    }
  }

  async get(slug: string): Promise<Article | null> {
    if (!isArticleSlug(slug)) return null;
    this.#followOthers();
    if (!this.#caches.articles.has(slug) && !this.#repository.getSummary(slug)) this.#takeMiss();
    return this.#read(this.#caches.articles, slug);
  }

  /** Finds the present slug of a known article that once had another one; null also when the source fails. */
  async findMoved(slug: string): Promise<string | null> {
    if (!this.#input.source.findMoved) return null;
    const moved = await this.#read(this.#caches.moves, slug).catch(() => null);
    return moved !== null && this.#repository.getSummary(moved) ? moved : null;
  }

  /** Every known article, newest first. */
  getSummaries(): readonly ArticleSummary[] {
    this.#followOthers();
    return this.#repository.getSummaries();
  }

  /** Finds the articles that share the most key terms with one; empty when it is not known. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]> {
    return this.#repository.findRelated(slug, limit);
  }

  /** Counts the articles that can be found, and those whose body can be read without the source. */
  getStatus() {
    return {
      ...this.#breaker.getStatus(),
      articles: this.#repository.getSummaries().length,
      bodies: this.#repository.bodies,
      isComplete: this.#repository.isComplete,
      held: this.#repository.getHeld(),
    };
  }

  /** Accepts the held deletions, which the next crawl removes. Returns their number. */
  async acceptDeletions(): Promise<number> {
    const count = await this.#repository.acceptHeld();
    this.#crawler?.crawlSoon();
    return count;
  }

  /** With a shared database: reads the source when no instance has done so for the time that copies are fresh. */
  async crawlWhenDue(): Promise<void> {
    const { keepAlive, clock, freshMs } = this.#input;
    const startedAt = clock.now();
    if (!keepAlive || !this.#crawler) return;
    const last = await this.#copies.takeCrawl(startedAt);
    if (last === null) return;
    await this.#followStore();
    if (await this.#crawler.crawl(this.#crawler.isFullDue(last, startedAt))) {
      await this.#copies.finishCrawl(startedAt, startedAt + freshMs);
    } else {
      await this.#copies.finishCrawl(last, startedAt + Math.min(freshMs, RETRY_MS));
    }
  }

  /** Stops the crawler and closes the database when the indexing in progress has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    // A call of a source that hangs is not waited for; what it gives is dropped.
    await Promise.race([this.#crawler?.stop(), sleep(MAX_STOP_MS, null, { ref: false })]);
    await this.#repository.close();
    await this.#input.database.close();
  }

  /** With a shared database: looks in the background, now and then, what other instances have stored. */
  #followOthers(): void {
    const { keepAlive, clock } = this.#input;
    const now = clock.monotonic();
    if (!keepAlive || now - this.#followedAt < FOLLOW_OTHERS_MS) return;
    this.#followedAt = now;
    keepAlive(this.#followStore());
  }

  async #followStore(): Promise<void> {
    if (!(await this.#repository.followStore())) return;
    for (const cache of Object.values(this.#caches)) cache.clear();
    // Another process may have accepted deletions.
    if (this.#repository.listAccepted(this.#input.clock.now()).length > 0) this.#crawler?.crawlSoon();
  }

  /** Returns a copy, or waits for the source, but not as long as the source may take for a call in the background. */
  #read<Query extends {}, Value>(cache: SourceCache<Query, Value>, query: Query): Promise<Value> {
    const value = cache.get(query);
    if (cache.hasValue(query)) return value;
    this.#input.keepAlive?.(value.catch(() => undefined));
    return withDeadline(value, this.#input.maxWaitMs);
  }

  #takeMiss(): void {
    if (this.#misses.take(1, this.#input.clock.monotonic()) === 0) return;
    throw new ArticleSourceError(
      'rate-limited',
      '[articles:cache] too many requests for pages, articles or searches without a copy',
    );
  }
}
