import { randomUUID } from 'node:crypto';
import type { ReadFiles } from '../content-files/articles/article-folder.ts';
import type { ArticleSummary } from '../core/articles/article.ts';
import type { Clock } from '../core/clock.ts';
import type { MessageFields } from '../core/commissions/ledger/commission-source.ts';
import type { CommissionTerms } from '../core/commissions/ledger/commission-terms.ts';
import { buildPartnerTargets } from '../core/outbound/partner.ts';
import { listSlugs } from '../core/pages/addresses.ts';
import type { Content } from '../core/pages/content.ts';
import { collectPageParameters, type PageParameters } from '../core/pages/page-parameters.ts';
import { isPublished } from '../core/pages/shown-sections.ts';
import {
  buildArticleProxyPath,
  CONTACT_API_PATH,
  EVENTS_API_PATH,
  HEALTH_PATH,
  POSTBACK_PATTERN,
  READY_PATH,
  REGION_API_PATH,
} from '../core/paths.ts';
import { getSpeculationRules } from '../core/seo/site-files.ts';
import { memoizeByKey } from '../core/text/memoize-by-key.ts';
import { buildSlug } from '../core/text/slug.ts';
import { Activity } from '../stores/activity.ts';
import { EventArchiver } from '../stores/archive.ts';
import { Arrivals } from '../stores/arrivals.ts';
import { Clicks } from '../stores/clicks.ts';
import { ContentVersions } from '../stores/content-versions.ts';
import { Costs } from '../stores/costs.ts';
import { CrawlerRequestCounts } from '../stores/crawler-requests.ts';
import { Ledger } from '../stores/ledger.ts';
import { Links } from '../stores/links.ts';
import { ContactMessages } from '../stores/messages.ts';
import { Operators } from '../stores/operators.ts';
import { AnalyticsOutbox, NotificationOutbox } from '../stores/outboxes.ts';
import { Rollups } from '../stores/rollups.ts';
import { TemporaryValues } from '../stores/temporary-values.ts';
import { createArticleProxy } from './articles/article-proxy.ts';
import { listImageHosts } from './articles/article-sources.ts';
import { createArticles, createCrawlJob } from './articles/articles.ts';
import { createAnalyticsJob } from './commissions/analytics-reporter.ts';
import { createFoldJob } from './commissions/commission-fold.ts';
import { createLabelJob, LabelReader } from './commissions/labels.ts';
import { CommissionLedger, createSourceJob } from './commissions/ledger.ts';
import { createMessageRetention } from './commissions/message-retention.ts';
import { createPostbacks, PostbackAddresses } from './commissions/postbacks.ts';
import { NetworkSecrets } from './commissions/secrets.ts';
import { createCommissionSources, createSyncJob } from './commissions/sync-networks.ts';
import { parseSentMessage } from './commissions/unread-messages.ts';
import { createRegionHandler } from './consent/region.ts';
import { createContactHandler } from './contact/contact.ts';
import { FormTokens } from './contact/submit-form.ts';
import { createArchiveJob } from './events/archive-old-events.ts';
import { createCollector } from './events/collector.ts';
import { CrawlerCounter, CrawlerRanges, createCrawlerJob } from './events/crawler-counter.ts';
import { DurableEventQueue } from './events/durable-event-queue.ts';
import { createClockJob, createMeteredStore, createRollupJob, TrustedTime } from './events/events.ts';
import { createRetentionJob, Retention } from './events/remove-old-events.ts';
import { createVisitRoutes } from './events/visit.ts';
import { DataHealth } from './http/data-health.ts';
import { createHealthHandler, createReadyHandler } from './http/health.ts';
import { createRateLimiter, createSharedLimiter } from './http/rate-limiter.ts';
import type { Route } from './http/route.ts';
import { OutsideUse } from './http/same-origin.ts';
import { createPreviewCheck } from './http/secret-token.ts';
import {
  ANALYTICS_POLICY,
  createSecurityHeaders,
  hashInline,
  type SecurityHeaders,
} from './http/security-headers.ts';
import type { Log } from './log.ts';
import { createBesideRoute } from './outbound/beside.ts';
import { createBesidePagesJob } from './outbound/beside-pages.ts';
import { ClickRate, ClickTokens, createGo } from './outbound/go.ts';
import { createArticleLinkJob, createLinkWatchJob, isLinkWatchOn } from './outbound/link-watch.ts';
import { COUNT_SCRIPT_HASH } from './outbound/redirect-page.ts';
import { ContentReload, createLiveContent, createPriceJob } from './pages/content-reload.ts';
import type { PeriodicJob } from './periodic-job.ts';
import type { Platform, ShownSite, StorePlatform } from './platform.ts';
import { createFeedRoutes } from './seo/feeds.ts';
import { createSiteFileRoutes } from './seo/site-file-routes.ts';
import type { Settings } from './settings.ts';

