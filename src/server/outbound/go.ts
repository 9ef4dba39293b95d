import type { HonoRequest } from 'hono';
import type { ParseAnswerCodes } from '../../core/assessment/answer-codes.ts';
import type { AnalyticsVisit } from '../../core/consent/analytics-visit.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import type { EventFlag, SiteEvent } from '../../core/events/site-event.ts';
import { parseSitePath } from '../../core/events/site-path.ts';
import { buildOutboundUrl, type OutboundClick } from '../../core/outbound/build-outbound-url.ts';
import { buildClickParts } from '../../core/outbound/click-event.ts';
import { type OutboundLink, parseLinkQuery } from '../../core/outbound/link-query.ts';
import type { PartnerTarget } from '../../core/outbound/partner-paths.ts';
import { UNKNOWN_VISIT } from '../../core/outbound/visit.ts';
import { parseJson } from '../../core/text/parse-json.ts';
import type { DurableEventQueue } from '../events/durable-event-queue.ts';
import type { AppContext, Handler } from '../http/route.ts';
import { splitTarget } from '../http/target.ts';
import { isEmbedded, readVisitorSignals, type VisitorSignals } from '../http/visitor-signals.ts';
import type { ClickRate } from './click-rate.ts';
import type { ClickTokens } from './click-tokens.ts';
import { planRepeat } from './plan-repeat.ts';
import { buildRedirectPage, REDIRECT_POLICY } from './redirect-page.ts';

export interface GoOptions {
  readonly parseAnswerCodes: ParseAnswerCodes;
  /** Reads the cookies of the analytics tag; left out where commissions are not reported to analytics. */
  readonly readAnalytics?: ((cookies: string) => AnalyticsVisit | null) | undefined;
  /** Name of the header in which the trusted proxy names the region; empty without one. */
  readonly regionHeader?: string | undefined;
  readonly clicks: Pick<DurableEventQueue, 'add'>;
  readonly rate: Pick<ClickRate, 'take'>;
  readonly tokens: ClickTokens;
  /** ms since 1970. */
  readonly now: () => number;
  /** Creates a UUID. */
  readonly newId: () => string;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': REDIRECT_POLICY,
};

/** A request to the redirect, as it is stored and sent on. */
interface GoRequest {
  readonly link: OutboundLink;
  readonly click: OutboundClick;
  readonly flags: readonly EventFlag[];
}

/**
 * Responds to GET and HEAD of `/go/{partner}` and the trial paths with the redirect page. A GET is stored as a click
 * first, under the token of its link. A token that the same client repeats within minutes is a duplicate of that click;
 * one that returns later, or from another client, was copied: a click of its own, without the visit that it carries.
 * Prefetches, bots, and images, frames and scripts that request the path are stored with an id and a flag of their own.
 * Whatever the query contains, a page is sent.
 */
export function createGoHandler(options: GoOptions, target: PartnerTarget): Handler {
  return async (context) => {
    const { req } = context;
    const { partner } = target;
    const [, query] = splitTarget(req.url);
    const request = readRequest(options, context, query, target);
    const { link, click, flags } =
      req.method === 'GET' ? await storeWithinRate(options, target, request, context) : request;
    const page = buildRedirectPage({
      name: partner.name,
      target: buildOutboundUrl(partner, link, click),
      ...planRepeat(req.path, query, { link, click, flags }),
    });
    return { status: 200, headers: HEADERS, body: Buffer.from(page) };
  };
}

