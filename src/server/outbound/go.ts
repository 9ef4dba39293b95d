import { hash } from 'node:crypto';
import { createAnswerCodeParser, NO_ANSWERS } from '../../core/assessment/answers.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { type AnalyticsVisit, parseAnalyticsVisit } from '../../core/consent/analytics-visit.ts';
import { buildStorageRule, isStorageFreeRegion } from '../../core/consent/needs-asking.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import { hasCampaign, parseCampaign, UTM_PARAMETERS } from '../../core/events/campaign.ts';
import type { EventFlag, SiteEvent } from '../../core/events/site-event.ts';
import { parseSitePath } from '../../core/events/site-path.ts';
import { classifyClick, UNKNOWN_SOURCE, type VisitSource } from '../../core/events/visit-source.ts';
import {
  type Beside,
  findListedHost,
  listHosts,
  parseListedPage,
  splitPage,
} from '../../core/outbound/beside.schema.ts';
import {
  buildOutboundUrl,
  chooseDestination,
  type OutboundClick,
} from '../../core/outbound/build-outbound-url.ts';
import { chooseLabel } from '../../core/outbound/labels.ts';
import {
  buildClickParts,
  type OutboundLink,
  parseLinkQuery,
  type RequestedLink,
  UNKNOWN_VISIT,
} from '../../core/outbound/outbound-link.ts';
import { buildPaidAddress, type Partner, type PartnerTarget } from '../../core/outbound/partner.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { memoizeByKey } from '../../core/text/memoize-by-key.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { buildClientKey, createRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { type AppContext, type Handler, splitTarget } from '../http/route.ts';
import { getSiteOrigin, isSameOrigin, listOwnHosts } from '../http/same-origin.ts';
import { isEmbedded, readVisitorSignals, type VisitorSignals } from '../http/visitor-signals.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import { buildRedirectPage, REDIRECT_POLICY, type RedirectPage } from './redirect-page.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': REDIRECT_POLICY,
  'cross-origin-resource-policy': 'same-site',
};

const NO_PAGE = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };

interface GoRequest {
  readonly link: RequestedLink;
  readonly click: OutboundClick;
  readonly flags: readonly EventFlag[];
  readonly source: VisitSource;
}

/**
 * Responds to GET and HEAD of `/go/{partner}` and the trial paths with the redirect page, or with a redirect where the
 * partner's file says so. A click on a link past the redirect is a POST of the visit script. A GET and a POST are stored
 * as a click first, under the token of its link. A token that the same client repeats within minutes is a duplicate of
 * that click; one that returns later, or from another client, was copied: a click of its own, without the visit that it
 * carries. Prefetches, bots, and images, frames and scripts that request the path are stored with an id and a flag of
 * their own. Whatever the query contains, a page is sent.
 */
export function createGo(site: Site, target: PartnerTarget): Handler {
  return async (context) => {
    const { req } = context;
    const { partner } = target;
    const isBeside = req.method === 'POST';
    const { beside } = site.content.read();
    const isListed = isBeside && findListedHost(beside, req.header('origin')) !== null;
    if (isBeside && !isListed) {
      if (partner.redirect !== 'no') return new Response(null, { status: 405, headers: NO_PAGE });
      if (!isSameOrigin(req.raw.headers, getSiteOrigin(site.settings)))
        return new Response(null, { status: 403, headers: NO_PAGE });
    }
    const [, search] = splitTarget(req.url);
    // Programs escape links for HTML twice.
    const query = new URLSearchParams(search.replaceAll('&amp;', '&'));
    const request = readRequest(site, context, query, target);
    const { link, click, flags }: Omit<GoRequest, 'source'> =
      req.method === 'HEAD' ? request : await storeWithinRate(site, target, request, context);
    if (isBeside) {
      const headers = { ...NO_PAGE, ...(isListed && { 'cross-origin-resource-policy': 'cross-origin' }) };
      return new Response(null, { status: 204, headers });
    }
    // Requested again by its own page, the redirect would not know which page has the link, and its label.
    const isFinal = partner.labels !== undefined && flags.includes('prefetch');
    if (partner.redirect !== 'page' || isFinal) return redirect(partner, { link, click, flags });
    const page = buildRedirectPage({
      name: partner.name,
      target: buildOutboundUrl(partner, link, click),
      storage: readStorageData(site, click.region ?? ''),
      ...(partner.labels === undefined ? planRepeat(req.path, search, query, { link, click, flags }) : FINAL),
    });
    return new Response(page, { headers: HEADERS });
  };
}