/** The stores of a site. A database that was not created yet reads as empty, and the first write creates it. */
export type Stores = Omit<Readonly<ReturnType<typeof openStores>>, 'closeStores'>;

/**
 * Opens the stores over the databases of the platform. `closeStores` finishes the writes that were accepted; one
 * database that hangs does not keep the others from being closed.
 */
export function openStores(settings: Settings, platform: StorePlatform) {
  const { executor, store, visitorStore } = platform.openEvents();
  const metered = createMeteredStore(store, settings.DEMO);
  const commissions = platform.openDatabase('commissions');
  const console = platform.openDatabase('console');
  const notifications = platform.openDatabase('notifications');
  const ledger = new Ledger(commissions, () => commissions.exists?.() ?? true);
  // Without timers there is no process whose clock could have jumped.
  const trustedTime: { read(): Promise<number | null>; advance?(): Promise<void> } = platform.hasTimers
    ? new TrustedTime(executor, platform.clock)
    : { read: async () => platform.clock.now() };
  return {
    /** What is stored about the content files. */
    content: {
      /** The watched links and their checks, in the database of the ledger. */
      links: new Links(commissions),
      /** Versions of the content files that the console has found or saved. */
      versions: new ContentVersions(console),
    },
    /** What networks pay, what campaigns cost, and the clicks and counts by which both are explained. */
    money: {
      /** What networks report and operators decide. */
      ledger,
      secrets: new NetworkSecrets(platform.secretsFile, ledger, platform.clock.now),
      costs: new Costs(commissions),
      /** What arrived on the operator's account. */
      arrivals: new Arrivals(commissions),
      /** Clicks of a period with their journeys, and clicks and sessions by id. */
      clicks: new Clicks(executor),
      /** Counts of events by day, in TIME_ZONE. */
      rollups: new Rollups(executor, settings.TIME_ZONE),
      /** Commissions that are to be reported to analytics. */
      analyticsOutbox: new AnalyticsOutbox(commissions),
    },
    /** What visitors do and send. */
    visitors: {
      /** Every event of visitors. What is appended is counted in `eventCounters`. */
      events: metered.store,
      /** Takes the events that a visitor waits for. */
      visitorEvents: visitorStore ?? metered.store,
      /** Counts of appended events since the start, for the metrics. */
      eventCounters: metered.counters,
      /** The time by which stored data may be deleted: `read()` resolves with null while nothing confirms the clock. */
      trustedTime,
      /** Events older than EVENT_HOT_DAYS. */
      archive: new EventArchiver(executor, platform.openEventArchive()),
      /** Requests of pages by known agents, by day. */
      crawlerRequests: new CrawlerRequestCounts(executor),
      /** Messages of the contact form. */
      messages: new ContactMessages(executor),
    },
    /** Who works in the console, and what it keeps of their work. */
    operators: {
      accounts: new Operators(console),
      /** Values of the console that expire. */
      temporaryValues: new TemporaryValues(console),
      /** What operators have changed in the console. */
      activity: new Activity(console),
      /** Notifications that are to be sent to operators. */
      notifications: new NotificationOutbox(notifications),
    },
    async closeStores() {
      const databases = [commissions, console, notifications, metered.store];
      await Promise.all(databases.map((database) => database.close()));
    },
  };
}

/** What every part of a site is made from. */
export interface SiteBase extends Stores {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  /** Creates a UUID. */
  readonly newId: () => string;
  readonly platform: Platform;
  readonly content: SiteContent;
}

/** What visitors read: pages and articles, with the edits that are shown while the site runs. */
export interface SiteContent extends ShownSite, Readonly<Stores['content']> {
  /** Parameters of addresses that pages read, by path of the page. */
  readonly pageParameters: PageParameters;
  /** Whether visitors see the page or article that is rendered at a path. */
  readonly isShown: (path: string) => boolean;
}

