import { Hono, type MiddlewareHandler } from 'hono';
import { ArticleSourceError, RETRY_SECONDS } from '../core/articles/article-source.ts';
import {
  type ContentAddresses,
  findMeantAddress,
  findRequestedPiece,
  isAddressOf,
  leadTarget,
} from '../core/pages/addresses.ts';
import type { Content } from '../core/pages/content.ts';
import { buildPageAddress, type PageParameters } from '../core/pages/page-parameters.ts';
import { findRedirect, isUnknownPost, splitLaterPage } from '../core/pages/redirects/redirects.ts';
import {
  CONSOLE_PATH,
  CONSOLE_PATTERN,
  ERROR_PATH,
  EVENTS_API_PATH,
  HOME_PATH,
  hideSecrets,
  NOT_FOUND_PATH,
  POSTBACK_PATTERN,
  parsePath,
  ROBOTS_PATH,
} from '../core/paths.ts';
import { EventStoreError } from '../stores/events.ts';
import { LedgerError } from '../stores/ledger-rows.ts';
import { OperatorStoreError } from '../stores/operators.ts';
import { type CrawlerCounter, isPageResponse } from './events/crawler-counter.ts';
import type { RateLimiter } from './http/rate-limiter.ts';
import { RequestBodyError, refuseForRate } from './http/request-body.ts';
import { buildProblem, buildResponse, type ReadResponse, readResponse } from './http/responses.ts';
import {
  type AppContext,
  type AppEnv,
  cleanQuery,
  type Handler,
  type Route,
  splitTarget,
  trimSlashes,
  type Visitor,
} from './http/route.ts';
import { type SecurityHeaders, secureResponse } from './http/security-headers.ts';
import type { Log } from './log.ts';

/** The pages of the site. An address is a path with the query parameters that change what the page shows. */
export interface Pages {
  /** Renders a page; it is the same for every visitor. */
  render(address: string, visitor: Visitor): Promise<ReadResponse>;
  /** Renders a page's response to a posted form. */
  submit(address: string, context: AppContext): Promise<ReadResponse>;
}

/** Stores responses that are the same for every visitor. */
export interface ResponseCache {
  /** Responds with the stored response of a key, else with what `render` resolves to. */
  respond(request: Request, key: string, render: () => Promise<ReadResponse>): Promise<Response>;
  /** Whether a response is stored under a key, fresh or stale, so that requesting it costs little. */
  has(key: string): boolean;
}

/** What a runtime adds to the application. */
export interface Delivery {
  readonly cache: ResponseCache;
  /** Compresses a long response that was not compressed before. */
  compress(response: Response, request: Request): Response | Promise<Response>;
}

const PLAIN_DELIVERY: Delivery = {
  cache: {
    respond: async (_request, _key, render) => buildResponse(await render()),
    has: () => true,
  },
  compress: (response) => response,
};

/** The part of the site that the application itself needs, with its routes and the console. */
export interface AppSite {
  readonly routes: readonly Route[];
  /** Finds the route of a path that content names; none when left out. */
  readonly findRoute?: (path: string) => Route | undefined;
  /** Responds to a request at or below the path of the console; null: as if there were no console. */
  readonly console: (context: AppContext) => Promise<Response | null>;
  readonly content: {
    readonly read: () => ContentAddresses;
    /** None when left out. */
    readonly articles?: { getSummaries(): readonly { readonly slug: string }[] };
    /** Parameters of addresses that pages read, by path of the page. */
    readonly pageParameters: PageParameters;
    /** Whether visitors see the page or article that is rendered at a path; all when left out. */
    readonly isShown?: (path: string) => boolean;
  };
  /** The runtime adds these headers to every response, and a cached one has them already. */
  readonly security: { readonly api: SecurityHeaders['api'] };
  readonly visitors: {
    /** Limits the pages that are rendered for one address. */
    readonly renderLimiter: RateLimiter;
    readonly crawlers: { readonly count: CrawlerCounter['count'] };
  };
  /** With DEMO, whatever would change something is refused. */
  readonly settings?: { readonly DEMO: boolean };
  readonly log: Log;
}

/**
 * Builds the HTTP application: the routes of the site, redirects to canonical paths, and pages for everything
 * else. Every runtime serves this one application.
 */
