import { setTimeout as sleep } from 'node:timers/promises';
import type { Article, ArticleListPage, ArticleSummary } from '../../../core/articles/article.ts';
import {
  type ArticleListQuery,
  type ArticleSearchQuery,
  type ArticleSource,
  ArticleSourceError,
} from '../../../core/articles/article-source.ts';
import { isArticleSlug } from '../../../core/text/slug.ts';
import { TokenBucket } from '../../../core/token-bucket.ts';
import { slicePage } from '../../../stores/article-copies.ts';
import { ArticleRepository } from './article-repository.ts';
import type { CachedSourceOptions, CacheStatus } from './cached-source-options.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { crawlWhenDue } from './crawl-when-due.ts';
import { Crawler, type CrawlerOptions } from './crawler.ts';
import type { SourceCache } from './source-cache.ts';
import { createSourceCaches, type SourceCaches } from './source-caches.ts';
import { withDeadline } from './with-deadline.ts';

const MAX_STOP_MS = 1_000;
/** How soon copies that another process has purged are gone here. */
const FOLLOW_STORE_MS = 1_000;
/** How often an instance looks for what others have stored. */
const FOLLOW_OTHERS_MS = 10_000;

/** Calls for pages, articles and searches without a copy: requests for them must not overload the source. */
const MISS_RATE = { burst: 60, perSecond: 10 };

/**
 * A source that survives outages of the one behind it: copies are fresh for a time, then returned at once and refreshed
 * in the background, and the last good ones stay for as long as the source fails, also after a restart. Searches use
 * the own index as soon as every article has been read once.
 */
export class CachedSource implements ArticleSource {
  readonly #options: CachedSourceOptions;
  readonly #repository: ArticleRepository;
  readonly #breaker: CircuitBreaker;
  readonly #misses: TokenBucket;
  readonly #caches: SourceCaches;
  readonly #crawler: Crawler | null;
  #timer: NodeJS.Timeout | undefined;
  #followedAt: number;

  /** Opens the cache with what the store contains and starts the crawler, unless instances share the store. */
  static async open(options: CachedSourceOptions): Promise<CachedSource> {
    const repository = await ArticleRepository.open({
      ...options,
      createSearch: options.shared?.createSearch,
    });
    const cached = new CachedSource(options, repository);
    if (options.shared) {
      options.shared.keepAlive(repository.search.filled);
      return cached;
    }
    cached.#crawler?.start();
    cached.#timer = setInterval(() => void cached.#followStore(), FOLLOW_STORE_MS).unref();
    return cached;
  }

  private constructor(options: CachedSourceOptions, repository: ArticleRepository) {
    const { clock, random, freshMs, crawlPauseMs } = options;
    this.#options = options;
    this.#followedAt = clock.monotonic();
    this.#repository = repository;
    this.#breaker = new CircuitBreaker({ clock, random, onChange: options.onBreakerChange });
    this.#misses = new TokenBucket(MISS_RATE, clock.monotonic());
    this.#caches = createSourceCaches({ ...options, repository, breaker: this.#breaker });
    this.#crawler =
      crawlPauseMs === null
        ? null
        : new Crawler({
            repository,
            refreshPage: (query) => this.#caches.pages.refresh(query),
            refreshArticle: (slug) => this.#caches.articles.refresh(slug),
            readVersions: this.#createVersionReader(),
            isCallable: () => this.#breaker.isCallable(),
            pauseMs: crawlPauseMs,
            intervalMs: freshMs,
          });
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
      return { articles: slugs.flatMap((slug) => this.#repository.getSummary(slug) ?? []), hasMore };
    } catch (error) {
      const known = slicePage(this.#repository.getSummaries(), query);
      if (known.articles.length > 0) return known;
      throw error;
    }
  }

  async search({ text, page, limit }: ArticleSearchQuery): Promise<ArticleListPage> {
    const query = { text: text.trim(), page, limit };
    if (query.text === '') return this.list(query);
    if (this.#repository.isComplete) return this.#repository.search.search(query);
    try {
      if (!this.#caches.searches.has(query)) this.#takeMiss();
      return await this.#read(this.#caches.searches, query);
    } catch (error) {
      if (this.#repository.getSummaries().length === 0) throw error;
      return this.#repository.search.search(query);
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
    if (!this.#options.source.findMoved) return null;
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
    return this.#repository.search.findRelated(slug, limit);
  }

  getStatus(): CacheStatus {
    return {
      ...this.#breaker.getStatus(),
      articles: this.#repository.getSummaries().length,
      bodies: this.#repository.bodies,
      isComplete: this.#repository.isComplete,
    };
  }

  /** With a shared store: reads the source when no instance has done so for the time that copies are fresh. */
  async crawlWhenDue(): Promise<void> {
    const { shared, clock, freshMs } = this.#options;
    if (!shared || !this.#crawler) return;
    const followStore = () => this.#followStore();
    await crawlWhenDue({ schedule: shared.schedule, crawler: this.#crawler, clock, freshMs, followStore });
  }

  /** Stops the crawler and closes the store. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    // A call of a source that hangs is not waited for; what it gives is dropped.
    await Promise.race([this.#crawler?.stop(), sleep(MAX_STOP_MS, null, { ref: false })]);
    await this.#repository.close();
  }

  /** With a shared store: looks in the background, now and then, what other instances have stored. */
  #followOthers(): void {
    const { shared, clock } = this.#options;
    const now = clock.monotonic();
    if (!shared || now - this.#followedAt < FOLLOW_OTHERS_MS) return;
    this.#followedAt = now;
    shared.keepAlive(this.#followStore());
  }

  async #followStore(): Promise<void> {
    if (!(await this.#repository.followStore())) return;
    for (const cache of Object.values(this.#caches)) cache.clear();
  }

  #createVersionReader(): CrawlerOptions['readVersions'] {
    const { source } = this.#options;
    const { listVersions } = source;
    return listVersions ? (page) => this.#breaker.call(() => listVersions.call(source, page)) : null;
  }

  /** Returns a copy, or waits for the source, but not as long as the source may take for a call in the background. */
  #read<Query extends {}, Value>(cache: SourceCache<Query, Value>, query: Query): Promise<Value> {
    const value = cache.get(query);
    if (cache.hasValue(query)) return value;
    this.#options.shared?.keepAlive(value.catch(() => undefined));
    return withDeadline(value, this.#options.maxWaitMs);
  }

  #takeMiss(): void {
    if (this.#misses.take(1, this.#options.clock.monotonic()) === 0) return;
    throw new ArticleSourceError(
      'rate-limited',
      '[articles:cache] too many requests for pages, articles or searches without a copy',
    );
  }
}