/** The visitors of a running site: what stores their events, and what limits them. */
interface SiteVisitors
  extends Readonly<Stores['visitors']>,
    Readonly<ReturnType<typeof createVisitorLimits>> {
  /** Stores posted assessments and is closed before the event stores. */
  readonly assessmentQueue: DurableEventQueue;
  /** Stores clicks on partner links and is closed before the event stores. */
  readonly clickQueue: DurableEventQueue;
  /** Counts requests of pages by known agents. */
  readonly crawlers: CrawlerCounter;
  /** The addresses that operators of agents have published. */
  readonly crawlerRanges: CrawlerRanges;
  /** The click tokens of the last minutes. */
  readonly clickTokens: ClickTokens;
  /** Signed times of forms, against spam. */
  readonly formTokens: FormTokens;
  /** Notices visitors from outside on a site without a public address. */
  readonly outside: OutsideUse;
  /** Removes events past their retention. */
  readonly retention: Retention;
}

/** What a running site consists of. Handlers, jobs, pages and the console use the groups that they need. */
export interface Site extends SiteBase {
  readonly money: Readonly<ReturnType<typeof createMoney>>;
  readonly visitors: SiteVisitors;
  /** What keeps parts of the data from being used. */
  readonly dataHealth: DataHealth;
  /** The fixed headers of every kind of response. */
  readonly security: SecurityHeaders;
  /** Resolves with whether a text is the secret of the links to what is not public. */
  isPreviewToken(given: string): Promise<boolean>;
  /**
   * Writes events that wait in memory for as long as `timeoutMs`, calls `stop`, which ends what uses the site, and
   * closes the stores.
   */
  close(timeoutMs: number, stop?: () => Promise<unknown>): Promise<void>;
}

/** How long a visitor waits for the store, in ms. The redirect has 50 ms; the rest is for everything else. */
const CLICK_WAIT_MS = 35;
/** How long a posted assessment waits for the disk before its result is shown. */
const ASSESSMENT_WAIT_MS = 250;
/** Many visitors behind one address, such as a classroom, may open the same page at the same moment. */
const POST_BURST_SECONDS = 20;
/** Pages of one address that are rendered at once take a second of the processor. */
const PAGE_BURST_SECONDS = 5;
const MAX_ADDRESSES = 50_000;
/** Forms that one address may send at once, and seconds until it may send one more. */
const FORMS = { perSecond: 1 / 120, burst: 5, maxAddresses: 10_000 };

/** A network sends from few addresses, and much at once when it sends again what was refused. */
const POSTBACKS = { perSecond: 2_000, burst: 20_000, maxAddresses: 10_000 };

