import { ArticleSourceError } from '../../core/articles/article-source.ts';
import { hideSecrets } from '../../core/paths.ts';
import { EventStoreError } from '../../stores/events.ts';
import { LedgerError } from '../../stores/ledger-rows.ts';
import { OperatorStoreError } from '../../stores/operators.ts';
import type { Log } from '../log.ts';
import { RequestBodyError } from './request-body.ts';
import { buildJsonResponse } from './response.ts';
import type { Visitor } from './route.ts';

/** Stable codes of problem responses (RFC 9457). They are API: add, never rename. */
const PROBLEMS = {
  'invalid-json': [400, 'The body is not valid JSON.'],
  'invalid-request': [400, 'The request is not valid for this address.'],
  'invalid-signature': [401, 'The signature does not match the body.'],
  'cross-site': [403, 'This address accepts requests from its own site only.'],
  'not-found': [404, 'There is nothing at this address.'],
  'method-not-allowed': [405, 'This address does not allow that method.'],
  'request-timeout': [408, 'The body did not arrive in time.'],
  'body-too-large': [413, 'The body is larger than this address allows.'],
  'unsupported-media-type': [415, 'This address accepts uncompressed application/json only.'],
  'expectation-failed': [417, 'This server supports no expectations.'],
  'rate-limited': [429, 'Too many requests; try again later.'],
  internal: [500, 'The server failed to process the request.'],
  'store-unavailable': [503, 'The store is unavailable; try again later.'],
  'article-service-not-configured': [503, 'The article service has no valid key.'],
  'article-service-failed': [502, 'The article service did not respond as it should.'],
  overloaded: [503, 'The server is busy; try again later.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Builds the status and the JSON object of a problem: code, sentence, request id; never a stack. */
export function buildProblemDetails(code: ProblemCode, requestId: string, detail?: string) {
  const [status, title] = PROBLEMS[code];
  return { type: `/help#${code}`, title, status, code, detail: detail ?? title, requestId };
}

/** Builds an `application/problem+json` response. */
export function buildProblem(
  code: ProblemCode,
  requestId: string,
  extra: { readonly detail?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const body = buildProblemDetails(code, requestId, extra.detail);
  return buildJsonResponse(body, body.status, {
    'content-type': 'application/problem+json',
    ...extra.headers,
  });
}

/** Seconds after which a client may try again. */
const RETRY_SECONDS = { store: '5', articles: '30' } as const;

/** Builds the response to an error that a handler threw; an unexpected one is logged. */
export function respondToError(
  error: unknown,
  { env: { requestId }, req }: { readonly env: Visitor; readonly req: { readonly path: string } },
  log: Pick<Log, 'error'>,
): Response {
  if (error instanceof RequestBodyError)
    return buildProblem(error.code === 'too-large' ? 'body-too-large' : 'request-timeout', requestId);
  if (error instanceof EventStoreError || error instanceof LedgerError || error instanceof OperatorStoreError)
    return buildProblem('store-unavailable', requestId, { headers: { 'retry-after': RETRY_SECONDS.store } });
  if (error instanceof ArticleSourceError) {
    const headers = { 'retry-after': RETRY_SECONDS.articles };
    return buildProblem('article-service-failed', requestId, { headers });
  }
  log.error('request failed', { requestId, path: hideSecrets(req.path).slice(0, 200), error });
  return buildProblem('internal', requestId);
}
