import { createServer, IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { findRequestedPiece } from '../../core/pages/addresses.ts';
import type { Content } from '../../core/pages/content.ts';
import { buildPageAddress, type PageParameters } from '../../core/pages/page-parameters.ts';
import { findRedirect, isUnknownPost } from '../../core/pages/redirects/redirects.ts';
import { hideSecrets, trimAddress } from '../../core/paths.ts';
import { type CrawlerCounter, isPageResponse } from '../../server/events/crawler-counter.ts';
import { buildProblem, buildProblemDetails, type ProblemCode } from '../../server/http/responses.ts';
import {
  type AppEnv,
  createRequestId,
  type Route,
  splitTarget,
  type Visitor,
} from '../../server/http/route.ts';
import type { SecurityHeaders } from '../../server/http/security-headers.ts';
import type { Log } from '../../server/log.ts';
import {
  buildKeepAlive,
  disconnectWhenSilent,
  hasAmbiguousLength,
  hasTwoHosts,
  readClient,
  respondToClientError,
  SharedAddressWatch,
  SILENCE_MS,
  stopParsing,
  stopParsingWhenDestroyed,
} from './connections.ts';
import { Admission, hasBody } from './request-limits.ts';
import { type StoredResponse, sendStoredResponse } from './stored-response.ts';

export interface HttpServerOptions {
  readonly app: { readonly fetch: Hono<AppEnv>['fetch'] };
  /** The routes of the application whose paths no content names. */
  readonly routes: readonly Route[];
  /** Finds the route of a path that content names. */
  readonly findRoute: (path: string) => Route | undefined;
  readonly security: { readonly api: SecurityHeaders['api'] };
  /** Files of the build by path. */
  readonly files: { get(path: string): StoredResponse | undefined };
  /** Rendered pages and other shared responses by address. */
  readonly pages: { get(address: string): StoredResponse | undefined };
  readonly content: {
    /** The former addresses that lead elsewhere, some of which are a page's path with a parameter. */
    readonly read: () => {
      readonly redirects: Content['redirects'];
      readonly addresses?: Content['addresses'];
    };
    /** Parameters that pages read, by path. */
    readonly pageParameters: PageParameters;
  };
  readonly trustedProxyHops: number;
  readonly crawlers: { readonly count: CrawlerCounter['count'] };
  readonly log: Log;
  /** Called after each response was sent or its client disconnected; null: nobody wants to know. */
  readonly onResponse:
    | ((request: IncomingMessage, response: ServerResponse, requestId: string, ms: number) => void)
    | null;
}

const MAX_CONNECTIONS = 10_000;
/** Bodies up to this length are requested from clients that send `Expect: 100-continue`. */
const MAX_EXPECTED_BYTES = 65_536;
const CHECK_MS = 500;

const HIDDEN_VISITORS =
  'the limits of one visitor hold for all until TRUSTED_PROXY_HOPS and the proxy pass on their addresses (deploy/nginx.conf, deploy/Caddyfile)';

/** A request with what the server knows about its sender. */
class VisitorRequest extends IncomingMessage {
  visitor: Visitor = { requestId: '', clientAddress: '' };
}

/**
 * Creates the HTTP server: limits, files and cached pages come from here, everything else from the application. What
 * is beyond a limit is refused at once, so that memory stays flat and recovery is immediate.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { security, onResponse, trustedProxyHops, findRoute } = options;
  const routes = new Map(options.routes.map((route) => [route.path, route]));
  const admission = new Admission();
  const defaults = new Map(Object.entries(security.api));
  const listen = createListener(options);
  // Not which: addresses of visitors are in no log.
  const shared = new SharedAddressWatch(() =>
    options.log.warn(`most requests come from one address with different browsers: ${HIDDEN_VISITORS}`),
  );
  const server = createServer(
    {
      IncomingMessage: VisitorRequest,
      headersTimeout: 8_000,
      // It would bound whole bodies, which take as long as their connection needs: `Admission` bounds their speed.
      requestTimeout: 0,
      connectionsCheckingInterval: 500,
      ...buildKeepAlive(trustedProxyHops),
      maxHeaderSize: 16_384,
      // Refused below, with the headers that every response carries.
      requireHostHeader: false,
    },
    (request, response) => {
      if (!admission.admitPipelined(request, response, trustedProxyHops === 0)) {
        request.socket.destroy();
        return;
      }
      const requestId = createRequestId();
      if (onResponse !== null) {
        const started = performance.now();
        response.on('close', () => onResponse(request, response, requestId, performance.now() - started));
      }
      // A client that disconnects early is not an error of the server.
      response.on('error', () => undefined);
      disconnectWhenSilent(server, request, response);
      if (request.headers.host === undefined && request.httpVersion === '1.1')
        return refuse(options, response, requestId, 'invalid-request');
      if (hasAmbiguousLength(request) || hasTwoHosts(request)) {
        stopParsing(request.socket);
        return refuse(options, response, requestId, 'invalid-request', { connection: 'close' });
      }
      const client = readClient(request, trustedProxyHops);
      shared.note(client.key, request.headers['user-agent'] ?? '');
      const [path, query] = splitTarget(request.url ?? '/');
      const route = routes.get(path) ?? findRoute(path);
      const isEssential = route?.isEssential === true;
      const refusal = admission.admit(request, response, { client: client.key, isEssential });
      if (refusal !== null) {
        const code = refusal === 'share' ? 'rate-limited' : 'overloaded';
        return refuse(options, response, requestId, code, { 'retry-after': '1', connection: 'close' });
      }
      request.visitor = { requestId, clientAddress: client.address };
      // Other routes respond differently from visitor to visitor.
      const isStored = route === undefined || route.isShared === true;
      if (isStored && sendStored(options, request, response, path, query)) return;
      // What is not announced need not be waited for.
      if (request.method === 'POST' && !hasBody(request) && request.headers['content-length'] === undefined)
        request.rawHeaders.push('Content-Length', '0');
      // The headers of the response win over these.
      response.setHeaders(defaults).setHeader('x-request-id', requestId);
      void listen(request, response);
    },
  );
  followConnections(server, options, admission);
  return server;
}

/** Bounds the connections of a server, disconnects slow clients and responds to what is no request. */
function followConnections(server: Server, options: HttpServerOptions, admission: Admission): void {
  const { security, trustedProxyHops } = options;
  server.timeout = SILENCE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    stopParsingWhenDestroyed(socket);
    // Behind a proxy every connection has the proxy's address.
    if (trustedProxyHops === 0 && !admission.admitConnection(socket)) socket.destroy();
  });
  const disconnect = (socket: Socket, direction: 'sends' | 'reads') => {
    if (direction === 'reads') socket.destroy();
    else respondToClientError({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket, security.api);
  };
  const checking = setInterval(() => admission.findSlow(disconnect), CHECK_MS);
  checking.unref();
  server.once('close', () => clearInterval(checking));
  server.on('checkContinue', (request, response) => {
    const { 'content-length': length } = request.headers;
    if (request.method === 'POST' && Number(length) <= MAX_EXPECTED_BYTES) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (_, response) => {
    refuse(options, response, createRequestId(), 'expectation-failed');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    respondToClientError(error, socket, security.api),
  );
}

/** Connects the application to Node's server, with the light `Request` and `Response` of `@hono/node-server`. */
function createListener({ app }: HttpServerOptions) {
  return getRequestListener(
    (request, { incoming }) => {
      if (incoming instanceof VisitorRequest) return app.fetch(request, incoming.visitor);
      throw new Error('the request is not one of this server');
    },
    // The target and the Host header do not make a URL.
    { hostname: 'localhost', errorHandler: () => buildProblem('invalid-request', '') },
  );
}

/** Sends a file or a cached page from memory; false when the address has neither. */
function sendStored(
  options: HttpServerOptions,
  request: VisitorRequest,
  response: ServerResponse,
  path: string,
  query: string,
): boolean {
  const { requestId, clientAddress } = request.visitor;
  const file = options.files.get(path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (file !== undefined && !isRead) {
    refuse(options, response, requestId, 'method-not-allowed', { allow: 'GET, HEAD' });
    return true;
  }
  const { redirects } = options.content.read();
  const isRedirected =
    query !== '' && (findRedirect(redirects, path, query) !== null || isUnknownPost(redirects, path, query));
  const isCached = isRead && !isRedirected;
  const { addresses } = options.content.read();
  const piece = addresses === undefined ? null : findRequestedPiece(addresses, trimAddress(path));
  const isElsewhere = piece !== null && path !== piece.address;
  const page = piece?.path ?? path;
  const stored =
    file ??
    (isCached && !isElsewhere
      ? options.pages.get(buildPageAddress(options.content.pageParameters, page, query))
      : undefined);
  if (stored === undefined) return false;
  if (request.method === 'GET' && isPageResponse(stored.status, stored.headers['content-type']))
    options.crawlers.count(path, request.headers['user-agent'], clientAddress);
  sendStoredResponse(request, response, stored, requestId).catch((error: unknown) => {
    options.log.error('request failed', { path: hideSecrets(path).slice(0, 200), error });
    response.destroy();
  });
  return true;
}

/** Sends a problem without calling the application. */
function refuse(
  { security }: HttpServerOptions,
  response: ServerResponse,
  requestId: string,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): void {
  const problem = buildProblemDetails(code, requestId);
  const body = Buffer.from(JSON.stringify(problem));
  response.writeHead(problem.status, {
    ...security.api,
    'x-request-id': requestId,
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': body.byteLength,
    ...headers,
  });
  response.end(body);
}
