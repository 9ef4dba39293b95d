import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parsePath } from '../core/routes.ts';
import { pickEncoding } from './compression.ts';
import { readClientAddress } from './http/client-address.ts';
import type { HttpHandler } from './http/message.ts';
import { createNodeCall, sendAnswer } from './http/node-call.ts';
import { buildProblem } from './http/problem.ts';
import type { Log } from './log.ts';
import type { RenderedPage } from './page-cache.ts';
import type { PageServer } from './page-server.ts';
import type { SecurityHeaders } from './security-headers.ts';
import type { StaticFile } from './static-files.ts';

export interface FrontOptions {
  readonly security: SecurityHeaders;
  readonly files: { read(address: string): Promise<StaticFile> | undefined };
  readonly pages: PageServer;
  /** The API handler of a path, if it has one. */
  readonly findHandler: (path: string) => HttpHandler | undefined;
  readonly aliases: Readonly<Record<string, string>>;
  readonly trustedProxyHops: number;
  readonly log: Log;
  readonly logRequests: boolean;
}

const METHODS = new Set(['GET', 'HEAD', 'POST']);

/**
 * The one HTTP server in front of everything: redirects, files, API handlers, pages, in this order.
 * Slow clients are cut: 10 s for headers, 15 s for a whole request.
 */
export function createFront(options: FrontOptions): Server {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384 },
    (request, response) => {
      const requestId = randomBytes(9).toString('base64url');
      response.setHeader('x-request-id', requestId);
      // A client that goes away in the middle is no event for anybody.
      response.on('error', () => undefined);
      answerRequest(options, request, response, requestId).catch((error: unknown) => {
        options.log.error('request failed', { requestId, path: request.url?.slice(0, 200), error });
        if (response.headersSent) response.destroy();
        else sendAnswer(request, response, buildProblem('internal', requestId), options.security.api);
      });
      if (options.logRequests) logRequest(options.log, request, response, requestId);
    },
  );
  server.maxRequestsPerSocket = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });
  return server;
}

async function answerRequest(
  options: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const { security } = options;
  const [rawPath = '/', query = ''] = splitTarget(request.url ?? '/');
  const method = request.method ?? 'GET';
  const path = parsePath(rawPath === '/' ? rawPath : rawPath.replace(/\/+$/, ''));
  if (path === null || path === '')
    return sendPage(request, response, await options.pages.readError(404, requestId));

  const handler = options.findHandler(path);
  if (handler !== undefined && rawPath === path) {
    const clientAddress = readClientAddress(request, options.trustedProxyHops);
    const answer = await handler(createNodeCall(request, { path, query, clientAddress, requestId }));
    return sendAnswer(
      request,
      response,
      answer,
      'content-security-policy' in answer.headers ? security.bare : security.api,
    );
  }
  if (!METHODS.has(method)) {
    const problem = buildProblem('method-not-allowed', requestId, { headers: { allow: 'GET, HEAD, POST' } });
    return sendAnswer(request, response, problem, security.api);
  }
  const target = Object.hasOwn(options.aliases, path)
    ? options.aliases[path]
    : rawPath === path
      ? undefined
      : path;
  if (target !== undefined) {
    const headers = {
      location: query === '' ? target : `${target}?${cleanQuery(query)}`,
      'cache-control': 'public, max-age=3600',
    };
    return sendAnswer(request, response, { status: 301, headers, body: null }, security.api);
  }
  const file = options.files.read(path);
  if (file !== undefined) return sendFile(options, request, response, await file);
  const page =
    method === 'POST'
      ? await options.pages.post(request, path, query, requestId)
      : (options.pages.peek(path, query, requestId) ?? (await options.pages.read(path, query, requestId)));
  return sendPage(request, response, page);
}

function splitTarget(target: string): [string, string] {
  const withoutFragment = target.split('#', 1)[0] ?? '/';
  const mark = withoutFragment.indexOf('?');
  return mark < 0 ? [withoutFragment, ''] : [withoutFragment.slice(0, mark), withoutFragment.slice(mark + 1)];
}

/** A query that is kept in a redirect: parsed and written again, so that it holds nothing but parameters. */
function cleanQuery(query: string): string {
  return new URLSearchParams(query.slice(0, 4096)).toString();
}

function sendPage(request: IncomingMessage, response: ServerResponse, page: RenderedPage): void {
  send(request, response, page.status, page.headers, page);
}

function sendFile(
  options: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
): void {
  if (request.method === 'POST') {
    const problem = buildProblem('method-not-allowed', String(response.getHeader('x-request-id')), {
      headers: { allow: 'GET, HEAD' },
    });
    sendAnswer(request, response, problem, options.security.api);
    return;
  }
  const headers = {
    ...options.security.file,
    'content-type': file.contentType,
    'cache-control': file.cacheControl,
  };
  send(request, response, 200, headers, file);
}

/** Sends a prepared body in the form the client takes, or 304 when it has it already. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  prepared: Pick<RenderedPage, 'etag' | 'encodings'>,
): void {
  const encoding = pickEncoding(request.headers['accept-encoding'] as string | undefined, prepared.encodings);
  const body = prepared.encodings[encoding] ?? prepared.encodings.identity;
  const varies = prepared.encodings.br !== undefined || prepared.encodings.gzip !== undefined;
  const all: Record<string, string> = { ...headers };
  if (varies) all['vary'] = 'Accept-Encoding';
  if (status === 200) {
    all['etag'] = `"${prepared.etag}${encoding === 'identity' ? '' : `-${encoding}`}"`;
    if (hasSame(request.headers['if-none-match'], all['etag'])) {
      response.writeHead(304, all);
      response.end();
      return;
    }
  }
  if (encoding !== 'identity') all['content-encoding'] = encoding;
  all['content-length'] = String(body.byteLength);
  response.writeHead(status, all);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function hasSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  );
}

function logRequest(log: Log, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const started = performance.now();
  response.on('close', () => {
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const path = splitTarget(request.url ?? '/')[0].slice(0, 200);
    log.info('request', { requestId, method: request.method, path, status: response.statusCode, ms });
  });
}