export function createApp(site: AppSite, pages: Pages, delivery: Partial<Delivery> = {}): Hono<AppEnv> {
  const { cache, compress } = { ...PLAIN_DELIVERY, ...delivery };
  const { routes, findRoute, console, content, security, visitors, log } = site;
  const { renderLimiter, crawlers } = visitors;
  const app = new Hono<AppEnv>({ getPath: ({ url }) => readPath(url) });
  if (site.settings?.DEMO) app.use(showDemo);
  // One handler per path and no middleware in other sites: with a single match Hono calls it directly.
  const respond = async (route: Route, context: AppContext) => {
    const { raw, method } = context.req;
    if (route.isShared && isRead(method))
      return cache.respond(raw, route.path, async () =>
        readResponse(secureResponse(await callRoute(route, context), security)),
      );
    const response = await callRoute(route, context);
    return route.isLong ? compress(response, raw) : response;
  };
  for (const route of routes) app.all(route.path, (context) => respond(route, context));
  const findMeant = (path: string) =>
    findMeantAddress(
      path,
      content.read(),
      content.articles?.getSummaries() ?? [],
      (known) => findRoute?.(known) !== undefined,
      content.isShown,
    );
  const respondWithPage = async (context: AppContext): Promise<Response> => {
    const early = refuseOrRedirect(context, content.read(), findMeant, content.isShown);
    if (early !== null) return early;
    const { req, env } = context;
    const { redirects } = content.read();
    const isUnknown = isUnknownPost(redirects, req.path, splitTarget(req.url)[1]);
    const path = isUnknown ? null : parseCanonicalPath(req.path);
    const piece = path === null ? null : findRequestedPiece(content.read().addresses ?? NONE, path);
    const address =
      path === null
        ? NOT_FOUND_PATH
        : buildPageAddress(content.pageParameters, piece?.path ?? path, splitTarget(req.url)[1]);
    const refusal = cache.has(address) ? null : await refuseForRate(context, renderLimiter, 1);
    if (refusal !== null) return refusal;
    const response = isRead(req.method)
      ? await cache.respond(req.raw, address, () => pages.render(address, env))
      : await compress(buildResponse(await pages.submit(address, context)), req.raw);
    if (req.method === 'GET' && isPageResponse(response.status, response.headers.get('content-type')))
      crawlers.count(piece?.address ?? path ?? NOT_FOUND_PATH, req.header('user-agent'), env.clientAddress);
    return response.status === 301 ? redirectWithQuery(response, req.url) : response;
  };
  // The pattern matches the console's own path too. Its responses never reach the cache.
  app.all(CONSOLE_PATTERN, async (context) => {
    const response = await console(context);
    return response === null ? respondWithPage(context) : compress(response, context.req.raw);
  });
  app.notFound((context) => {
    const route = findRoute?.(context.req.path);
    return route === undefined ? respondWithPage(context) : respond(route, context);
  });
  app.onError((error, context) => respondToError(error, context, log));
  return app;
}

/** Networks report by reading an address too. */
const POSTBACKS = POSTBACK_PATTERN.slice(0, POSTBACK_PATTERN.indexOf(':'));

/** Lets visitors of a demo read, and answers what they send with *This is a demo*. Events are accepted and not stored. */
const showDemo: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { req, env } = context;
  if (req.path === ROBOTS_PATH) return new Response('User-agent: *\nDisallow: /\n', { headers: TEXT });
  const isReading = isRead(req.method) && !req.path.startsWith(POSTBACKS);
  if (!isReading && req.path !== EVENTS_API_PATH) {
    const isPage = req.header('accept')?.includes('text/html');
    return isPage
      ? new Response(DEMO_PAGE, {
          status: 403,
          headers: { ...TEXT, 'content-type': 'text/html; charset=utf-8' },
        })
      : buildProblem('demo', env.requestId);
  }
  await next();
  context.res.headers.set('x-robots-tag', 'noindex, nofollow');
  return undefined;
};

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
const DEMO_PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>This is a demo</title><h1>This is a demo</h1><p>Nothing was changed.</p>' +
  `<p><a href="${HOME_PATH}">Home</a> · <a href="${CONSOLE_PATH}">Console</a></p></html>`;

const NONE: Content['addresses'] = new Map();

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** The path as the client sent it: Hono would decode it, and a page has one address only. */
function readPath(url: string): string {
  const [target] = splitTarget(url);
  return target.slice(target.indexOf('/', 'https://'.length));
}

