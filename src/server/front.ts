import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parsePath } from '../core/routes.ts';
import { readClientAddress } from './http/client-address.ts';
import { answerClientError } from './http/client-error.ts';
import { compressAnswer } from './http/compress-answer.ts';
import type { HttpHandler } from './http/message.ts';
import { createNodeCall, sendAnswer } from './http/node-call.ts';
import { buildErrorProblem, buildProblem } from './http/problem.ts';
import { createRequestId } from './http/request-id.ts';
import { sendPrepared } from './http/send-prepared.ts';
import { cleanQuery, splitTarget, trimSlashes } from './http/target.ts';
import type { Log } from './log.ts';
import type { Metrics, RequestKind } from './metrics.ts';
import type { PageServer } from './page-server.ts';
import type { SecurityHeaders } from './security-headers.ts';
import type { StaticFile } from './static-files.ts';

export interface FrontOptions {
  readonly security: SecurityHeaders;
  readonly files: { read(address: string): StaticFile | undefined };
  readonly pages: PageServer;
  /** The API handler of a path, if it has one. */
  readonly findHandler: (path: string) => HttpHandler | undefined;
  readonly aliases: Readonly<Record<string, string>>;
  readonly trustedProxyHops: number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly logRequests: boolean;
}

const METHODS = new Set(['GET', 'HEAD', 'POST']);

/** Requests answered at one time; more are refused at once, so that memory stays flat and recovery is immediate. */
const MOST_IN_FLIGHT = 1_000;

/**
 * The one HTTP server in front of everything: API handlers, redirects, files, pages, in this order.
 * Slow clients are cut within 10 s, whether they are slow to ask or slow to read.
 */
export function createFront(options: FrontOptions): Server {
  let inFlight = 0;
  const server = createServer(
    {
      headersTimeout: 8_000,
      requestTimeout: 9_000,
      connectionsCheckingInterval: 500,
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16_384,
      // Refused below, with the headers that every answer carries.
      requireHostHeader: false,
    },
    (request, response) => {
      const requestId = createRequestId();
      response.setHeader('x-request-id', requestId);
      inFlight += 1;
      watchRequest(options, request, response, requestId, () => {
        inFlight -= 1;
      });
      if (request.headers.host === undefined && request.httpVersion === '1.1') {
        sendAnswer(request, response, buildProblem('invalid-request', requestId), options.security.api);
        return;
      }
      if (inFlight > MOST_IN_FLIGHT) {
        const busy = buildProblem('overloaded', requestId, { headers: { 'retry-after': '1' } });
        sendAnswer(request, response, busy, options.security.api);
        return;
      }
      // A client that goes away in the middle is no event for anybody.
      response.on('error', () => undefined);
      answerRequest(options, request, response, requestId).catch((error: unknown) => {
        const problem = buildErrorProblem(error, requestId);
        if (!problem)
          options.log.error('request failed', { requestId, path: request.url?.slice(0, 200), error });
        if (response.headersSent) response.destroy();
        else
          sendAnswer(request, response, problem ?? buildProblem('internal', requestId), options.security.api);
      });
    },
  );
  server.timeout = 9_000;
  server.on('checkExpectation', (request, response) => {
    const problem = buildProblem('expectation-failed', createRequestId());
    sendAnswer(request, response, problem, options.security.api);
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, options.security.api));
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
  const path = rawPath === '/' ? rawPath : parsePath(trimSlashes(rawPath));
  if (path === null || path === '')
    return sendPrepared(request, response, await options.pages.readError(404, requestId));

  const handler = options.findHandler(path);
  if (handler !== undefined && rawPath === path) {
    const clientAddress = readClientAddress(request, options.trustedProxyHops);
    const given = await handler(createNodeCall(request, { path, query, clientAddress, requestId }));
    const answer = await compressAnswer(given, request.headers['accept-encoding']?.toString());
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
  if (file !== undefined) return sendFile(options, request, response, file);
  const page =
    method === 'POST'
      ? await options.pages.post(request, path, query, {
          requestId,
          clientAddress: readClientAddress(request, options.trustedProxyHops),
        })
      : (options.pages.peek(path, query, requestId) ?? (await options.pages.read(path, query, requestId)));
  return sendPrepared(request, response, page);
}

function sendFile(
  options: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  file: StaticFile,
): Promise<void> | void {
  if (request.method === 'POST') {
    const problem = buildProblem('method-not-allowed', String(response.getHeader('x-request-id')), {
      headers: { allow: 'GET, HEAD' },
    });
    return sendAnswer(request, response, problem, options.security.api);
  }
  const headers = {
    ...options.security.file,
    'content-type': file.contentType,
    'cache-control': file.cacheControl,
  };
  return sendPrepared(request, response, { status: 200, headers, ...file });
}

/** Counts and, where asked for, logs a request when its answer is out or its client is gone. */
function watchRequest(
  { metrics, log, logRequests }: FrontOptions,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  onEnd: () => void,
): void {
  const started = performance.now();
  response.once('close', () => {
    onEnd();
    const ms = performance.now() - started;
    const [path] = splitTarget(request.url ?? '/');
    metrics.request(kindOf(path), response.statusCode, ms / 1000);
    if (!logRequests) return;
    const { statusCode: status } = response;
    log.info('request', {
      requestId,
      method: request.method,
      path: path.slice(0, 200),
      status,
      ms: Math.round(ms * 10) / 10,
    });
  });
}

function kindOf(path: string): RequestKind {
  if (path.startsWith('/go/')) return 'go';
  if (/^\/(api|functions)\//.test(path)) return 'api';
  return /\.[a-z0-9]+$/.test(path) ? 'file' : 'page';
}
