import type { BackOffice } from '../console/back-office.ts';
import type { BackOfficeOptions } from '../console/create-back-office.ts';
import { listPartnerPaths } from '../core/outbound/partner.ts';
import { collectPageParameters } from '../core/pages/page-parameters.ts';
import { buildSpeculationRules } from '../core/seo/site-files.ts';
import { createFeatures, type Features } from './features.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { createTokenCheck } from './http/secret-token.ts';
import type { PageHashes } from './http/security-headers.ts';
import type { Log } from './log.ts';
import { buildSiteGauges } from './metrics.ts';
import { ContentReload, createLiveContent, type LiveContent } from './pages/content-reload.ts';
import { readLaunchNotices } from './pages/launch.ts';
import type { Platform } from './platform.ts';
import type { Services } from './services.ts';
import type { Settings } from './settings.ts';
import { createSiteRoutes } from './site-routes.ts';
import { createSiteSecurity } from './site-security.ts';

/** Pages of one address that are rendered at once take a second of the processor. */
const PAGE_BURST_SECONDS = 5;
const MAX_ADDRESSES = 50_000;

/** Opens the back office over the databases of the site; a thread opens its own connections. */
type OpenBackOffice = (options: BackOfficeOptions) => BackOffice;

/** Puts the site together over a runtime. Throws what the parts throw (`ContentError`, …). */
export async function composeSite(
  settings: Settings,
  log: Log,
  pageHashes: PageHashes,
  platform: Platform,
  openBackOffice: OpenBackOffice,
): Promise<Services> {
  const { clock, content: source } = platform;
  // Opened before the files are read, so that no edit is missed.
  const watcher = await platform.openContentWatcher?.();
  const listSlugs = () =>
    settings.ARTICLE_SOURCE === 'files' ? new Set(source.articles.listSlugs()) : undefined;
  const start = source.read(listSlugs());
  const live = createLiveContent(start.content);
  const { content } = live;
  const options = { settings, content, platform, log };
  const features = await createFeatures(options);
  const { events, articles, assessments, commissions, contact } = features;
  const { reload, pageParameters, onContentChange } = createReload(live, articles, {
    documents: start.documents,
    read: (shown, articles) => source.readEdits(shown, articles ?? listSlugs()),
    readFixed: source.readFixed,
    log,
  });
  const office = openBackOffice({
    ...options,
    ...{ events, commissions, articles },
    readContentWarnings: () => reload.readWarnings(),
  });
  watcher?.start((files) => reload.reload(files));
  const readWarnings = () => [reload, events, articles, commissions].flatMap((part) => part.readWarnings());
  const speculationRules = buildSpeculationRules(listPartnerPaths(content.partners));
  return {
    settings,
    content,
    now: clock.now,
    isPreviewToken: createTokenCheck(settings.PREVIEW_TOKEN),
    contact: contact.service,
    newsletter: contact.newsletter,
    console: office,
    articles,
    readContent: () => source.read(listSlugs()).content,
    routes: createSiteRoutes(options, features, readWarnings),
    onContentChange,
    pageParameters,
    speculationRules,
    security: createSiteSecurity(settings, pageHashes, speculationRules),
    log,
    limiter: events.limiter,
    renderLimiter: createRateLimiter({
      perSecond: settings.PAGE_RATE,
      burst: settings.PAGE_RATE * PAGE_BURST_SECONDS,
      maxAddresses: MAX_ADDRESSES,
      now: clock.monotonic,
    }),
    readProblems: features.readProblems,
    readNotices: async () => [
      ...readLaunchNotices(content, settings, clock.now()),
      ...(await contact.readNotices()),
    ],
    storeAssessment: assessments.store,
    gauges: buildSiteGauges(features, readWarnings),
    async runDueJobs() {
      for (const part of [events, commissions, office, articles]) await part.runDueJobs();
    },
    async close(timeoutMs) {
      watcher?.close();
      await closeParts(features, office, timeoutMs);
    },
  };
}

/** Creates what shows edited content, with what follows from the pages and is brought up to date by an edit. */
function createReload(
  live: LiveContent,
  articles: Features['articles'],
  options: Pick<ConstructorParameters<typeof ContentReload>[0], 'documents' | 'read' | 'readFixed' | 'log'>,
) {
  const { content } = live;
  const listeners: (() => void)[] = [];
  const pageParameters = new Map(collectPageParameters(content.pages, content.plans));
  const reload = new ContentReload({
    ...options,
    live,
    prepareArticles: (next) => articles.prepareEdits(next),
    onApplied() {
      pageParameters.clear();
      for (const [key, names] of collectPageParameters(content.pages, content.plans))
        pageParameters.set(key, names);
      for (const listener of listeners) listener();
    },
  });
  const onContentChange = (listener: () => void) => void listeners.push(listener);
  return { reload, pageParameters, onContentChange };
}

async function closeParts(
  { events, articles, assessments, commissions, go }: Features,
  office: BackOffice,
  timeoutMs: number,
): Promise<void> {
  await Promise.all([go.clicks, assessments.queue].map((queue) => queue.close(timeoutMs)));
  // One part that hangs must not keep the others from closing their files.
  await Promise.all([
    articles.close(),
    Promise.all([office.close(), commissions.close()]).then(() => events.close()),
  ]);
}