/** What decides in the redirect page whether storage may be read. A region that the proxy names is decided here. */
function readStorageData({ settings, content }: Site, region: string): RedirectPage['storage'] {
  const { STORAGE_CONSENT_REGIONS: regions, REGION_HEADER: header } = settings;
  const isListed = header !== '' && isStorageFreeRegion(regions, region);
  return {
    rule: isListed ? 'all' : buildStorageRule(regions, header !== ''),
    choice: settings.STORAGE_QUESTION === 'ask' ? content.read().site.privacyChoices.version : '',
  };
}

/** Leads past the redirect page. A prefetch gets nothing that a browser could keep for the click itself. */
function redirect(partner: Partner, { link, click, flags }: Omit<GoRequest, 'source'>): Response {
  if (flags.includes('prefetch')) return new Response(null, { status: 503, headers: NO_PAGE });
  const location =
    partner.redirect === 'no'
      ? buildPaidAddress(partner, chooseDestination(partner, link.pageKey), click.label)
      : buildOutboundUrl(partner, link, click);
  return new Response(null, { status: 302, headers: { ...NO_PAGE, location } });
}

const FINAL = { repeatUrl: null, isPrefetched: false };

/** The label of the page that has the link: the page of this site that the browser names, never a parameter. */
function readLabel({ clock, settings }: Site, req: AppContext['req'], { labels }: Partner): string | null {
  const from = labels === undefined ? null : readReferer(req);
  if (labels === undefined || from === null) return null;
  return chooseLabel(
    labels,
    parseSitePath(from.pathname) ?? '',
    '',
    getLocalDay(clock.now(), settings.TIME_ZONE),
  );
}

function readRequest(
  site: Site,
  { req, env }: AppContext,
  query: URLSearchParams,
  target: PartnerTarget,
): GoRequest {
  const { settings, clock, newId } = site;
  const { clickTokens } = site.visitors;
  const content = site.content.read();
  const { gpc, flags } = readSignals(req);
  const region = readRegion(settings, req);
  const isStrict = isStorageFreeRegion(settings.STORAGE_CONSENT_REGIONS, region);
  const link = readLink(req, query, target, { gpc, isStrict, beside: content.beside });
  const ownHosts = [...listOwnHosts(settings, req.header('host')), ...listHosts(content.beside)];
  const label = readLabel(site, req, target.partner);
  const withholdsIds = settings.CLICK_ID_WITHOUT_CONSENT === 'no';
  const isUnasked = gpc || link.visit.isFree === true || (isStrict && link.visit.session === '');
  const build = (visit: OutboundLink['visit'], id: string, ownFlags = flags): GoRequest => {
    const parseAnswers = getAnswerCodeParser(content.assessment.questions);
    const answers = parseAnswers(visit.answers === '' ? undefined : parseJson(visit.answers));
    const isFree = visit.isFree === true;
    const analytics = gpc || isFree ? null : readAnalytics(settings, req.header('cookie') ?? '', clock.now());
    const source = classifyClick(visit, req.header('referer') ?? '', ownHosts);
    return {
      link: { ...link, visit, hasVisit: link.hasVisit && visit === link.visit },
      click: { id, isIdWithheld: withholdsIds && isUnasked, gpc, answers, analytics, region, label },
      flags: isFree ? [...ownFlags, 'free'] : ownFlags,
      source,
    };
  };
  if (req.method === 'HEAD' || flags.length > 0) return build(link.visit, newId());
  const browser = hashText((req.header('user-agent') ?? '').slice(0, 256));
  const client = `${buildClientKey(env.clientAddress)} ${browser}`;
  // A click without a token gets one, which the redirect page may repeat.
  const token = link.visit.isFree
    ? clickTokens.findDoubleClick(
        hash('sha256', `${client} ${req.url}`, 'base64url').slice(0, 12),
        newId(),
        clock.now(),
      )
    : copyText(link.clickToken) || newId();
  const use = clickTokens.use(token, client, clock.now());
  if (use === 'copied') return build({ ...UNKNOWN_VISIT, page: link.visit.page }, newId());
  return build(link.visit, token, use === 'repeated' ? ['duplicate'] : flags);
}

