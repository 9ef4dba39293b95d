import { isBot } from '../../core/journey/bots.ts';
import { buildSiteEvent } from '../../core/journey/build-site-event.ts';
import { buildClickParts } from '../../core/journey/click-event.ts';
import { type GoLink, parseGoLink } from '../../core/journey/go-link.ts';
import { type GoTarget, matchGoPath } from '../../core/journey/go-path.ts';
import { buildOutboundUrl } from '../../core/journey/outbound.ts';
import type { EventFlag } from '../../core/journey/site-event.ts';
import { parseSitePath } from '../../core/journey/site-path.ts';
import type { Partner } from '../../core/partners/partner.ts';
import type { ClickKeeper } from '../go/click-keeper.ts';
import { buildRedirectPage, REDIRECT_POLICY } from '../go/redirect-page.ts';
import type { HttpAnswer, HttpCall, HttpHandler } from '../http/message.ts';
import { buildProblem } from '../http/problem.ts';

export interface GoOptions {
  readonly partners: ReadonlyMap<string, Partner>;
  readonly clicks: Pick<ClickKeeper, 'keep'>;
  /** ms since 1970. */
  readonly now: () => number;
  /** A new UUID. */
  readonly newId: () => string;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': REDIRECT_POLICY,
};

/**
 * Answers GET and HEAD of `/go/{partner}` and the three trial paths with the redirect page. A GET is kept as a
 * click first: by the token of the click, so that the same click again is a double; prefetches and bots under
 * an id and a flag of their own. HEAD is kept nowhere. Whatever the query holds, the answer is a page.
 */
export function createGoHandler(options: GoOptions): HttpHandler {
  return async (call) => {
    if (call.method !== 'GET' && call.method !== 'HEAD') {
      return buildProblem('method-not-allowed', call.requestId, { headers: { allow: 'GET, HEAD' } });
    }
    const target = matchGoPath(call.path, options.partners);
    return target ? answerClick(options, call, target) : buildProblem('not-found', call.requestId);
  };
}

async function answerClick(options: GoOptions, call: HttpCall, target: GoTarget): Promise<HttpAnswer> {
  const { partner } = target;
  const gpc = call.header('sec-gpc') === '1';
  const link = readLink(call, target, gpc);
  const flags = readFlags(call);
  const id = flags.length === 0 && link.clickToken ? link.clickToken : options.newId();
  if (call.method === 'GET') {
    const pageKey = partner.destinations.has(link.pageKey) ? link.pageKey : 'pricing';
    const parts = buildClickParts({ id, partner, pageKey, link, page: link.visit.page });
    await options.clicks.keep(buildSiteEvent(parts, { now: options.now(), gpc, flags }));
  }
  const url = buildOutboundUrl(partner, { ...link, clickId: id, reduced: gpc }, link.visit);
  const page = buildRedirectPage({
    name: partner.name,
    target: url,
    ...planAgain(call, link, id, gpc, flags),
  });
  return { status: 200, headers: HEADERS, body: page };
}

/** The link, with the page that carries it: from the link, else from the Referer, else the redirect itself. */
function readLink(call: HttpCall, { pageKey }: GoTarget, gpc: boolean): GoLink {
  const link = parseGoLink(call.query, gpc);
  const page = link.visit.page || readRefererPath(call) || call.path;
  return { ...link, pageKey: pageKey ?? link.pageKey, visit: { ...link.visit, page } };
}

function readRefererPath(call: HttpCall): string {
  const referer = call.header('referer') ?? '';
  if (!URL.canParse(referer)) return '';
  const { host, pathname } = new URL(referer);
  return host === call.header('host') ? (parseSitePath(pathname) ?? '') : '';
}

function readFlags(call: HttpCall): EventFlag[] {
  const purpose = `${call.header('sec-purpose') ?? ''} ${call.header('purpose') ?? ''} ${call.header('x-moz') ?? ''}`;
  const flags: EventFlag[] = [];
  if (isBot(call.header('user-agent'))) flags.push('bot');
  if (/prefetch|prerender|preview/i.test(purpose)) flags.push('prefetch');
  return flags;
}

/** Longest query that the page may be asked to repeat. */
const AGAIN_LIMIT = 4096;

/**
 * Whether the page asks this redirect once more: always when it was loaded ahead of the click, which was not
 * counted then; and when the link brought nothing of the visit but session storage may know something.
 */
function planAgain(call: HttpCall, link: GoLink, id: string, gpc: boolean, flags: readonly EventFlag[]) {
  const isStale = flags.includes('prefetch');
  const isFinal = link.isAgain || call.query.length > AGAIN_LIMIT || (!isStale && (link.hasVisit || gpc));
  if (isFinal) return { again: null, isStale: false };
  const query = new URLSearchParams(call.query);
  query.delete('stored');
  query.set('again', '1');
  // The click is stored already: asked again it is a double, and the provider hears of one click id.
  if (!isStale) query.set('click', id);
  return { again: `${call.path}?${query}`, isStale };
}
