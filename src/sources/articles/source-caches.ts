import type { Article, ArticleListPage, ArticleSummary } from '../../core/articles/article.ts';
import type {
  ArticleListQuery,
  ArticleSearchQuery,
  ArticleSource,
} from '../../core/articles/article-source.ts';
import { markWords } from '../../core/articles/mark-words.ts';
import type { Clock } from '../../core/clock.ts';
import { splitWords } from '../../core/text/words.ts';
import { buildSummary, type StoredPage, slicePage } from '../../stores/article-copies.ts';
import { type Loaded, StaleWhileRevalidate } from '../../stores/stale-while-revalidate.ts';
import { type Backoff, buildBackoffMs } from '../http/http-get.ts';
import type { ArticleRepository } from './article-repository.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

const MAX_PAGES = 2_000;
const MAX_ARTICLES = 500;
const MAX_SEARCHES = 200;
const ABSENT_MS = 30_000;
/** How long a copy of a store is fresh to which other instances write. */
const SHARED_MS = 10_000;
/** Ms until a value that needs confirmation is loaded again. */
export const CONFIRMATION_MS = 10_000;
/** Refreshes in the background at the same time; a source with few processes would time out under more. */
const MAX_REFRESHES = 4;
/** Ms until a stale value is refreshed for which there was no room. */
const BUSY_MS = 1_000;
const BACKOFF: Backoff = { firstMs: 1_000, maxMs: 300_000 };

/** How values of one kind are loaded and copied. `undefined` is never a value; null may be one. */
interface Kind<Query, Value> {
  /** Largest number of values in memory. */
  readonly max: number;
  /** Ms for which a value is fresh. */
  getFreshMs(value: Value): number;
  /** Calls the source. */
  load(query: Query): Promise<Value>;
  /** Reads the stored copy; undefined without one. */
  recover?(query: Query): Promise<Value | undefined>;
  /** Whether a new value has lost so much that it counts only when a second call confirms it. */
  needsConfirmation?(old: Value, fresh: Value): boolean;
  /** Called with every new value. */
  onUpdate?(query: Query, value: Value): Promise<void>;
}

/** What all caches of a source share. `keepAlive`: null when requests share work. */
interface Shared {
  readonly clock: Clock;
  readonly random: () => number;
  readonly breaker: CircuitBreaker;
  readonly keepAlive: ((work: Promise<unknown>) => void) | null;
}

interface Entry<Value> {
  readonly value: Value;
  /** Why the last call for this value failed; null: it did not. */
  readonly error: unknown;
  readonly failures: number;
  /** A call returned a value that needs confirmation. */
  readonly isInDoubt: boolean;
}

interface Request<Query> {
  readonly query: Query;
  /** The caller waits for the source although there may be a value. */
  readonly isForced: boolean;
}

/** Values of one kind that a source has, by query. They stay for as long as the source fails. */
export class SourceCache<Query extends {}, Value> {
  readonly #kind: Kind<Query, Value>;
  readonly #shared: Shared;
  readonly #cache: StaleWhileRevalidate<Entry<Value>, Request<Query>>;
  #refreshes = 0;

  constructor(kind: Kind<Query, Value>, shared: Shared) {
    const { clock, keepAlive } = shared;
    const { max, recover } = kind;
    this.#kind = kind;
    this.#shared = shared;
    this.#cache = new StaleWhileRevalidate({
      max,
      now: () => clock.monotonic(),
      maxStaleMs: Number.POSITIVE_INFINITY,
      load: (_, request, known) => this.#loadOrWait(request, known),
      ...(recover && { recover: (_, { query }, known) => this.#recover(query, known) }),
      sharesWork: keepAlive === null,
      ...(keepAlive && { keepAlive }),
    });
  }

  /** Whether there is a value in memory, or a call for one in progress. */
  has(query: Query): boolean {
    return this.#cache.has(buildKey(query));
  }

  /** Whether there is a value in memory. */
  hasValue(query: Query): boolean {
    return this.#cache.peek(buildKey(query)) !== undefined;
  }