/** A part of the request's target would keep all of it in memory, and collecting that takes longer than to copy it. */
const copyText = (text: string) => text && Buffer.from(text, 'latin1').toString('latin1');

/** 32 bits (FNV-1a), which tell the browsers behind one address apart. */
function hashText(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}

const getAnswerCodeParser = memoizeByKey(createAnswerCodeParser);

/** What the trusted proxy says of the visitor's region; empty for nothing. */
const readRegion = ({ REGION_HEADER: header }: Settings, req: AppContext['req']) =>
  (header && req.header(header)) || '';

/** Reads the cookies of the analytics tag; undefined where commissions are not reported to analytics. */
function readAnalytics(
  { GA_MEASUREMENT_ID: measurementId, GA_API_SECRET: secret }: Settings,
  cookies: string,
  now: number,
): AnalyticsVisit | null | undefined {
  return measurementId === '' || secret === '' ? undefined : parseAnalyticsVisit(cookies, measurementId, now);
}

/** A prefetch is no navigation either, and may become one. */
function readSignals({ raw }: AppContext['req']): VisitorSignals {
  const { gpc, flags } = readVisitorSignals(raw);
  const isOther = raw.method !== 'POST' && !flags.includes('prefetch') && isEmbedded(raw);
  return { gpc, flags: isOther ? [...flags, 'embedded'] : flags };
}

/**
 * The link, with the page that carries it: from the link, else from the Referer, else the redirect itself. A link that was
 * clicked before the visit script had loaded carries nothing: then the campaign is that of the page.
 */
function readLink(
  req: AppContext['req'],
  query: URLSearchParams,
  { pageKey }: PartnerTarget,
  { gpc, isStrict, beside }: Readonly<Record<'gpc' | 'isStrict', boolean>> & { readonly beside: Beside },
): RequestedLink {
  const link = parseLinkQuery(query, gpc, isStrict);
  const { visit } = link;
  const from = readReferer(req);
  const page =
    readListedPage(req, query, beside) || visit.page || (from && parseSitePath(from.pathname)) || req.path;
  const campaign =
    link.hasVisit || link.isRepeated || from === null
      ? {}
      : parseCampaign(from.search, gpc || isStrict ? UTM_PARAMETERS : undefined);
  const touches = hasCampaign(campaign) ? { firstTouch: campaign, lastTouch: campaign } : {};
  return { ...link, pageKey: pageKey ?? link.pageKey, visit: { ...visit, page, ...touches } };
}

/** The page of a listed site that has the link. The origin that the browser names, if it does, has to be the same one. */
function readListedPage(req: AppContext['req'], query: URLSearchParams, beside: Beside): string {
  if (beside.hosts.length === 0) return '';
  const page = parseListedPage(beside, query.get('from') ?? '');
  const named = req.header('origin') ?? req.header('referer');
  const host = named === undefined ? undefined : URL.parse(named)?.host;
  return host === undefined || page.startsWith(`${host}/`) ? page : '';
}