function callRoute({ method, handle }: Route, context: AppContext): ReturnType<Handler> {
  const isAllowed =
    method === 'GET' ? isRead(context.req.method) : method.split(', ').includes(context.req.method);
  if (isAllowed) return handle(context);
  const allow = method === 'GET' ? 'GET, HEAD' : method;
  return buildProblem('method-not-allowed', context.env.requestId, { headers: { allow } });
}

const PAGE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

function refuseOrRedirect(
  { req, env }: AppContext,
  { site: { aliases }, redirects, addresses = NONE }: ContentAddresses,
  findMeant: (path: string) => ReturnType<typeof findMeantAddress>,
  isShown: (path: string) => boolean = () => true,
): Response | null {
  if (!PAGE_METHODS.has(req.method)) {
    const headers = { allow: [...PAGE_METHODS].join(', ') };
    return buildProblem('method-not-allowed', env.requestId, { headers });
  }
  const [, query] = splitTarget(req.url);
  const redirectToMeant = () => {
    const meant = isRead(req.method) ? findMeant(req.path) : null;
    return meant && buildRedirect(meant.path, [meant.query, query].filter(Boolean).join('&'));
  };
  const path = parseCanonicalPath(req.path);
  if (path === null) return redirectToMeant();
  const found = findRedirect(redirects, path, query);
  if (found !== null) return buildRedirect(leadTarget(found.to, addresses), found.query);
  // The comments and later parts of a former page had addresses below its own.
  const piece =
    findRequestedPiece(addresses, path) ?? findRequestedPiece(addresses, splitLaterPage(path)?.base ?? '');
  // The address of a piece that is not public is nobody's business.
  if (piece !== null && (isAddressOf(req.path, piece) || !isShown(piece.path))) return null;
  const target = piece?.address ?? (Object.hasOwn(aliases, path) ? aliases[path] : undefined);
  if (target !== undefined)
    return target === req.path ? null : buildRedirect(leadTarget(target, addresses), query);
  return redirectToMeant() ?? (path === req.path ? null : buildRedirect(path, query));
}

/** A page redirects without the query, of which it knows only the part that changes what it shows. */
function redirectWithQuery({ headers }: Response, url: string): Response {
  return buildRedirect(headers.get('location') ?? HOME_PATH, splitTarget(url)[1]);
}

/** Redirects for good. Another site receives the address as it is written, without the visitor's query. */
function buildRedirect(target: string, query: string): Response {
  const [address = '', fragment] = target.split('#', 2);
  const isOwn = target.startsWith('/');
  const separator = address.includes('?') ? '&' : '?';
  const location =
    query === '' || !isOwn
      ? target
      : `${address}${separator}${cleanQuery(query)}${fragment === undefined ? '' : `#${fragment}`}`;
  const headers = { location, 'cache-control': 'public, max-age=3600', 'content-length': '0' };
  return new Response(null, { status: 301, headers });
}

/** Without trailing slashes; null when the path is invalid or one of Astro's own, such as `/_image`. */
function parseCanonicalPath(path: string): string | null {
  if (path === HOME_PATH) return path;
  const trimmed = trimSlashes(path);
  const parsed = trimmed === '' ? null : parsePath(trimmed);
  return parsed === null || parsed.startsWith('/_') || parsed === ERROR_PATH ? null : parsed;
}

/** Seconds after which a client may try again. */
const STORE_RETRY_SECONDS = '5';

/** Builds the response to an error that a handler threw; an unexpected one is logged. */
function respondToError(
  error: unknown,
  { env: { requestId }, req }: AppContext,
  log: { readonly error: Log['error'] },
): Response {
  if (error instanceof RequestBodyError)
    return buildProblem(error.code === 'too-large' ? 'body-too-large' : 'request-timeout', requestId);
  if (error instanceof EventStoreError || error instanceof LedgerError || error instanceof OperatorStoreError)
    return buildProblem('store-unavailable', requestId, { headers: { 'retry-after': STORE_RETRY_SECONDS } });
  if (error instanceof ArticleSourceError) {
    const headers = { 'retry-after': String(error.retryAfter ?? RETRY_SECONDS) };
    return buildProblem('articles-unavailable', requestId, { headers });
  }
  log.error('request failed', { requestId, path: hideSecrets(req.path).slice(0, 200), error });
  return buildProblem('internal', requestId);
}
