import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pickQuery } from '../core/routes.ts';
import { createBody } from './compression.ts';
import { readBody } from './http/node-call.ts';
import { isSameOrigin } from './http/same-origin.ts';
import type { Log } from './log.ts';
import type { PageCache, RenderedPage } from './page-cache.ts';
import { hashInline, type SecurityHeaders } from './security-headers.ts';

const FORM_LIMIT = 65_536;
const CACHEABLE = 'public, max-age=0, s-maxage=300, stale-while-revalidate=86400, stale-if-error=604800';

export interface PageServerOptions {
  /** Renders through the framework; the built site's own module. */
  readonly render: (request: Request, requestId: string) => Promise<Response>;
  readonly cache: PageCache;
  readonly security: SecurityHeaders;
  readonly log: Log;
  readonly siteUrl: string;
  /** Origin that posted forms have to come from; null when none is configured (loopback only). */
  readonly siteOrigin: string | null;
}

/** Turns addresses into pages: rendered once, kept, compressed. */
export function createPageServer(options: PageServerOptions) {
  const { cache, security, log, siteUrl, siteOrigin } = options;

  /** Notes a page that failed under the number that the visitor is shown. */
  async function render(request: Request, requestId: string): Promise<Response> {
    const response = await options.render(request, requestId);
    if (response.status === 500)
      log.error('page failed', { requestId, path: new URL(request.url).pathname.slice(0, 200) });
    return response;
  }

  async function renderPage(address: string, requestId: string): Promise<RenderedPage> {
    const response = await render(new Request(siteUrl + address), requestId);
    const keep =
      response.status === 200 && !/no-store|private/.test(response.headers.get('cache-control') ?? '');
    return prepare(response, keep);
  }

  async function prepare(response: Response, keep: boolean): Promise<RenderedPage> {
    const body = Buffer.from(await response.arrayBuffer());
    const headers: Record<string, string> = {
      'content-type': response.headers.get('content-type') ?? 'text/html; charset=utf-8',
      'cache-control': response.headers.get('cache-control') ?? (keep ? CACHEABLE : 'no-store'),
      ...(keep ? security.pageWith(hashInline(findStyle(body))) : security.page),
    };
    if (headers['content-type'] === 'text/html') headers['content-type'] = 'text/html; charset=utf-8';
    for (const name of ['location', 'retry-after', 'link', 'x-robots-tag']) {
      const value = response.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    return {
      status: response.status,
      headers,
      etag: keep ? createHash('sha256').update(body).digest('base64url').slice(0, 22) : null,
      body: createBody(body),
      keep,
    };
  }

  const keyOf = (path: string, query: string) => {
    if (query === '') return path;
    const picked = pickQuery(path, new URLSearchParams(query)).toString();
    return picked === '' ? path : `${path}?${picked}`;
  };

  return {
    /** The kept page, without waiting. */
    peek(path: string, query: string, requestId: string): RenderedPage | undefined {
      const key = keyOf(path, query);
      return cache.peek(key, () => renderPage(key, requestId));
    },
    read(path: string, query: string, requestId: string): Promise<RenderedPage> {
      const key = keyOf(path, query);
      return cache.read(key, () => renderPage(key, requestId));
    },
    /** The page that stands for a status, for example 404; never kept. */
    readError(status: 404 | 500, requestId: string): Promise<RenderedPage> {
      return cache.read(`/${status}`, () => renderPage(`/${status}`, requestId));
    },
    /** A posted form: read whole, answered by the page's own route, never kept. Other sites' forms are refused. */
    async post(
      request: IncomingMessage,
      path: string,
      query: string,
      about: { readonly requestId: string; readonly clientAddress: string },
    ): Promise<RenderedPage> {
      const header = (name: string) => request.headers[name]?.toString();
      const isOwn = isSameOrigin({ header }, siteOrigin);
      const body = isOwn ? await readBody(request, FORM_LIMIT) : new Uint8Array();
      const headers = new Headers({
        'content-type': request.headers['content-type'] ?? '',
        'x-own-form': isOwn ? '1' : '0',
        'user-agent': header('user-agent') ?? '',
        'sec-gpc': header('sec-gpc') ?? '',
        'x-client-address': about.clientAddress,
      });
      const address = keyOf(path, query);
      const posted = new Request(siteUrl + address, { method: 'POST', headers, body: Buffer.from(body) });
      return prepare(
        isOwn
          ? await render(posted, about.requestId)
          : new Response('Forms of other sites are refused.', { status: 403 }),
        false,
      );
    },
  };
}

/** What stands in the one style element of a page; nothing when it has none or several. */
function findStyle(html: Buffer): Buffer {
  const start = html.indexOf('<style>');
  const end = html.indexOf('</style>', start);
  const isOnly = start >= 0 && html.indexOf('<style', end) < 0;
  return isOnly ? html.subarray(start + '<style>'.length, end) : Buffer.alloc(0);
}

export type PageServer = ReturnType<typeof createPageServer>;
