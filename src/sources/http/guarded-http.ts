import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { NotificationError } from '../../core/console/notification.ts';
import {
  type GuardedRequest,
  type GuardedResponse,
  HttpError,
  type HttpPost,
  readBodyText,
  runExchange,
  sendAndFollow,
} from './http-get.ts';

/**
 * `HttpGet` for Node. It uses `node:http` because Node's `fetch` leaves a body that it refuses to decode without an
 * error listener: aborting such a response ends the process.
 */
export function guardedGet(address: URL, options: GuardedRequest): Promise<GuardedResponse> {
  return runExchange(options.deadlineMs, async (signal) => {
    const response = await sendAndFollow(address, options, {
      send: (current) => send(current, options, signal),
      getRedirect: ({ statusCode = 0, headers: { location } }) =>
        statusCode >= 300 && statusCode <= 399 ? (location ?? null) : null,
      discard: (refused) => refused.destroy(),
    });
    const headers = buildHeaders(response);
    const body = openBody(response);
    if (body === null) throw new HttpError('invalid-body');
    const text = await readBodyText(body, headers.get('content-length'), options.maxBytes);
    return { status: response.statusCode ?? 0, headers, text };
  });
}

/** Sends a request, by POST if it has a body; resolves with the response before its body. Aborting closes the connection. */
function send(
  address: URL,
  { headers, body }: { readonly headers: GuardedRequest['headers']; readonly body?: GuardedRequest['body'] },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const create = address.protocol === 'https:' ? requestHttps : requestHttp;
    const method = body === undefined ? 'GET' : 'POST';
    const request = create(address, { method, headers: { ...headers, 'accept-encoding': 'gzip' } }, resolve);
    const stop = () => request.destroy();
    signal.addEventListener('abort', stop, { once: true });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the moment when it was used again.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      if (isStale) resolve(send(address, { headers, body }, signal));
      else reject(error);
    });
    request.on('close', () => {
      signal.removeEventListener('abort', stop);
      reject(new HttpError('unreachable'));
    });
    request.end(body);
  });
}

/** The headers of a response, each as often as it was sent. */
export function buildHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

/** The decompressed body; null when it has another encoding than gzip, which alone is requested, or several. */
export function openBody(response: IncomingMessage): Readable | null {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return response;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return null;
  return pipeline(response, createGunzip(), () => undefined);
}

/** `HttpPost` for Node. It uses `node:http`, which tells whether a connection was made. */
export const nodePost: HttpPost = (address, { headers, body, timeoutMs }) =>
  new Promise((resolve, reject) => {
    const create = address.protocol === 'https:' ? requestHttps : requestHttp;
    let isSent = false;
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new NotificationError(isSent ? 'unknown' : 'not-sent', `webhook: ${reason}`));
      request.destroy();
    };
    const sent = { ...headers, 'content-length': String(body.length) };
    const request = create(address, { method: 'POST', headers: sent, agent: false }, (response) => {
      response.resume();
      clearTimeout(timer);
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    const timer = setTimeout(() => fail('no response in time'), timeoutMs);
    request.on('socket', (socket) => {
      const markSent = () => {
        isSent = true;
      };
      socket.once(address.protocol === 'https:' ? 'secureConnect' : 'connect', markSent);
    });
    request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'the connection failed'));
    request.end(body);
  });
