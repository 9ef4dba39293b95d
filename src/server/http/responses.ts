import { createHash } from 'node:crypto';

/** A response whose body is in memory; `headers` are by lower-case name. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

/** Reads the whole body of a response. */
export async function readResponse(response: Response): Promise<ReadResponse> {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** The response of a server with a body in memory. */
export const buildResponse = ({ status, headers, body }: ReadResponse) =>
  new Response(body.byteLength === 0 ? null : body, { status, headers });

/** Builds a strong validator of a body, without quotes. */
export function buildEtag(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/**
 * Whether a client's copy of a body is the one that was last changed then. Another day than the one that was sent is no
 * proof: where an article was removed, the newest one is older than before.
 */
export const isUnmodified = (ifModifiedSince: string | null | undefined, lastModified: string | undefined) =>
  lastModified !== undefined && ifModifiedSince?.trim() === lastModified;

/** Builds an uncached JSON response with its length, so that servers need not read the body to know it. */
export function buildJsonResponse(
  value: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify(value);
  const all = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  return new Response(body, { status, headers: all });
}

/** Stable codes of problem responses (RFC 9457). They are API: add, never rename. */
const PROBLEMS = {
  'invalid-json': [400, 'The body is not valid JSON.'],
  'invalid-request': [400, 'The request is not valid for this address.'],
  'invalid-signature': [401, 'The signature does not match the body.'],
  'cross-site': [403, 'This address accepts requests from its own site only.'],
  demo: [403, 'This is a demo: nothing was changed.'],
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
  'articles-unavailable': [503, 'The articles cannot be read at the moment; try again later.'],
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
