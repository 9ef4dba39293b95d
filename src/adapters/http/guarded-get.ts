import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Why a request of another server gave nothing usable. */
export type HttpErrorCode =
  | 'timeout'
  | 'unreachable'
  | 'too-large'
  | 'redirected'
  | 'invalid-body'
  | 'not-json'
  | 'status';

const MESSAGES: Readonly<Record<HttpErrorCode, string>> = {
  timeout: 'no complete response before the deadline',
  unreachable: 'the connection failed',
  'too-large': 'the response is too large',
  redirected: 'a redirect to another host, or too many redirects',
  'invalid-body': 'the response body is incomplete or not valid UTF-8',
  'not-json': 'the response is not JSON',
  status: 'an error response',
};

/** A failed request. Neither the address nor text of the response is part of its message. */
export class HttpError extends Error {
  readonly code: HttpErrorCode;
  /** The status of an error response. */
  readonly status: number | undefined;
  /** Seconds to wait, from the Retry-After header of an error response. */
  readonly retryAfter: number | undefined;
  /** Origin that a refused redirect leads to. */
  readonly target: string | undefined;
  constructor(
    code: HttpErrorCode,
    options: ErrorOptions & { status?: number; retryAfter?: number; target?: string } = {},
  ) {
    super(options.status === undefined ? MESSAGES[code] : `responded with status ${options.status}`, options);
    this.name = 'HttpError';
    this.code = code;
    this.status = options.status;
    this.retryAfter = options.retryAfter;
    this.target = options.target;
  }
}

/** The limits of one GET request. */
export interface GuardedGetOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** For name resolution, connection, redirects and the whole body together. */
  readonly deadlineMs: number;
  /** Of the decompressed body. */
  readonly maxBytes: number;
  /** false: responds with a redirect instead of following it. */
  readonly followsRedirects?: boolean;
}

/** A complete response, whatever its status. */
export interface GuardedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MAX_REDIRECTS = 3;

/**
 * Reads an address within limits: one deadline for the whole exchange, a maximum size, redirects to the same host only
 * (headers may contain a key), a body of valid UTF-8. Rejects with `HttpError`.
 *
 * It uses `node:http` because `fetch` leaves a body that it refuses to decode without an error listener: aborting such
 * a response ends the process.
 */
export async function guardedGet(address: URL, options: GuardedGetOptions): Promise<GuardedResponse> {
  const exchange = new AbortController();
  const timer = setTimeout(() => exchange.abort(new HttpError('timeout')), options.deadlineMs);
  try {
    const response = await follow(address, options, exchange.signal);
    const headers = buildHeaders(response);
    const text = await readBody(response, options.maxBytes);
    return { status: response.statusCode ?? 0, headers, text };
  } catch (error) {
    if (exchange.signal.aborted) throw exchange.signal.reason;
    throw error instanceof HttpError ? error : new HttpError('unreachable', { cause: error });
  } finally {
    clearTimeout(timer);
    exchange.abort();
  }
}

async function follow(
  address: URL,
  { headers, followsRedirects = true }: GuardedGetOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let current = address;
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const response = await send(current, headers, signal);
    const { statusCode = 0, headers: received } = response;
    const { location } = received;
    const isRedirect = statusCode >= 300 && statusCode <= 399 && location !== undefined;
    if (!isRedirect || !followsRedirects) return response;
    response.destroy();
    if (!URL.canParse(location, current)) throw new HttpError('redirected');
    const next = new URL(location, current);
    if (!isSameHost(current, next)) throw new HttpError('redirected', { target: next.origin });
    current = next;
  }
  throw new HttpError('redirected');
}

/** Sends a GET request; resolves with the response before its body. Aborting closes the connection. */
function send(
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const create = address.protocol === 'https:' ? requestHttps : requestHttp;
    const request = create(address, { headers: { ...headers, 'accept-encoding': 'gzip' } }, resolve);
    const stop = () => request.destroy();
    signal.addEventListener('abort', stop, { once: true });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment when it was used again.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      if (isStale) resolve(send(address, headers, signal));
      else reject(error);
    });
    request.on('close', () => {
      signal.removeEventListener('abort', stop);
      reject(new HttpError('unreachable'));
    });
    request.end();
  });
}

function isSameHost(from: URL, to: URL): boolean {
  if (to.username || to.password) return false;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port;
  return from.origin === to.origin || (isUpgrade && from.hostname === to.hostname);
}

function buildHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  if (Number(response.headers['content-length']) > maxBytes) throw new HttpError('too-large');
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decode(response) as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new HttpError('too-large');
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError('invalid-body', { cause: error });
  }
}

/** The decompressed body. Only the encoding that was requested is accepted, and only once. */
function decode(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return response;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new HttpError('invalid-body');
  return pipeline(response, createGunzip(), () => undefined);
}
