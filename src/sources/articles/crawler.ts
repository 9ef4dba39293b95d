import { setTimeout } from 'node:timers/promises';
import { ARTICLES_PER_PAGE } from '../../core/articles/article.ts';
import {
  type ArticleSource,
  type ArticleVersionPage,
  VERSIONS_PER_PAGE,
} from '../../core/articles/article-source.ts';
import type { HeldDeletions } from '../../core/articles/held-deletions.ts';
import type { Clock } from '../../core/clock.ts';
import type { ArticleRepository } from './article-repository.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { SourceCaches } from './source-caches.ts';

type ReadVersions = (page: number) => Promise<ArticleVersionPage>;

const MAX_ARTICLES = 20_000;
/** Without versions old articles are compared by reading all pages again, so often that no change is older. */
const FULL_CRAWL_MS = 3_600_000;
/** With versions a full crawl only repairs what they cannot show. */
const FULL_CRAWL_EVERY = 72;

/** Articles that have to be there for a source to be believed that another one is gone. */
const CONTROLS = 3;
/** Between two crawls of which the second was asked for meanwhile. */
const MIN_INTERVAL_MS = 1_000;

/** What a crawler reads and writes. */
interface CrawlerParts {
  readonly source: ArticleSource;
  readonly repository: ArticleRepository;
  readonly caches: SourceCaches;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  /** Called when the number of held deletions changes; null: none is held back any more. */
  onHeld(held: HeldDeletions | null): void;
}

/** Ms between two calls, between two crawls, and until a second look for an article that is gone. */
interface CrawlerTimes {
  readonly pauseMs: number;
  readonly intervalMs: number;
  readonly confirmationMs: number;
}

/**
 * Reads the whole source slowly in the background, so that search and every article survive an outage. It alone
 * removes articles, because a damaged source looks like one whose articles were deleted: an article is gone when two
 * looks, with others of the source in sight, do not find it, and when no more have gone within a day than
 * `limitDeletions` allows. Other deletions are held until the operator accepts them.
 */
export class Crawler {
  readonly #parts: CrawlerParts;
  readonly #repository: ArticleRepository;
  readonly #caches: SourceCaches;
  readonly #breaker: CircuitBreaker;
  /** Reads a page of the versions of all articles; null: the source cannot list them. */
  readonly #readVersions: ReadVersions | null;
  readonly #times: CrawlerTimes;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Version of each article when it was last read: an article that stays different is not read at every crawl. */
  #checked: ReadonlyMap<string, string> = new Map();
  /** Ends the pause before the next crawl. */
  #nextCrawl = new AbortController();

