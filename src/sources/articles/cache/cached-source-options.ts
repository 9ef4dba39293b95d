import type { ArticleSource } from '../../../core/articles/article-source.ts';
import type { Clock } from '../../../core/clock.ts';
import type { ArticleCacheStore } from '../../../stores/article-copies.ts';
import type { ArticleFinder, SearchableArticles } from '../article-finder.ts';
import type { ArticleChange } from './article-repository.ts';
import type { BreakerStatus } from './circuit-breaker.ts';

/** Which of several instances reads the whole source, and when. */
export interface CrawlSchedule {
  /**
   * Takes the crawl when it is due at `now` (ms since 1970). Resolves with the time of the last one (0: never); null:
   * it is not due, or another instance has taken it.
   */
  take(now: number): Promise<number | null>;
  /** Stores when the crawl that was taken had begun, and when the next one is due. */
  finish(crawl: { readonly startedAt: number; readonly dueAt: number }): Promise<void>;
}

/** What instances need that share a store, run no timers and may end at any time. */
export interface SharedStoreOptions {
  readonly schedule: CrawlSchedule;
  /** Creates the search over the articles of the store. */
  readonly createSearch: (articles: SearchableArticles) => ArticleFinder;
  /** Keeps the instance running until work in the background ends. */
  readonly keepAlive: (work: Promise<unknown>) => void;
}

export interface CachedSourceOptions {
  readonly source: ArticleSource;
  readonly store: ArticleCacheStore;
  readonly clock: Clock;
  /** A number in [0, 1) that spreads attempts over time. */
  readonly random: () => number;
  /** Ms for which a copy is fresh; a whole number. */
  readonly freshMs: number;
  /** Ms that a read without a copy waits for the source; the call goes on and its result is cached. */
  readonly maxWaitMs: number;
  /** Ms between two calls of the crawler; null: it does not run. */
  readonly crawlPauseMs: number | null;
  /**
   * With it, copies are read from the store and refreshed by `crawlWhenDue` alone, requests share no promise, and there
   * are no timers.
   */
  readonly shared?: SharedStoreOptions | undefined;
  /** Called when a round of calls fails and when the source recovers. */
  onBreakerChange(status: BreakerStatus): void;
  /** Called with what the store could not read or write. */
  onStoreError(error: unknown): void;
  /** Called when a known article has a new version or is removed. */
  onChange(slug: string, change: ArticleChange): void;
}

export interface CacheStatus extends BreakerStatus {
  /** Articles that can be listed and found. */
  readonly articles: number;
  /** Articles whose body can be read without the source. */
  readonly bodies: number;
  /** Whether every page of the source has been read once. */
  readonly isComplete: boolean;
}
