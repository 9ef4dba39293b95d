import { LRUCache } from 'lru-cache';
import { describeHeld, type HeldDeletions } from '../../core/articles/held-deletions.ts';
import { describeSkipped, type SkippedArticle } from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { CachedSource } from '../../sources/articles/cached-source.ts';
import type { BreakerStatus } from '../../sources/articles/circuit-breaker.ts';
import type { Log } from '../log.ts';

/** How the source and its copies are doing, as far as an operator needs to know. */
type SourceStatus = Omit<ReturnType<CachedSource['getStatus']>, 'isComplete'>;

/** The same event is logged once in this time. */
const REPEAT_MS = 600_000;
const MAX_REMEMBERED = 1_000;
/** After so many failed rounds an outage has lasted about ten seconds. */
const LONG_OUTAGE_FAILURES = 4;
/** Longer than the crawler needs to read every article again, so that what it leaves out is always known. */
const SKIPPED_MS = 2 * 3_600_000;
/** The rest is in the log and in `npm run articles -- check`. */
const MAX_LISTED = 20;

/** Reports the state of one source to the log and to `/readyz`, without its address and without what it responded. */
export class SourceReporter {
  readonly #source: string;
  readonly #log: Log;
  readonly #logged: LRUCache<string, true>;
  #isOutageLogged = false;
  /** By id, or by slug without an id. */
  readonly #skipped: LRUCache<string, SkippedArticle>;

  constructor(source: string, log: Log, clock: Clock) {
    this.#source = source;
    this.#log = log;
    const shared = { max: MAX_REMEMBERED, ttlResolution: 0, perf: { now: () => clock.monotonic() } };
    this.#logged = new LRUCache({ ...shared, ttl: REPEAT_MS });
    this.#skipped = new LRUCache({ ...shared, ttl: SKIPPED_MS });
  }

  /**
   * Logs the start of an outage once, and its end. `status`: after each failed round of calls and after the recovery. A
   * short failure soon after a logged one is not logged, so that a source that fails now and then does not fill the
   * log.
   */
  reportChange({ lastError, failures, waitMs }: Omit<BreakerStatus, 'lastSuccess'>): void {
    const source = this.#source;
    if (!lastError) {
      if (this.#isOutageLogged) this.#log.info('articles: the source works again', { source });
      this.#isOutageLogged = false;
    } else if (!this.#isOutageLogged && (this.#isNew('outage') || failures >= LONG_OUTAGE_FAILURES)) {
      this.#isOutageLogged = true;
      this.#log.warn('articles: the source fails', {
        source,
        code: lastError.code,
        reason: lastError.message,
        nextAttemptInSeconds: Math.ceil(waitMs / 1_000),
      });
    }
  }

  /** Logs that the store of copies cannot read or write. */
  reportStoreError(error: unknown): void {
    if (!this.#isNew('store')) return;
    this.#log.error('articles: copies cannot be read or written', { source: this.#source, error });
  }

  /** Logs that an article is left out, and lists it among the warnings. */
  reportSkipped(skipped: SkippedArticle): void {
    const { id, slug, title, reason } = skipped;
    this.#skipped.set(id || slug, { id, slug, title, reason });
    if (!this.#isNew(`skipped ${id} ${slug} ${reason}`)) return;
    this.#log.warn('articles: an article is left out: correct it in the source', {
      source: this.#source,
      id,
      slug,
      title,
      reason,
    });
  }

  /** Forgets what was wrong with an article that is right now. */
  reportMapped({ id, slug }: Pick<SkippedArticle, 'id' | 'slug'>): void {
    this.#skipped.delete(id);
    this.#skipped.delete(slug);
  }

  /** Logs that deletions are held back, and that they no longer are. `known`: articles that are shown. */
  reportHeld(held: HeldDeletions | null, known: number): void {
    const source = this.#source;
    if (held === null) this.#log.info('articles: no deletion is held back any more', { source });
    else
      this.#log.warn(`articles: ${describeHeld(held, known)}`, {
        source,
        slugs: held.slugs.slice(0, MAX_LISTED),
      });
  }

  /** Number of articles that are left out. */
  get skippedCount(): number {
    this.#skipped.purgeStale();
    return this.#skipped.size;
  }

  /**
   * Builds the warnings for `/readyz`; empty while the source works, and no article is left out or missing. `shown`: the
   * slugs of what is shown.
   */
  buildWarnings(status: SourceStatus, shown: readonly { readonly slug: string }[]): readonly string[] {
    const { held, articles } = status;
    return [
      ...this.#buildOutageWarning(status),
      ...(held ? [`articles: ${describeHeld(held, articles)}`] : []),
      ...this.#buildSkippedWarning(new Set(shown.map(({ slug }) => slug))),
    ];
  }

  /**
   * Builds the reasons for `/readyz` why there is nothing to show; empty when there are articles or an empty source.
   */
  buildProblems({ lastError, lastSuccess, articles }: SourceStatus): readonly string[] {
    if (articles > 0 || lastSuccess !== null) return [];
    const reason =
      lastError === null ? 'not yet' : `${lastError.code}; the log has the reason and the remedy`;
    return [`articles: the ${this.#source} source was never read (${reason}), and there are no copies`];
  }

  #buildOutageWarning({ lastError, lastSuccess, failures, articles, bodies }: SourceStatus): string[] {
    if (!lastError || articles === 0) return [];
    const since = lastSuccess === null ? 'the start' : new Date(lastSuccess).toISOString();
    return [
      `articles: the ${this.#source} source has failed ${failures} times since ${since} (${lastError.code}); ` +
        `${articles} articles can be listed and ${bodies} can be read from copies`,
    ];
  }

  #buildSkippedWarning(shown: ReadonlySet<string>): string[] {
    const count = this.skippedCount;
    if (count === 0) return [];
    const listed = [...this.#skipped.values()].slice(0, MAX_LISTED).map((skipped) => {
      const rest = shown.has(skipped.slug) ? ', so its last copy is shown' : '';
      return `${describeSkipped(skipped)}: ${skipped.reason}${rest}`;
    });
    const others = count > listed.length ? `; and ${count - listed.length} more` : '';
    const articles = count === 1 ? '1 article is' : `${count} articles are`;
    return [`articles: ${articles} left out of the ${this.#source} source: ${listed.join('; ')}${others}`];
  }

  #isNew(event: string): boolean {
    if (this.#logged.has(event)) return false;
    this.#logged.set(event, true);
    return true;
  }
}