  constructor(parts: CrawlerParts, times: CrawlerTimes) {
    const { source, repository, caches, breaker } = parts;
    this.#parts = parts;
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
    let isAskedFor = false;
    for (let count = 0; !this.#stopping.signal.aborted; count++) {
      // Without versions, only a crawl of everything finds what is gone.
      await this.crawl(count % fullEvery === 0 || (isAskedFor && this.#readVersions === null));
      isAskedFor = await this.#waitForNext();
    }
  }

  /** Crawls soon: a known article may be gone, or the operator has accepted deletions. */
  crawlSoon(): void {
    this.#nextCrawl.abort();
  }

  /** Resolves with true when a crawl was asked for meanwhile. */
  async #waitForNext(): Promise<boolean> {
    const { intervalMs } = this.#times;
    const minMs = Math.min(MIN_INTERVAL_MS, intervalMs);
    await this.#pause(minMs).catch(() => undefined);
    const signal = AbortSignal.any([this.#stopping.signal, this.#nextCrawl.signal]);
    await setTimeout(intervalMs - minMs, undefined, { signal, ref: false }).catch(() => undefined);
    const isAskedFor = this.#nextCrawl.signal.aborted;
    this.#nextCrawl = new AbortController();
    return isAskedFor;
  }

  /**
   * Reads what is new in the source, or with `isFull` all of it. Resolves with false when the source fails, which the
   * circuit breaker has recorded, or the crawler stops.
   */
  async crawl(isFull: boolean): Promise<boolean> {
    const readsAll = isFull || !this.#repository.isComplete;
    const readVersions = this.#readVersions;
    try {
      await this.#removeAccepted();
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
    const absent = await this.#readArticles(this.#findSlugs((slug) => !repository.hasCurrentBody(slug)));
    if (seen !== null) {
      await this.#removeGone(seen, absent);
      await repository.writeIsComplete();
    } else if (absent.some((slug) => repository.getSummary(slug))) this.crawlSoon();
  }

  /** Compares the versions of all articles and reads what is new, changed or gone. */
  async #crawlChanges(readVersions: ReadVersions): Promise<void> {
    const repository = this.#repository;
    const versions = await this.#readAllVersions(readVersions);
    const changed = [...versions.keys()].filter(
      (slug) =>
        repository.getBodyVersion(slug) !== versions.get(slug) &&
        this.#checked.get(slug) !== versions.get(slug),
    );
    const absent = await this.#readArticles(changed);
    const isSound = await this.#removeGone(new Set(versions.keys()), absent);
    // What a damaged source does not have is read again as soon as it may be there.
    if (isSound) this.#checked = versions;
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

  /**
   * Reads articles; returns those that the source does not have. Skips one that cannot be read; stops when the source
   * fails.
   */
  async #readArticles(slugs: readonly string[]): Promise<string[]> {
    const absent: string[] = [];
    for (const slug of slugs) {
      if (!this.#breaker.isCallable()) return absent;
      const article = await this.#caches.articles.refresh(slug).catch(() => undefined);
      if (article === null) absent.push(slug);
      await this.#pause(this.#times.pauseMs);
    }
    return absent;
  }

  /**
   * Removes what is gone, or holds the deletions back. `listed`: the slugs of all articles of the source. `absent`: listed ones that it
   * does not have. Resolves with false when the source fails or is not to be believed.
   */
  async #removeGone(listed: ReadonlySet<string>, absent: readonly string[]): Promise<boolean> {
    const repository = this.#repository;
    const doubtful = new Set(absent);
    const missing = this.#findSlugs((slug) => !listed.has(slug) || doubtful.has(slug));
    const allowed = repository.countAllowedDeletions(this.#parts.clock.now());
    const found = await this.#findAbsent(missing, allowed);
    if (found === null) return false;
    const isInSight = () => this.#isInSight(listed, [...missing, ...absent]);
    if (found.length === 0 || found.length > allowed) {
      await this.#hold(found);
      return found.length === 0 && (absent.length === 0 || (await isInSight()));
    }
    if (await isInSight()) {
      await this.#pause(this.#times.confirmationMs);
      const gone = await this.#findAbsent(found, found.length);
      if (gone === null) return false;
      if (await isInSight()) {
        await repository.removeGone(gone, this.#parts.clock.now());
        for (const slug of gone) this.#caches.articles.delete(slug);
        await this.#hold([]);
        return true;
      }
    }
    await this.#hold(found);
    return false;
  }

  /**
   * Looks for articles one by one. When more than `allowed` are absent, the others count as absent too, because then
   * none is removed. Resolves with null when the source fails.
   */
  async #findAbsent(slugs: readonly string[], allowed: number): Promise<readonly string[] | null> {
    const absent: string[] = [];
    for (const [index, slug] of slugs.entries()) {
      if (absent.length > allowed) return [...absent, ...slugs.slice(index)];
      absent.push(...(await this.#readArticles([slug])));
      if (!this.#breaker.isCallable()) return null;
    }
    return absent;
  }

  /** Whether the source has other articles, at the address where it does not have the missing ones. */
  async #isInSight(listed: { has(slug: string): boolean }, missing: readonly string[]): Promise<boolean> {
    const others = this.#findSlugs((slug) => listed.has(slug) && !missing.includes(slug)).slice(0, CONTROLS);
    const absent = await this.#findAbsent(others, others.length);
    return others.length > 0 && absent?.length === 0;
  }

  async #hold(slugs: readonly string[]): Promise<void> {
    const before = this.#repository.getHeld()?.slugs.length ?? 0;
    await this.#repository.hold(slugs, this.#parts.clock.now());
    const held = this.#repository.getHeld();
    if ((held?.slugs.length ?? 0) !== before) this.#parts.onHeld(held);
  }

  /** Removes the articles whose deletion was accepted; one that is there again stays. */
  async #removeAccepted(): Promise<void> {
    const accepted = this.#repository.listAccepted(this.#parts.clock.now());
    if (accepted.length === 0) return;
    const gone = await this.#readArticles(accepted);
    await this.#repository.removeGone(gone, null);
    for (const slug of gone) this.#caches.articles.delete(slug);
    if (!this.#breaker.isCallable()) return;
    const decided = new Set(accepted);
    const held = this.#repository.getHeld()?.slugs ?? [];
    await this.#hold(held.filter((slug) => !decided.has(slug)));
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