/** Creates a site over a platform. Rejects with what its parts throw (`ContentError`, `ArticleFilesError`). */
export async function createSite(settings: Settings, platform: Platform): Promise<Site> {
  const { log, clock, eventQueue } = platform;
  const { shown, close: closeContent } =
    platform.shown === undefined
      ? await openContent(settings, platform)
      : { shown: platform.shown, close: async () => undefined };
  const { closeStores, ...stores } = openStores(settings, platform);
  const pageParameters = createPageParameters(shown);
  const isShown = (path: string) => {
    const page = shown.read().pages.get(path);
    return page === undefined
      ? listSlugs(shown.articles.getSummaries()).has(path)
      : isPublished(page, clock.now());
  };
  const content: SiteContent = { ...shown, ...stores.content, pageParameters, isShown };
  const base: SiteBase = { ...stores, settings, log, clock, newId: randomUUID, platform, content };
  const { visitors } = stores;
  // Without timers there is no start: what was deployed is looked at when it is first used.
  if (platform.hasTimers)
    await stores.money.secrets
      .readConfirmed(shown.read().networks)
      .catch((error: unknown) => log.warn('what was confirmed of networks could not be read', { error }));
  const createQueue = (name: string, budgetMs: number) =>
    new DurableEventQueue({
      name,
      store: visitors.visitorEvents,
      newId: base.newId,
      log,
      budgetMs,
      ...eventQueue,
    });
  const clickQueue = createQueue('clicks', CLICK_WAIT_MS);
  const assessmentQueue = createQueue('assessments', ASSESSMENT_WAIT_MS);
  const crawlerRanges = new CrawlerRanges(platform.readCrawlerRanges());
  for (const problem of crawlerRanges.problems) log.warn(`crawler ranges: ${problem}`);
  const crawlers = new CrawlerCounter({
    store: settings.DEMO ? { add: async () => undefined } : visitors.crawlerRequests,
    ranges: crawlerRanges,
    clock,
    log,
    timeZone: settings.TIME_ZONE,
    keepAlive: eventQueue?.keepAlive,
  });
  // Rules of before stay allowed: a page with them may be on its way.
  const ownScripts = new Set([...platform.pageHashes.scripts, COUNT_SCRIPT_HASH]);
  const allowRules = () => ownScripts.add(hashInline(getSpeculationRules(shown.read().partners)));
  allowRules();
  shown.onChange(allowRules);
  return {
    ...base,
    money: createMoney(base),
    visitors: {
      ...visitors,
      ...createVisitorLimits(settings, platform),
      clickQueue,
      assessmentQueue,
      crawlers,
      crawlerRanges,
      clickTokens: new ClickTokens(clock.now()),
      formTokens: new FormTokens(settings.FORM_KEY, clock.now),
      retention: new Retention(base),
      outside: new OutsideUse(base),
    },
    dataHealth: new DataHealth(base),
    security: createSecurityHeaders(
      {
        hsts: settings.siteUrl.startsWith('https:') ? settings.HSTS : null,
        get imageHosts() {
          return listImageHosts(settings, shown.read().site);
        },
        analytics: settings.GA_MEASUREMENT_ID === '' ? null : ANALYTICS_POLICY,
      },
      { ...platform.pageHashes, scripts: ownScripts },
    ),
    isPreviewToken: createPreviewCheck(settings.PREVIEW_TOKEN, stores.money.ledger),
    async close(timeoutMs, stop = async () => undefined) {
      await Promise.all([clickQueue, assessmentQueue].map((queue) => queue.close(timeoutMs)));
      // One part that hangs must not keep the others from closing their files.
      const closeAll = async () => {
        await stop();
        await crawlers.write().catch(() => undefined);
        await closeStores();
      };
      await Promise.all([closeContent(), closeAll()]);
    },
  };
}

/** The money of a running site: the ledger with what fills and checks it. */
function createMoney(base: SiteBase) {
  const { money, content, settings, platform, clock, newId, log } = base;
  const labels = new LabelReader({
    store: money.ledger,
    rollups: money.rollups,
    readPartners: () => content.read().partners,
    timeZone: settings.TIME_ZONE,
  });
  return {
    ...money,
    /** What ids of networks that name pages stand for. */
    labels,
    /** Parses what networks send to the addresses of postbacks. */
    parseMessage: (fields: MessageFields, terms: CommissionTerms) =>
      parseSentMessage(fields, terms, content.read().networks, clock.now()),
    /** The networks whose interface can be read, as their files are now. */
    get commissionSources() {
      return createCommissionSources(content.read().networks, settings, platform, money.secrets);
    },
    /** Records what networks report in the ledger, and reads every commission with its journey. */
    commissions: new CommissionLedger({
      store: money.ledger,
      clicks: money.clicks,
      labels,
      timeZone: settings.TIME_ZONE,
      readTerms: () => getTerms(content.read().partners),
      now: clock.now,
      newId,
      log,
      ownHosts: settings.siteHosts,
      sharesWork: platform.sharesWork,
    }),
    /** The tokens of postback addresses. */
    postbackAddresses: new PostbackAddresses(money.ledger, clock.now),
    /** Limits the messages of networks with a valid token. */
    postbackLimiter: createRateLimiter({ ...POSTBACKS, now: clock.monotonic }),
  };
}

function createVisitorLimits({ CLICK_RATE, EVENT_RATE, PAGE_RATE }: Settings, platform: Platform) {
  const { monotonic } = platform.clock;
  return {
    /** How many clicks of one address are stored. */
    clickRate: new ClickRate(CLICK_RATE, monotonic),
    /** Limits the forms that one address may send. */
    formLimiter: createSharedLimiter(platform, 'forms', FORMS),
    /** Limits what one address may post. */
    postLimiter: createSharedLimiter(platform, 'events', {
      perSecond: EVENT_RATE,
      burst: EVENT_RATE * POST_BURST_SECONDS,
      maxAddresses: MAX_ADDRESSES,
    }),
    /** Limits the pages that are rendered for one address. */
    renderLimiter: createRateLimiter({
      perSecond: PAGE_RATE,
      burst: PAGE_RATE * PAGE_BURST_SECONDS,
      maxAddresses: MAX_ADDRESSES,
      now: monotonic,
    }),
  };
}