function readRequest(
  options: GoOptions,
  { req, env }: AppContext,
  query: string,
  target: PartnerTarget,
): GoRequest {
  const { gpc, flags } = readSignals(req);
  const link = readLink(req, query, target, gpc);
  const region = (options.regionHeader && req.header(options.regionHeader)) || '';
  const build = (visit: OutboundLink['visit'], id: string, ownFlags = flags): GoRequest => {
    const answers = options.parseAnswerCodes(parseJson(visit.answers));
    const analytics = gpc ? null : options.readAnalytics?.(req.header('cookie') ?? '');
    return { link: { ...link, visit }, click: { id, gpc, answers, analytics, region }, flags: ownFlags };
  };
  if (req.method !== 'GET' || flags.length > 0) return build(link.visit, options.newId());
  // A click without a token gets one, which the redirect page may repeat.
  const token = link.clickToken || options.newId();
  const client = `${env.clientAddress} ${(req.header('user-agent') ?? '').slice(0, 256)}`;
  const use = options.tokens.use(token, client, options.now());
  if (use === 'copied') return build({ ...UNKNOWN_VISIT, page: link.visit.page }, options.newId());
  return build(link.visit, token, use === 'repeated' ? ['duplicate'] : flags);
}

/** A prefetch is no navigation either, and may become one. */
function readSignals({ raw }: HonoRequest): VisitorSignals {
  const { gpc, flags } = readVisitorSignals(raw);
  const isOther = !flags.includes('prefetch') && isEmbedded(raw);
  return { gpc, flags: isOther ? [...flags, 'embedded'] : flags };
}

/** The link, with the page that carries it: from the link, else from the Referer, else the redirect itself. */
function readLink(req: HonoRequest, query: string, { pageKey }: PartnerTarget, gpc: boolean): OutboundLink {
  const link = parseLinkQuery(query, gpc);
  const page = link.visit.page || readRefererPath(req) || req.path;
  return { ...link, pageKey: pageKey ?? link.pageKey, visit: { ...link.visit, page } };
}

function readRefererPath(req: HonoRequest): string {
  const referer = req.header('referer') ?? '';
  if (!URL.canParse(referer)) return '';
  const { host, pathname } = new URL(referer);
  return host === req.header('host') ? (parseSitePath(pathname) ?? '') : '';
}

/** Stores the click as completely as the rate of its address allows. */
async function storeWithinRate(
  options: GoOptions,
  target: PartnerTarget,
  request: GoRequest,
  { req, env }: AppContext,
): Promise<GoRequest> {
  const storage = options.rate.take(env.clientAddress, req.url.length);
  if (storage === 'complete') return storeClick(options, target, request);
  if (storage === 'short') await options.clicks.add(buildShortClick(options, target, request));
  return request;
}

/** A click beyond the rate of its address: who sent it and where it went, and nothing of a chosen length. */
function buildShortClick(
  { newId, now }: GoOptions,
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
  return buildSiteEvent(parts, { now: now(), gpc: click.gpc, flags: [...flags, 'flood'] });
}

/**
 * Stores the click. A token that was stored before, but is not in memory any more, is treated as copied: its click gets
 * an id of its own and loses the visit.
 */
async function storeClick(
  options: GoOptions,
  { partner }: PartnerTarget,
  request: GoRequest,
): Promise<GoRequest> {
  const buildEvent = ({ link, click, flags }: GoRequest) => {
    const pageKey = partner.destinations.has(link.pageKey) ? link.pageKey : 'pricing';
    const parts = buildClickParts(partner, pageKey, link, click);
    return buildSiteEvent(parts, { now: options.now(), gpc: click.gpc, flags });
  };
  const { link, click, flags } = request;
  if (flags.includes('duplicate')) {
    const event = buildEvent(request);
    // The duplicate may know more of the visit than the click itself: `click` joins the two.
    await options.clicks.add({ ...event, id: options.newId(), data: { ...event.data, click: click.id } });
    return request;
  }
  const copied: GoRequest = {
    link: { ...link, visit: { ...UNKNOWN_VISIT, page: link.visit.page } },
    click: { ...click, id: options.newId(), answers: options.parseAnswerCodes(null) },
    flags,
  };
  // Right after a start, a repeated token is not in memory either: it is stored as a duplicate.
  if (!options.tokens.isComplete(options.now())) {
    await options.clicks.add(buildEvent(request));
    return request;
  }
  const outcome = await options.clicks.add(buildEvent(request), () => buildEvent(copied));
  return outcome === 'replaced' ? copied : request;
}