/** The address of the page of this site that has the link; null for other sites. */
function readReferer(req: AppContext['req']): URL | null {
  const referer = req.header('referer') ?? '';
  const address = referer === '' ? null : URL.parse(referer);
  return address?.host === req.header('host') ? address : null;
}

/** Stores the click as completely as the rate of its address allows. */
async function storeWithinRate(
  site: Site,
  target: PartnerTarget,
  request: GoRequest,
  { req, env }: AppContext,
): Promise<GoRequest> {
  const storage = site.visitors.clickRate.take(env.clientAddress, req.url.length);
  if (storage === 'complete') return storeClick(site, target, request);
  if (storage === 'short') await site.visitors.clickQueue.add(buildShortClick(site, target, request));
  return request;
}

/** A click beyond the rate of its address: who sent it and where it went, and nothing of a chosen length. */
function buildShortClick(
  { newId, clock }: Site,
  { partner }: PartnerTarget,
  { click, flags }: GoRequest,
): SiteEvent {
  const parts = {
    id: newId(),
    name: 'affiliate_redirect',
    label: partner.key,
    value: 1,
    data: { partner: partner.key },
  } as const;
  return buildSiteEvent(parts, { now: clock.now(), gpc: click.gpc, flags: [...flags, 'flood'] });
}

/**
 * Stores the click. A token that was stored before, but is not in memory any more, is treated as copied: its click gets
 * an id of its own and loses the visit.
 */
async function storeClick(site: Site, { partner }: PartnerTarget, request: GoRequest): Promise<GoRequest> {
  const { clock, newId } = site;
  const { clickQueue, clickTokens } = site.visitors;
  const buildEvent = ({ link, click, flags, source }: GoRequest) => {
    const pageKey = partner.destinations.has(link.pageKey) ? link.pageKey : 'pricing';
    const parts = buildClickParts(partner, pageKey, link, click);
    const { host, path } = splitPage(link.visit.page);
    const context = { now: clock.now(), gpc: click.gpc, flags, source, host };
    return buildSiteEvent({ ...parts, page: path }, context);
  };
  const { link, click, flags } = request;
  if (flags.includes('duplicate')) {
    const event = buildEvent(request);
    // The duplicate may know more of the visit than the click itself: `click` joins the two.
    await clickQueue.add({ ...event, id: newId(), data: { ...event.data, click: click.id } });
    return request;
  }
  // Right after a start, a repeated token is not in memory either: it is stored as a duplicate.
  if (!clickTokens.isComplete(clock.now())) {
    await clickQueue.add(buildEvent(request));
    return request;
  }
  let copied = request;
  const outcome = await clickQueue.add(buildEvent(request), () => {
    copied = {
      link: { ...link, visit: { ...UNKNOWN_VISIT, page: link.visit.page }, hasVisit: false },
      click: { ...click, id: newId(), answers: { ...NO_ANSWERS, unknown: click.answers.unknown } },
      flags,
      source: UNKNOWN_SOURCE,
    };
    return buildEvent(copied);
  });
  return outcome === 'replaced' ? copied : request;
}

const MAX_REPEATED_QUERY = 4096;

/**
 * Whether the page requests this redirect once more: always when it was prefetched, because that was not counted as a
 * click; and when the link carried nothing of the visit, which storage may have.
 */
function planRepeat(
  path: string,
  search: string,
  parameters: URLSearchParams,
  { link, click, flags }: Omit<GoRequest, 'source'>,
): { readonly repeatUrl: string | null; readonly isPrefetched: boolean } {
  const isPrefetched = flags.includes('prefetch');
  const isFinal =
    link.isRepeated || search.length > MAX_REPEATED_QUERY || (!isPrefetched && (link.hasVisit || click.gpc));
  if (isFinal) return { repeatUrl: null, isPrefetched: false };
  parameters.delete('stored');
  // Of the page that has the link, which storage does not know yet.
  for (const [name, value] of Object.entries(link.visit.firstTouch)) parameters.set(name, value);
  parameters.set('again', '1');
  // The click is stored already: requested again it is a duplicate, and the provider receives one click id.
  if (!isPrefetched) parameters.set('click', click.id);
  return { repeatUrl: `${path}?${parameters}`, isPrefetched };
}

