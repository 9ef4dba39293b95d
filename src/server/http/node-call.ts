import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLargeError, BodyUnreadableError, type HttpAnswer, type HttpCall } from './message.ts';

const BODY_TIMEOUT_MS = 10_000;
const LINGER_MS = 500;

/** Presents a Node request as an `HttpCall`. `target` is the request's path and query, already split. */
export function createNodeCall(
  request: IncomingMessage,
  about: Pick<HttpCall, 'path' | 'query' | 'clientAddress' | 'requestId'>,
): HttpCall {
  return {
    ...about,
    method: request.method ?? 'GET',
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: (limit) => readBody(request, limit),
  };
}

/** Reads a body up to `limit` bytes within ten seconds, whatever the client announces. */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) return reject(new BodyTooLargeError(limit));
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => fail(new BodyUnreadableError('the body took too long')), BODY_TIMEOUT_MS);
    const finish = () => {
      clearTimeout(timer);
      request.off('data', take).off('end', done).off('error', broken).off('close', broken);
    };
    const fail = (error: Error) => {
      finish();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(new BodyTooLargeError(limit));
      else chunks.push(chunk);
    };
    const done = () => {
      finish();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const broken = (cause?: Error) => fail(new BodyUnreadableError('the client went away', { cause }));
    request.on('data', take).on('end', done).on('error', broken).on('close', broken);
  });
}

/** Sends an answer; HEAD gets the same headers without the body. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpAnswer,
  extra: Readonly<Record<string, string>>,
): void {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  const hasUnread = !request.complete && request.method !== 'GET' && request.method !== 'HEAD';
  response.writeHead(answer.status, {
    ...extra,
    ...answer.headers,
    // What is left of an unread body must not be taken for the next request.
    ...(hasUnread ? { connection: 'close' } : {}),
    ...(body === null ? {} : { 'content-length': String(body.byteLength) }),
  });
  const content = request.method === 'HEAD' || body === null ? '' : body;
  if (hasUnread) endAfterRest(request, response, content);
  else response.end(content);
}

/**
 * A socket that is closed while data is still coming in is reset, and the client may never see the answer.
 * So the answer goes out, what comes in is thrown away for a moment, and then the connection closes.
 */
function endAfterRest(
  request: IncomingMessage,
  response: ServerResponse,
  content: string | Uint8Array,
): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  response.write(content);
  request.once('end', end).once('close', end).once('error', end).resume();
}
