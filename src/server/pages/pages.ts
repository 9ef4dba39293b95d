import { setImmediate } from 'node:timers/promises';
import type { SuggestedLink } from '../../core/articles/suggest-for-path.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import { leadLinks, leadTarget } from '../../core/pages/addresses.ts';
import type { Content } from '../../core/pages/content.ts';
import { isPublished } from '../../core/pages/shown-sections.ts';
import { ASSESSMENT_PATH, BLOG_PATH, buildArticlePath, HOME_PATH } from '../../core/paths.ts';
import type { Pages } from '../app.ts';
import { readBody } from '../http/request-body.ts';
import type { ReadResponse } from '../http/responses.ts';
import type { AppContext, Visitor } from '../http/route.ts';
import { getSiteOrigin, isSameOrigin } from '../http/same-origin.ts';
import type { SecurityHeaders } from '../http/security-headers.ts';
import { findOnlySite } from '../outbound/beside.ts';
import { leadPastRedirect } from '../outbound/redirect-page.ts';
import type { Site } from '../site.ts';

const MAX_FORM_BYTES = 65_536;
const LARGE_PAGE_BYTES = 250_000;
const TEXT = 'text/plain;charset=UTF-8';
const CACHEABLE = 'public, max-age=0, s-maxage=300, stale-while-revalidate=86400, stale-if-error=604800';
/** Headers that a page's own route may set. */
const PAGE_HEADERS = ['location', 'retry-after', 'link', 'x-robots-tag'] as const;

/** Pages that a site has without content: where it is for another site alone, they lead there. */
const EVERY_SITE: readonly string[] = [HOME_PATH, BLOG_PATH, ASSESSMENT_PATH];

/** Renders a request through Astro; a page that fails comes back as status 500. */
export type RenderPage = (request: Request, visitor: Visitor) => Promise<ReadResponse>;

/** Creates the pages of the application: Astro's responses with cache and security headers. */
export function createPages(site: Site, render: RenderPage): Pages {
  const { settings, security, log, clock } = site;
  const { postLimiter } = site.visitors;
  async function renderPage(request: Request, visitor: Visitor): Promise<ReadResponse> {
    const response = await render(request, visitor);
    const { requestId } = visitor;
    if (response.status === 500)
      log.error('page failed', { requestId, path: new URL(request.url).pathname.slice(0, 200) });
    // A page of a megabyte took long to render, and takes as long again to hash and to compress.
    if (response.body.byteLength > LARGE_PAGE_BYTES) await setImmediate();
    const path = new URL(request.url).pathname;
    const body = leadBody(response, site.content.read(), path, () =>
      getLocalDay(clock.now(), settings.TIME_ZONE),
    );
    return finish({ ...response, body }, request.method === 'GET', security);
  }

  const refuse = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) =>
    finish(
      { status, headers: { 'content-type': TEXT, ...headers }, body: Buffer.from(text) },
      false,
      security,
    );

  async function submit(address: string, { req, env }: AppContext): Promise<ReadResponse> {
    const { headers } = req.raw;
    if (!isSameOrigin(headers, getSiteOrigin(settings)))
      return refuse(403, 'Forms of other sites are refused.');
    const seconds = await postLimiter.take(env.clientAddress, 1);
    if (seconds > 0)
      return refuse(429, 'Too many forms were sent; try again later.', { 'retry-after': String(seconds) });
    const forwarded = ['content-type', 'user-agent', 'sec-gpc'].map((name) => [
      name,
      headers.get(name) ?? '',
    ]);
    const body = await readBody(req.raw, MAX_FORM_BYTES);
    const init = { method: 'POST', headers: Object.fromEntries(forwarded), body };
    return renderPage(new Request(settings.siteUrl + address, init), env);
  }

  return {
    async render(address, { requestId }) {
      const location = EVERY_SITE.includes(address.split('?', 1)[0] ?? '') ? findOnlySite(site) : null;
      if (location !== null) return refuse(302, '', { location });
      return renderPage(new Request(settings.siteUrl + address), { requestId, clientAddress: '' });
    },
    submit,
  };
}

/**
 * Texts of the content may name a piece by its default path: visitors go to its address without a redirect, and to partners
 * without one as well.
 */
function leadBody(
  { headers, body }: ReadResponse,
  { addresses, partners }: Content,
  page: string,
  getDay: () => string,
) {
  const isPlain = addresses.size === 0 && [...partners.values()].every(({ redirect }) => redirect !== 'no');
  if (isPlain || !parseContentType(headers['content-type']).startsWith('text/html')) return body;
  const html = leadLinks(Buffer.from(body).toString(), addresses);
  return Buffer.from(leadPastRedirect(html, partners, page, getDay()));
}

/** Adds the headers of a page; `isShared`: it may be the same for every visitor. */
function finish(
  { status, headers: given, body }: ReadResponse,
  isShared: boolean,
  security: SecurityHeaders,
): ReadResponse {
  const cacheControl = given['cache-control'];
  const isCached = isShared && status === 200 && !/no-store|private/.test(cacheControl ?? '');
  const headers: Record<string, string> = {
    'content-type': parseContentType(given['content-type']),
    'cache-control': cacheControl ?? (isCached ? CACHEABLE : 'no-store'),
    'content-length': String(body.byteLength),
    ...security.page(body),
  };
  for (const name of PAGE_HEADERS) {
    const value = given[name];
    if (value !== undefined) headers[name] = value;
  }
  return { status, headers, body };
}

function parseContentType(value: string | undefined): string {
  return value === undefined || value === 'text/html' ? 'text/html; charset=utf-8' : value;
}

/** Finds the page document of a path; null for none, and for a hidden one without the preview token. */
export async function findPage(site: Site, path: string, query: URLSearchParams) {
  const { clock, isPreviewToken } = site;
  const content = site.content.read();
  const page = content.pages.get(path);
  if (page === undefined) return null;
  if (isPublished(page, clock.now())) return { page, isPreview: false };
  return (await isPreviewToken(query.get('preview') ?? '')) ? { page, isPreview: true } : null;
}

/** Lists the pages and articles that search engines may show, as links. */
export function listLinks(site: Site): readonly SuggestedLink[] {
  const { clock } = site;
  const content = site.content.read();
  const { articles } = site.content;
  const pages = [...content.pages]
    .filter(([, page]) => page.index && isPublished(page, clock.now()))
    .map(([path, { title }]) => ({ title, href: leadTarget(path, content.addresses) }));
  const summaries = articles
    .getSummaries()
    .filter(({ noindex }) => noindex !== true)
    .map((article) => ({ title: article.title, href: buildArticlePath(article) }));
  return [...pages, ...summaries];
}