/** How a click is stored: with all that is known of it, as a short event with the flag `flood`, or not at all. */
export type ClickStorage = 'complete' | 'short' | 'none';

/** Many visitors behind one address may click at the same moment. */
const BURST_SECONDS = 20;
/** Of the clicks beyond the rate, this many are stored short, so that reports show what happened. */
const SHORT = { perSecond: 1, burst: 60 };
const MAX_ADDRESSES = 50_000;
/** A click of this length counts as one; a longer one as several. */
const BYTES_PER_CLICK = 1_024;

/** Limits the clicks of one address that are stored. Every visitor is sent on, whatever is stored. */
export class ClickRate {
  readonly #complete: RateLimiter;
  readonly #short: RateLimiter;
  #skipped = 0;

  /** `perSecond`: complete clicks of an address, twenty times as many at once; 0: no limit. `now`: monotonic ms. */
  constructor(perSecond: number, now: () => number) {
    const burst = perSecond * BURST_SECONDS;
    this.#complete = createRateLimiter({ perSecond, burst, maxAddresses: MAX_ADDRESSES, now });
    this.#short = createRateLimiter({ ...SHORT, maxAddresses: MAX_ADDRESSES, now });
  }

  /** How many clicks were not stored. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Counts a click of an address with a query of `bytes` bytes, and returns how it is stored. */
  take(address: string, bytes: number): ClickStorage {
    if (this.#complete.take(address, Math.max(1, Math.ceil(bytes / BYTES_PER_CLICK))) === 0)
      return 'complete';
    if (this.#short.take(address, 1) === 0) return 'short';
    this.#skipped += 1;
    return 'none';
  }
}

/** For how long a token that returns from the same client stands for the same click, in ms. */
const SAME_CLICK_MS = 120_000;

/** For how long the same link, followed by the same client without a token, is the same click, in ms. */
const DOUBLE_CLICK_MS = 10_000;

/** About 5 MB at most. Beyond it, the oldest tokens are forgotten. */
const MAX_TOKENS = 20_000;

/** Who uses a click token: its first client, the same client again (`repeated`), or another one or later (`copied`). */
export type TokenUse = 'new' | 'repeated' | 'copied';

/** The click tokens of the last minutes, in memory alone. */
export class ClickTokens {
  readonly #since: number;
  readonly #seen = new RecentMap<{ readonly client: string; readonly time: number }>(MAX_TOKENS);
  readonly #targets = new RecentMap<{ readonly id: string; readonly time: number }>(MAX_TOKENS);

  /** `now` in ms since 1970, as everywhere here. */
  constructor(now: number) {
    this.#since = now;
  }

  /** Whether every token of the last minutes is in memory: not yet when the process has just started. */
  isComplete(now: number): boolean {
    return now - this.#since >= SAME_CLICK_MS;
  }

  /** Classifies a token and remembers its first use. `client` stands for address and browser. */
  use(token: string, client: string, now: number): TokenUse {
    const first = this.#seen.get(token);
    if (first === undefined) {
      this.#seen.set(token, { client, time: now });
      return 'new';
    }
    return first.client === client && now - first.time < SAME_CLICK_MS ? 'repeated' : 'copied';
  }

  /** Returns the id of the same click by the same client within seconds, else `id`, for links without a token. `target` stands for both. */
  findDoubleClick(target: string, id: string, now: number): string {
    const first = this.#targets.get(target);
    if (first !== undefined && now - first.time < DOUBLE_CLICK_MS) return first.id;
    this.#targets.set(target, { id, time: now });
    return id;
  }
}
