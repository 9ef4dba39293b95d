/** Why nothing usable came back. No text of the other side is ever part of it. */
export type HttpGetErrorCode = 'timeout' | 'unreachable' | 'too-large' | 'redirected' | 'broken-body';

export class HttpGetError extends Error {
  readonly code: HttpGetErrorCode;
  constructor(code: HttpGetErrorCode, options?: ErrorOptions) {
    super(`[http:get] ${code}`, options);
    this.name = 'HttpGetError';
    this.code = code;
  }
}

/** How far one GET may go. */
export interface GuardedGetOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** For everything together: name, connection, redirects, the last byte. */
  readonly deadlineMs: number;
  /** Of the unpacked body. */
  readonly maxBytes: number;
}

/** What came back, whatever its status. */
export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const MOST_REDIRECTS = 3;

/**
 * Reads one address and gives up in time: one deadline for the whole exchange, a limit on the unpacked body,
 * redirects within the same host only (headers may hold a key), text that is valid UTF-8. Rejects with `HttpGetError`.
 */
export async function guardedGet(address: URL, options: GuardedGetOptions): Promise<GuardedAnswer> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new HttpGetError('timeout')), options.deadlineMs);
  try {
    const response = await follow(address, options.headers, abort.signal);
    const text = await readBody(response, options.maxBytes);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    if (abort.signal.aborted) throw abort.signal.reason;
    throw error instanceof HttpGetError ? error : new HttpGetError('unreachable', { cause: error });
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

async function follow(
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  let at = address;
  for (let count = 0; count <= MOST_REDIRECTS; count++) {
    const response = await fetch(at, { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, at)) throw new HttpGetError('redirected');
    const next = new URL(location, at);
    if (!isSameHost(at, next)) throw new HttpGetError('redirected');
    at = next;
  }
  throw new HttpGetError('redirected');
}

function isSameHost(from: URL, to: URL): boolean {
  if (to.username || to.password) return false;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port;
  return from.origin === to.origin || (isUpgrade && from.hostname === to.hostname);
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (Number(response.headers.get('content-length')) > maxBytes) throw new HttpGetError('too-large');
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  let size = 0;
  try {
    // By hand: leaving a `for await` waits until the other side has taken note, which may be never.
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > maxBytes) throw new HttpGetError('too-large');
      chunks.push(part.value);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw error instanceof HttpGetError ? error : new HttpGetError('broken-body', { cause: error });
  }
}