/** The parameters that pages read; an edit that is shown changes them. */
function createPageParameters({ read, onChange }: ShownSite): PageParameters {
  const collect = () => collectPageParameters(read().pages, read().savings);
  const pageParameters = new Map(collect());
  onChange(() => {
    pageParameters.clear();
    for (const [key, names] of collect()) pageParameters.set(key, names);
  });
  return pageParameters;
}

/** The site as one request or job sees it: an edit that is shown meanwhile changes nothing of it. */
export function holdContent<Held extends { readonly content: SiteContent }>(site: Held): Held {
  const content = site.content.read();
  return { ...site, content: { ...site.content, read: () => content } };
}

const getTerms = memoizeByKey(
  (partners: Content['partners']) => new Map([...partners].map(([key, { terms }]) => [key, terms])),
);

/** Creates the routes whose paths no content names, except those of pages, files and the console. */
export function createRoutes(site: Site): readonly Route[] {
  const { settings, clock } = site;
  const { read, articles } = site.content;
  return [
    { method: 'GET', path: HEALTH_PATH, handle: createHealthHandler(), isEssential: true },
    { method: 'GET', path: READY_PATH, handle: createReadyHandler(site) },
    { method: 'GET, POST', path: EVENTS_API_PATH, handle: createCollector(site) },
    createBesideRoute(site),
    {
      method: 'GET',
      path: REGION_API_PATH,
      handle: createRegionHandler(settings.REGION_HEADER, settings.STORAGE_CONSENT_REGIONS),
    },
    ...createVisitRoutes(site),
    { method: 'POST', path: CONTACT_API_PATH, handle: createContactHandler(site) },
    { method: 'GET, POST', path: POSTBACK_PATTERN, handle: createPostbacks(site) },
    ...createFeedRoutes(articles, read, settings),
    ...createSiteFileRoutes(read, articles, settings, clock),
  ];
}

/**
 * Creates a function that finds the route of a path which content names, as it is at that moment: the paths that lead to
 * partners, and the proxy of the article service. What it returns belongs to one state of the content as a whole.
 */
export function createRouteFinder(site: Site): (path: string) => Route | undefined {
  const handleProxy = createArticleProxy(site);
  const getPartnerRoutes = memoizeByKey((partners: Content['partners']) =>
    indexRoutes(
      [...buildPartnerTargets(partners)].map(([path, target]) => ({
        method: 'GET, HEAD, POST',
        path,
        isEssential: true,
        handle: createGo(site, target),
      })),
    ),
  );
  const getProxyRoutes = memoizeByKey(({ articleService }: Content['site']) =>
    indexRoutes(
      (['proxy', 'cdn-proxy'] as const).map((name) => ({
        method: 'POST',
        path: buildArticleProxyPath(buildSlug(articleService.name), name),
        handle: handleProxy,
        isLong: true,
      })),
    ),
  );
  return (path) => {
    const { partners, site: details } = site.content.read();
    return getPartnerRoutes(partners).get(path) ?? getProxyRoutes(details).get(path);
  };
}

const indexRoutes = (routes: readonly Route[]) => new Map(routes.map((route) => [route.path, route]));

/** Creates the background jobs of events and articles. */
export function createSiteJobs(site: Site): readonly PeriodicJob[] {
  const { settings, platform } = site;
  if (settings.DEMO) return [];
  return [
    createRollupJob(site),
    createClockJob(site),
    createRetentionJob(site),
    createCrawlerJob(site),
    createPriceJob(site),
    ...(settings.EVENT_HOT_DAYS > 0 ? [createArchiveJob(site)] : []),
    ...(isLinkWatchOn(settings) ? [createArticleLinkJob(site)] : []),
    // With timers, the copies of articles have their own.
    ...(platform.hasTimers ? [] : [createCrawlJob(site)]),
  ];
}

/** Creates the background jobs of the ledger, which run in the thread of the console where there is one. */
export function createCommissionJobs(site: Site): readonly PeriodicJob[] {
  const { settings, money } = site;
  if (settings.DEMO) return [];
  const hasAnalytics = settings.GA_MEASUREMENT_ID !== '' && settings.GA_API_SECRET !== '';
  return [
    ...(money.commissionSources.size > 0 ? [createSyncJob(site)] : []),
    ...(hasAnalytics ? [createAnalyticsJob(site)] : []),
    createMessageRetention(site),
    createSourceJob(site),
    createLabelJob(site),
    createFoldJob(site),
    createBesidePagesJob(site),
    ...(isLinkWatchOn(settings) ? [createLinkWatchJob(site)] : []),
  ];
}

