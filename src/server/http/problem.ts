import { EventStoreError } from '../../core/journey/event-store.ts';
import { BodyTooLargeError, BodyUnreadableError, type HttpAnswer } from './message.ts';

/** Stable codes of problem answers (RFC 9457). They are API: add, never rename. */
const PROBLEMS = {
  'invalid-json': [400, 'The body is not valid JSON.'],
  'invalid-request': [400, 'The request does not have the form this address takes.'],
  'cross-site': [403, 'This address takes requests from its own site only.'],
  'not-found': [404, 'There is nothing at this address.'],
  'method-not-allowed': [405, 'This address does not take that method.'],
  'request-timeout': [408, 'The body did not arrive in time.'],
  'body-too-large': [413, 'The body is larger than this address takes.'],
  'unsupported-media-type': [415, 'This address takes uncompressed application/json only.'],
  'expectation-failed': [417, 'There is nothing here to expect but an answer.'],
  'rate-limited': [429, 'Too many requests; try again later.'],
  internal: [500, 'Something went wrong here.'],
  'store-unavailable': [503, 'Nothing can be stored right now; try again later.'],
  'article-service-not-configured': [503, 'The article service has no valid key.'],
  'article-service-failed': [502, 'The article service did not answer as it should.'],
  overloaded: [503, 'The server is busy; try again later.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Builds an `application/problem+json` answer: code, sentence, request id; never a stack. */
export function buildProblem(
  code: ProblemCode,
  requestId: string,
  extra: { readonly detail?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): HttpAnswer {
  const [status, title] = PROBLEMS[code];
  const body = { type: `/help#${code}`, title, status, code, detail: extra.detail ?? title, requestId };
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...extra.headers },
    body: JSON.stringify(body),
  };
}

/** Seconds after which a client may try a store again that is full, locked or broken. */
const STORE_RETRY_SECONDS = 5;

/** Builds the answer to an error that a handler met; null when it is none that anybody expected. */
export function buildErrorProblem(error: unknown, requestId: string): HttpAnswer | null {
  if (error instanceof BodyTooLargeError) return buildProblem('body-too-large', requestId);
  if (error instanceof BodyUnreadableError) return buildProblem('request-timeout', requestId);
  if (error instanceof EventStoreError) {
    const headers = { 'retry-after': String(STORE_RETRY_SECONDS) };
    return buildProblem('store-unavailable', requestId, { headers });
  }
  return null;
}