  /** Returns a value, possibly stale. Rejects without one when the source fails. */
  async get(query: Query): Promise<Value> {
    const key = buildKey(query);
    // Other instances may have stored an article that was absent: its absence is believed only while that is fresh.
    const isAbsent = this.#cache.peek(key)?.value === null;
    if (this.#shared.keepAlive && isAbsent && !this.#cache.getFresh(key)) this.#cache.delete(key);
    return (await this.#cache.read(key, { query, isForced: false })).value;
  }

  /** Calls the source, or joins the call in progress. Rejects when it fails. */
  async refresh(query: Query): Promise<Value> {
    const key = buildKey(query);
    const request = { query, isForced: true };
    await this.#cache.recover(key, request);
    const { value, error } = await this.#cache.refresh(key, request);
    if (error !== null) throw error;
    return value;
  }

  /** Removes every value from memory. */
  clear(): void {
    this.#cache.clear();
  }

  /** Where requests share work, a stored copy may be old; else a crawler keeps it fresh. */
  async #recover(query: Query, known: Entry<Value> | undefined): Promise<Loaded<Entry<Value>> | undefined> {
    const value = await this.#kind.recover?.(query);
    if (value === undefined) return undefined;
    const isInDoubt = known?.isInDoubt ?? false;
    return {
      value: { value, error: null, failures: 0, isInDoubt },
      freshMs: this.#shared.keepAlive ? SHARED_MS : -1,
    };
  }

  async #loadOrWait({ query, isForced }: Request<Query>, known: Entry<Value> | undefined) {
    if (known === undefined || isForced) return this.#load(query, known);
    if (this.#refreshes >= MAX_REFRESHES) return { value: known, freshMs: BUSY_MS };
    this.#refreshes += 1;
    try {
      return await this.#load(query, known);
    } finally {
      this.#refreshes -= 1;
    }
  }

  async #load(query: Query, known: Entry<Value> | undefined): Promise<Loaded<Entry<Value>>> {
    const { breaker, random } = this.#shared;
    if (known && !breaker.isCallable()) {
      const { lastError, waitMs } = breaker.getStatus();
      return this.#retry({ ...known, error: lastError }, Math.max(BACKOFF.firstMs, waitMs));
    }
    try {
      return await this.#accept(query, known, await breaker.call(() => this.#kind.load(query)));
    } catch (error) {
      if (!known) throw error;
      const failures = known.failures + 1;
      return this.#retry({ ...known, error, failures }, buildBackoffMs(failures, random(), BACKOFF));
    }
  }

  /** Another instance may have a newer copy before the source is called again. */
  #retry(value: Entry<Value>, waitMs: number): Loaded<Entry<Value>> {
    return { value, freshMs: this.#shared.keepAlive ? Math.min(waitMs, SHARED_MS) : waitMs };
  }

  async #accept(query: Query, known: Entry<Value> | undefined, value: Value): Promise<Loaded<Entry<Value>>> {
    const { needsConfirmation, getFreshMs, onUpdate } = this.#kind;
    if (known && !known.isInDoubt && needsConfirmation?.(known.value, value)) {
      const entry = { value: known.value, error: null, failures: 0, isInDoubt: true };
      return { value: entry, freshMs: CONFIRMATION_MS };
    }
    await onUpdate?.(query, value);
    return { value: { value, error: null, failures: 0, isInDoubt: false }, freshMs: getFreshMs(value) };
  }
}

/** The caches of a source. */
export type SourceCaches = ReturnType<typeof createSourceCaches>;

/** Creates the caches of a source, whose copies survive in the repository. `freshMs`: how long a copy is fresh. */
export function createSourceCaches(
  source: ArticleSource,
  repository: ArticleRepository,
  freshMs: number,
  shared: Shared,
) {
  return {
    pages: new SourceCache<ArticleListQuery, StoredPage>(
      {
        max: MAX_PAGES,
        getFreshMs: () => freshMs,
        load: async (query) => {
          const { articles, hasMore } = await source.list(query);
          await repository.write(articles);
          return buildStoredPage(query, articles, hasMore);
        },
        recover: async (query) => {
          const stored = repository.getPage(query);
          if (stored || !repository.isComplete) return stored ?? undefined;
          const { articles, hasMore } = slicePage(repository.getSummaries(), query);
          return buildStoredPage(query, articles, hasMore);
        },
        needsConfirmation: (old, fresh) => old.slugs.length > 0 && fresh.slugs.length === 0,
        onUpdate: (_, page) => repository.writePage(page),
      },
      shared,
    ),
    /** By slug; null: the article does not exist. */
    articles: new SourceCache<string, Article | null>(
      {
        max: MAX_ARTICLES,
        getFreshMs: (article) => (article ? freshMs : Math.min(ABSENT_MS, freshMs)),
        load: (slug) => source.get(slug),
        recover: async (slug) => {
          if (!repository.getSummary(slug)) return undefined;
          return (await repository.readArticle(slug)) ?? undefined;
        },
        needsConfirmation: (old, fresh) => old !== null && fresh === null,
        onUpdate: (slug, article) => (article ? repository.write([article]) : repository.remove(slug)),
      },
      shared,
    ),
    /** Present slug by former slug; null: none. */
    moves: new SourceCache<string, string | null>(
      {
        max: MAX_ARTICLES,
        getFreshMs: () => freshMs,
        load: async (slug) => (await source.findMoved?.(slug)) ?? null,
      },
      shared,
    ),
    searches: new SourceCache<ArticleSearchQuery, ArticleListPage>(
      {
        max: MAX_SEARCHES,
        getFreshMs: () => freshMs,
        load: async (query) => {
          const found = await source.search(query);
          await repository.write(found.articles);
          return markMatches(found, query.text);
        },
      },
      shared,
    ),
  };
}

function buildKey(query: object | string): string {
  return JSON.stringify(query);
}

function buildStoredPage(
  { page, limit }: ArticleListQuery,
  articles: readonly ArticleSummary[],
  hasMore: boolean,
): StoredPage {
  return { page, limit, slugs: articles.map(({ slug }) => slug), hasMore };
}

function markMatches({ articles, hasMore }: ArticleListPage, text: string): ArticleListPage {
  const words = new Set(splitWords(text));
  const marked = articles.map((article) => ({
    ...buildSummary(article),
    excerptParts: markWords(article.excerpt, (word) => words.has(word)),
  }));
  return { articles: marked, hasMore };
}