/** Reads content and articles, and shows edits of the content folder where the platform looks for them. */
async function openContent(settings: Settings, platform: Platform) {
  const { log, content: source } = platform;
  // Opened before the files are read, so that no edit is missed.
  await source.files?.journal.settle();
  const watcher = await platform.openContentWatcher?.();
  const listSlugs = () => listArticleSlugs(settings, platform);
  const start = source.readStart(listSlugs());
  const live = createLiveContent(start.content);
  const { read } = live;
  const firstRead: ReadFiles[] = [];
  const articles = await createArticles(settings, read, platform, log, (found) => firstRead.push(found));
  const listeners: (() => void)[] = [];
  /** What operators have edited or removed, until it is read again. */
  const edited = new Set<string>();
  const reload = new ContentReload({
    live,
    start,
    startArticles: firstRead[0] ?? null,
    now: platform.clock.now(),
    read: (last) => source.readEdits(last, listSlugs()),
    remember: source.remember,
    prepareArticles: (next) => articles.prepareEdits(next, edited),
    runSparing: platform.runSparing,
    onApplied() {
      for (const listener of listeners) listener();
      void redraw();
    },
    log,
  });
  const { images } = platform;
  const { refreshImages, redraw } = createImageRefresh(images, reload, log, () => ({
    content: read(),
    articles: articles.getSummaries(),
  }));
  const apply = async (files: readonly string[]) => {
    if (files.some((file) => file.startsWith('images/'))) await refreshImages(files);
    else reload.reload(files);
  };
  watcher?.start((files) => void apply(files));
  // What was added while no process ran.
  void refreshImages().then(redraw);
  articles.onChange(() => void redraw());
  const shown: ShownSite = {
    read,
    articles,
    readWarnings: () => [
      ...read().addressClashes.map(({ file, reason }) => `content: ${file}: ${reason}`),
      ...[watcher?.readProblem() ?? []].flat().map((problem) => `content: ${problem}`),
      ...reload.readWarnings(),
      ...(images?.readProblems() ?? []).map((problem) => `content: ${problem}`),
      ...[platform.readCopyProblem() ?? []].flat(),
    ],
    onChange: (listener) => void listeners.push(listener),
    refreshPrices: () => reload.refreshPrices(platform.clock.now()),
    async applyEdits(files) {
      // Where nothing looks for edits, they apply at the next start.
      if (watcher === undefined) return;
      await watcher.skip(files);
      for (const file of files) edited.add(file);
      await apply(files);
    },
  };
  const close = async () => {
    watcher?.close();
    await images?.close();
    await articles.close();
  };
  return { shown, close };
}

/**
 * Creates functions that convert new images and show the edited files that use them, and that draw what is made of the
 * content. Both log what is wrong.
 */
function createImageRefresh(
  images: Platform['images'],
  reload: ContentReload,
  log: Log,
  readDrawn: () => { content: Content; articles: readonly ArticleSummary[] },
) {
  const show = () => reload.reload([]);
  let reported: readonly string[] = [];
  const report = async (work: (folder: NonNullable<typeof images>) => Promise<boolean>) => {
    if (images === null) return false;
    const isChanged = await work(images);
    const problems = images.readProblems();
    for (const problem of problems) if (!reported.includes(problem)) log.warn(`content: ${problem}`);
    reported = problems;
    return isChanged;
  };
  let isAsked = false;
  return {
    async refreshImages(files: readonly string[] = []) {
      if ((await report((folder) => folder.refresh(show))) || files.length > 0) reload.reload(files);
    },
    async redraw() {
      // Many changes at a time are drawn once.
      if (isAsked) return;
      isAsked = true;
      const isChanged = await report((folder) =>
        folder.draw(async () => {
          isAsked = false;
          return readDrawn();
        }, show),
      );
      isAsked = false;
      if (isChanged) show();
    },
  };
}

function listArticleSlugs(settings: Settings, platform: Platform): ReadonlySet<string> | undefined {
  return settings.ARTICLE_SOURCE === 'files' ? new Set(platform.content.articles.listSlugs()) : undefined;
}
