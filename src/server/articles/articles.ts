import { LRUCache } from 'lru-cache';
import {
  ArticleFolder,
  type PreparedEdits,
  type ReadFiles,
} from '../../content-files/articles/article-folder.ts';
import { FilesSource } from '../../content-files/articles/files-source.ts';
import {
  ARTICLES_PER_PAGE,
  type Article,
  type ArticleSummary,
  type UnpublishedArticle,
} from '../../core/articles/article.ts';
import { linkArticles } from '../../core/articles/article-link.ts';
import type { ArticleSource } from '../../core/articles/article-source.ts';
import { describeHeld, type HeldDeletions } from '../../core/articles/held-deletions.ts';
import { describeSkipped, type SkippedArticle } from '../../core/articles/upstream-article.schema.ts';
import type { Clock } from '../../core/clock.ts';
import type { Content } from '../../core/pages/content.ts';
import { CachedSource } from '../../sources/articles/cached-source.ts';
import type { BreakerStatus } from '../../sources/articles/circuit-breaker.ts';
import { ArticleSearch } from '../../stores/article-search.ts';
import type { Log } from '../log.ts';
import type { Gauge } from '../metrics.ts';
import { PeriodicJob } from '../periodic-job.ts';
import type { Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import { type ArticleSourceName, createPolicyReader, createUpstreamSource } from './article-sources.ts';

/** Called with the slug of a known article that has a new version or is removed. */
export type ArticleChangeListener = (slug: string, change: 'updated' | 'removed') => void;

/** How the article source is doing, in numbers. */
export interface ArticleCounts {
  /** Articles that can be listed. */
  readonly known: number;
  /** Articles of the source that the site leaves out. */
  readonly skipped: number;
  /** Failed rounds of calls in a row; 0: the source works. */
  readonly failures: number;
  /** Seconds since 1970; 0: the source was never read. */
  readonly lastSuccess: number;
}

/** The articles of the site, whatever source they come from. */
export interface Articles extends ArticleSource {
  /** Finds the present slug of an article that once had another one; null: no article had this slug. */
  findMoved(slug: string): Promise<string | null>;
  /** Returns every known article, newest first, without calling the source. */
  getSummaries(): readonly ArticleSummary[];
  /** Finds the articles that share the most key terms with one, best first. */
  findRelated(slug: string, limit: number): Promise<readonly ArticleSummary[]>;
  /** Reads an unpublished article; null without such a file. */
  preview(slug: string): Promise<Article | null>;
  /** Returns drafts and articles of a later day; empty for sources that do not show them to the site. */
  getUnpublished(): readonly UnpublishedArticle[];
  /** Returns the articles that the source no longer has and that are still shown; null without any. */
  getHeldDeletions(): HeldDeletions | null;
  /** Accepts the held deletions: the articles go at once, or when the source is read next. Returns their number. */
  acceptDeletions(): Promise<number>;
  /** Lists what operators should know although readers notice nothing, such as a failing source. */
  readWarnings(): readonly string[];
  /** Lists the reasons why there are no articles to show; empty when there are some, or the source is empty. */
  readProblems(): readonly string[];
  /** Returns the numbers that the metrics show. */
  getCounts(): ArticleCounts;
  /** Calls a function when a known article has a new version or is removed. */
  onChange(listener: ArticleChangeListener): void;
  /** Brings the search up to date, and reads the source of copies that many instances share, when that is due. */
  runDueJobs(): Promise<void>;
  /**
   * Reads edited article files; they are not shown before `show` is called. null for other sources. Throws
   * `ArticleFilesError`.
   */
  prepareEdits(content: Content, edited: Set<string>): PreparedEdits | null;
  /** Stops work in the background and releases threads and files. */
  close(): Promise<void>;
}

/**
 * Reads every known article, newest first. Rejects with `ArticleSourceError` when none is known and the source fails.
 */
export async function readSummaries(articles: Articles): Promise<readonly ArticleSummary[]> {
  if (articles.getSummaries().length === 0) await articles.list({ page: 1, limit: ARTICLES_PER_PAGE });
  return articles.getSummaries();
}

/** How long a visitor waits for an article without a copy before an error with Retry is shown. */
const MAX_WAIT_MS = 2_000;
/** How long a copy is used before it is compared with the source. */
const FRESH_MS = 300_000;
/** Between two calls of the crawler: at most ten a second. */
const CRAWL_PAUSE_MS = 100;

/** Until the crawler looks again for an article that is gone. */
const CONFIRMATION_MS = 10_000;

/** Without timers, the copies are read when that is due. */
const CRAWL_MS = 60_000;

/** Creates the job that reads the source of shared copies when that is due. */
export function createCrawlJob({ log, content: { articles } }: Site): PeriodicJob {
  return new PeriodicJob(log, 'the articles could not be read', () => articles.runDueJobs(), CRAWL_MS);
}

/**
 * Creates the articles of the chosen source. `onRead`: called with what is wrong with article files.
 */
export async function createArticles(
  settings: Settings,
  read: () => Content,
  platform: Platform,
  log: Log,
  onRead: (read: ReadFiles) => void,
): Promise<Articles> {
  const { ARTICLE_SOURCE: name } = settings;
  return name === 'files'
    ? createBuiltIn(settings, read, platform, log, onRead)
    : createCached(name, settings, read, platform, log);
}

async function createBuiltIn(
  settings: Settings,
  read: () => Content,
  platform: Platform,
  log: Log,
  onRead: (read: ReadFiles) => void,
): Promise<Articles> {
  const { clock, content: files } = platform;
  const processor = platform.createBodyProcessor(createPolicyReader(settings, read));
  const { site, partners, authors, figures, aged, products, addresses } = read();
  const folder = new ArticleFolder({
    files: files.articles,
    readImages: files.readImages,
    processBody: processor.process,
    onRead,
    defaultAuthor: site.author,
    partners,
    authors,
    figures,
    aged,
    products,
    addresses,
  });
  const { database } = await platform.openArticles();
  const source = new FilesSource(folder, clock, new ArticleSearch(database), platform.sharesWork);
  const reporter = new SourceReporter('files', log, clock);
  const listeners: ArticleChangeListener[] = [];
  const link = (article: Article | null) =>
    article && linkArticles(article, source.getSummaries(), read().addresses);
  return {
    list: (query) => source.list(query),
    search: (query) => source.search(query),
    get: async (slug) => link(await source.get(slug)),
    getSummaries: () => source.getSummaries(),
    findRelated: (slug, limit) => source.findRelated(slug, limit),
    findMoved: async () => null,
    preview: async (slug) => link(await source.preview(slug)),
    getUnpublished: () => source.getUnpublished(clock.now()),
    getHeldDeletions: () => source.getHeld(),
    async acceptDeletions() {
      const slugs = source.acceptDeletions();
      for (const slug of slugs) for (const listener of listeners) listener(slug, 'removed');
      return slugs.length;
    },
    readWarnings() {
      const held = source.getHeld();
      return held ? [`articles: ${describeHeld(held, source.getSummaries().length)}`] : [];
    },
    readProblems: () => [],
    getCounts: () => ({
      known: source.getSummaries().length,
      skipped: 0,
      failures: 0,
      lastSuccess: clock.now() / 1_000,
    }),
    prepareEdits: (next, edited) => prepareFileEdits(source, reporter, next, edited),
    runDueJobs: () => source.updateSearch(),
    // Edited files are shown together with the other content; only accepted deletions are not.
    onChange: (listener) => void listeners.push(listener),
    async close() {
      await source.close();
      await database.close();
      await processor.close();
    },
  };
}

/** Prepares edited article files, and reports deletions that are held back when they are shown. */
function prepareFileEdits(source: FilesSource, reporter: SourceReporter, next: Content, edited: Set<string>) {
  const { site, ...known } = next;
  const bylines = { ...known, defaultAuthor: site.author };
  const edits = source.prepareEdits(bylines, edited);
  return {
    ...edits,
    show() {
      const before = source.getHeld()?.slugs.length ?? 0;
      edits.show();
      const held = source.getHeld();
      if ((held?.slugs.length ?? 0) !== before) reporter.reportHeld(held, source.getSummaries().length);
    },
  };
}

async function createCached(
  name: Exclude<ArticleSourceName, 'files'>,
  settings: Settings,
  read: () => Content,
  platform: Platform,
  log: Log,
): Promise<Articles> {
  const { clock } = platform;
  const reporter = new SourceReporter(name, log, clock);
  const processor = platform.createBodyProcessor(createPolicyReader(settings, read));
  const listeners: ArticleChangeListener[] = [];
  const cached = await CachedSource.open({
    ...(await platform.openArticles()),
    source: createUpstreamSource(name, settings, read(), {
      get: platform.httpGet,
      clock,
      processBody: processor.process,
      onSkipped: (skipped) => reporter.reportSkipped(skipped),
      onMapped: (article) => reporter.reportMapped(article),
    }),
    clock,
    random: Math.random,
    freshMs: FRESH_MS,
    maxWaitMs: MAX_WAIT_MS,
    crawlPauseMs: CRAWL_PAUSE_MS,
    confirmationMs: CONFIRMATION_MS,
    onHeld: (held) => reporter.reportHeld(held, cached.getStatus().articles),
    onBreakerChange: (status) => reporter.reportChange(status),
    onStoreError: (error) => reporter.reportStoreError(error),
    onChange: (slug, change) => {
      for (const listener of listeners) listener(slug, change);
    },
  });
  return {
    list: (query) => cached.list(query),
    search: (query) => cached.search(query),
    get: async (slug) => {
      const article = await cached.get(slug);
      return article && linkArticles(article, cached.getSummaries(), read().addresses);
    },
    getSummaries: () => cached.getSummaries(),
    findRelated: (slug, limit) => cached.findRelated(slug, limit),
    findMoved: (slug) => cached.findMoved(slug),
    preview: async () => null,
    getUnpublished: () => [],
    getHeldDeletions: () => cached.getStatus().held,
    acceptDeletions: () => cached.acceptDeletions(),
    readWarnings: () => reporter.buildWarnings(cached.getStatus(), cached.getSummaries()),
    readProblems: () => reporter.buildProblems(cached.getStatus()),
    getCounts: () => {
      const { articles, failures, lastSuccess } = cached.getStatus();
      const { skippedCount: skipped } = reporter;
      return { known: articles, skipped, failures, lastSuccess: (lastSuccess ?? 0) / 1_000 };
    },
    prepareEdits: () => null,
    runDueJobs: () => cached.crawlWhenDue(),
    onChange: (listener) => listeners.push(listener),
    async close() {
      await cached.close();
      await processor.close();
    },
  };
}

/** Builds the metrics of the article source. */
export function buildArticleGauges(articles: Articles): readonly Gauge[] {
  const count = (name: keyof ReturnType<Articles['getCounts']>) => () => articles.getCounts()[name];
  return [
    ['signpost_articles', 'Articles that can be listed', count('known')],
    [
      'signpost_articles_skipped',
      'Articles of the source that the site leaves out; /readyz names them',
      count('skipped'),
    ],
    [
      'signpost_article_source_failures',
      'Failed rounds of calls of the article source in a row; 0 while it works',
      count('failures'),
    ],
    [
      'signpost_article_source_last_success_seconds',
      'Time of the last successful call of the article source, in seconds since 1970; 0: never',
      count('lastSuccess'),
    ],
  ];
}

/** How the source and its copies are doing, as far as an operator needs to know. */
type SourceStatus = Omit<ReturnType<CachedSource['getStatus']>, 'isComplete'>;

/** The same event is logged once in this time. */
const REPEAT_MS = 600_000;
const MAX_REMEMBERED = 1_000;
/** After so many failed rounds an outage has lasted about ten seconds. */
const LONG_OUTAGE_FAILURES = 4;
/** Longer than the crawler needs to read every article again, so that what it leaves out is always known. */
const SKIPPED_MS = 2 * 3_600_000;
/** The rest is in the log and in `signpost articles check`. */
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
