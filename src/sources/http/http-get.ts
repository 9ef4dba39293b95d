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

export interface GuardedRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** For name resolution, connection, redirects and the whole body together. */
  readonly deadlineMs: number;
  /** Of the decompressed body. */
  readonly maxBytes: number;
  /** false: responds with a redirect instead of following it. */
  readonly followsRedirects?: boolean;
  /** Sent by POST; left out: nothing is sent, by GET. */
  readonly body?: string | undefined;
}

/** A complete response, whatever its status. */
export interface GuardedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Reads an address within limits: one deadline for the whole exchange, a maximum size, redirects to the same host only
 * (headers may contain a key), a body of valid UTF-8. Rejects with `HttpError`.
 */
export type HttpGet = (address: URL, options: GuardedRequest) => Promise<GuardedResponse>;

interface Transport<Response> {
  /** Resolves before the body. */
  send(address: URL): Promise<Response>;
  /** Where a redirect leads; null: the response is no redirect. */
  getRedirect(response: Response): string | null;
  /** Ends a response whose body is not read. */
  discard(response: Response): void;
}

/** Runs an exchange with a server and aborts what is left of it at its deadline or end. Rejects with `HttpError`. */
export async function runExchange<T>(
  deadlineMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const exchange = new AbortController();
  const timer = setTimeout(() => exchange.abort(new HttpError('timeout')), deadlineMs);
  try {
    return await run(exchange.signal);
  } catch (error) {
    if (exchange.signal.aborted) throw exchange.signal.reason;
    throw error instanceof HttpError ? error : new HttpError('unreachable', { cause: error });
  } finally {
    clearTimeout(timer);
    // Closes the connection of a response that was not read to its end.
    exchange.abort();
  }
}

/** Reads a body of valid UTF-8. Rejects with `HttpError` for another one, or one of more than `maxBytes`. */
export async function readBodyText(
  body: AsyncIterable<Uint8Array> | null,
  contentLength: string | null | undefined,
  maxBytes: number,
): Promise<string> {
  if (Number(contentLength) > maxBytes) throw new HttpError('too-large');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new HttpError('too-large');
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError('invalid-body', { cause: error });
  }
}

const MAX_REDIRECTS = 3;

/** Sends a request and follows its redirects on the same host. Throws `HttpError` for every other redirect. */
export async function sendAndFollow<Response>(
  address: URL,
  { followsRedirects = true }: GuardedRequest,
  { send, getRedirect, discard }: Transport<Response>,
): Promise<Response> {
  let current = address;
  for (let count = 0; count <= MAX_REDIRECTS; count++) {
    const response = await send(current);
    const location = getRedirect(response);
    if (location === null || !followsRedirects) return response;
    discard(response);
    if (!URL.canParse(location, current)) throw new HttpError('redirected');
    const next = new URL(location, current);
    if (!isSameHost(current, next)) throw new HttpError('redirected', { target: next.origin });
    current = next;
  }
  throw new HttpError('redirected');
}

function isSameHost(from: URL, to: URL): boolean {
  if (to.username || to.password) return false;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port;
  return from.origin === to.origin || (isUpgrade && from.hostname === to.hostname);
}

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** For the whole exchange, in ms. */
  readonly timeoutMs: number;
}

/**
 * Posts to an address and follows no redirect; resolves with the status of the response. Rejects with
 * `NotificationError`: `not-sent` when the other side has certainly got nothing, otherwise `unknown`.
 */
export type HttpPost = (address: URL, options: PostOptions) => Promise<number>;

export interface Backoff {
  /** Ms before the second attempt. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Builds the pause in ms after `failures` failed attempts in a row: it doubles with each, and `chance` (0 to 1)
 * shortens it by up to half, so that clients which failed together do not try again together.
 */
export function buildBackoffMs(failures: number, chance: number, options: Backoff): number {
  const longest = Math.min(options.maxMs, options.firstMs * 2 ** Math.min(failures - 1, 30));
  return Math.ceil(longest * (0.5 + chance / 2));
}
