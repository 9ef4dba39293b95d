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
  /** Whether a new value says that the old one is gone, which the crawler decides. */
  isLoss?(old: Value, fresh: Value): boolean;
  /** Called when a refresh in the background found a loss. */
  onLoss?(): void;
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
  /** What the source had at the last call: another value than `value` is a loss that is not decided yet. */
  readonly latest: Value;
  /** Why the last call for this value failed; null: it did not. */
  readonly error: unknown;
  readonly failures: number;
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

  /**
   * Calls the source, or joins the call in progress. Resolves with what it has, although readers still get the old value
   * while that is a loss. Rejects when it fails.
   */
  async refresh(query: Query): Promise<Value> {
    const key = buildKey(query);
    const request = { query, isForced: true };
    await this.#cache.recover(key, request);
    const { latest, error } = await this.#cache.refresh(key, request);
    if (error !== null) throw error;
    return latest;
  }

  /** Removes a value from memory. */
  delete(query: Query): void {
    this.#cache.delete(buildKey(query));
  }

  /** Removes the memory that there is nothing for a query, because now there is. */
  forgetAbsence(query: Query): void {
    if (this.#cache.peek(buildKey(query))?.value === null) this.delete(query);
  }

  /** Removes every value from memory. */
  clear(): void {
    this.#cache.clear();
  }

  /** Where requests share work, a stored copy may be old; else a crawler keeps it fresh. */
  async #recover(query: Query, known: Entry<Value> | undefined): Promise<Loaded<Entry<Value>> | undefined> {
    const value = await this.#kind.recover?.(query);
    if (value === undefined) return undefined;
    return {
      value: { value, latest: known?.latest ?? value, error: null, failures: 0 },
      freshMs: this.#shared.keepAlive ? SHARED_MS : -1,
    };
  }

  async #loadOrWait(request: Request<Query>, known: Entry<Value> | undefined) {
    if (known === undefined || request.isForced) return this.#load(request, known);
    if (this.#refreshes >= MAX_REFRESHES) return { value: known, freshMs: BUSY_MS };
    this.#refreshes += 1;
    try {
      return await this.#load(request, known);
    } finally {
      this.#refreshes -= 1;
    }
  }

  async #load(request: Request<Query>, known: Entry<Value> | undefined): Promise<Loaded<Entry<Value>>> {
    const { breaker, random } = this.#shared;
    if (known && !breaker.isCallable()) {
      const { lastError, waitMs } = breaker.getStatus();
      return this.#retry({ ...known, error: lastError }, Math.max(BACKOFF.firstMs, waitMs));
    }
    try {
      return await this.#accept(request, known, await breaker.call(() => this.#kind.load(request.query)));
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

  async #accept(
    { query, isForced }: Request<Query>,
    known: Entry<Value> | undefined,
    latest: Value,
  ): Promise<Loaded<Entry<Value>>> {
    const { isLoss, onLoss, getFreshMs, onUpdate } = this.#kind;
    const entry = { latest, error: null, failures: 0 };
    if (known && isLoss?.(known.value, latest)) {
      if (!isForced) onLoss?.();
      return { value: { ...entry, value: known.value }, freshMs: getFreshMs(known.value) };
    }
    await onUpdate?.(query, latest);
    return { value: { ...entry, value: latest }, freshMs: getFreshMs(latest) };
  }
}

/** The caches of a source. */
export type SourceCaches = ReturnType<typeof createSourceCaches>;

/**
 * Creates the caches of a source, whose copies survive in the repository. `freshMs`: how long a copy is fresh. `onLoss`:
 * called when a reader's request found that the source no longer has a known article.
 */
export function createSourceCaches(
  source: ArticleSource,
  repository: ArticleRepository,
  freshMs: number,
  shared: Shared,
  onLoss: () => void,
) {
  const articles = createArticleCache(source, repository, freshMs, shared, onLoss);
  /** What a list names is not absent, whatever an earlier request for it found. */
  const writeListed = async (listed: readonly ArticleSummary[]) => {
    await repository.write(listed);
    for (const { slug } of listed) articles.forgetAbsence(slug);
  };
  return {
    articles,
    pages: new SourceCache<ArticleListQuery, StoredPage>(
      {
        max: MAX_PAGES,
        getFreshMs: () => freshMs,
        load: async (query) => {
          const { articles: listed, hasMore } = await source.list(query);
          await writeListed(listed);
          return buildStoredPage(query, listed, hasMore);
        },
        recover: async (query) => {
          const stored = repository.getPage(query);
          if (stored || !repository.isComplete) return stored ?? undefined;
          const { articles: listed, hasMore } = slicePage(repository.getSummaries(), query);
          return buildStoredPage(query, listed, hasMore);
        },
        onUpdate: (_, page) => repository.writePage(page),
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
          await writeListed(found.articles);
          return markMatches(found, query.text);
        },
      },
      shared,
    ),
  };
}

/** Creates the cache of articles by slug; null: the article does not exist. */
function createArticleCache(
  source: ArticleSource,
  repository: ArticleRepository,
  freshMs: number,
  shared: Shared,
  onLoss: () => void,
) {
  return new SourceCache<string, Article | null>(
    {
      max: MAX_ARTICLES,
      getFreshMs: (article) => (article ? freshMs : Math.min(ABSENT_MS, freshMs)),
      load: (slug) => source.get(slug),
      recover: async (slug) => {
        if (!repository.getSummary(slug)) return undefined;
        return (await repository.readArticle(slug)) ?? undefined;
      },
      isLoss: (old, fresh) => old !== null && fresh === null,
      onLoss,
      async onUpdate(slug, article) {
        if (article) await repository.write([article]);
        // An article that was never read is left out of lists at once.
        else if (repository.getBodyVersion(slug) === null) await repository.remove(slug);
      },
    },
    shared,
  );
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
