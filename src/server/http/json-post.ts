import { EVENT_LIMITS } from '../../core/journey/event-limits.ts';
import type { HttpAnswer, HttpCall, HttpHandler } from './message.ts';
import { buildErrorProblem, buildProblem } from './problem.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { isSameOrigin } from './same-origin.ts';

export interface JsonPostOptions {
  readonly limiter: RateLimiter;
  /** Origin of the site, without a trailing slash; null when none is configured (loopback only). */
  readonly siteOrigin: string | null;
}

/**
 * Creates a handler for what pages of this site post as JSON, at most 64 KB. What is not that is refused
 * before `answer` sees it, and the errors of the store become problem answers.
 */
export function createJsonPost(
  options: JsonPostOptions,
  answer: (body: unknown, call: HttpCall) => Promise<HttpAnswer>,
): HttpHandler {
  return async (call) => {
    const refusal = refuseUnread(call, options);
    if (refusal) return refusal;
    try {
      const body = parseJson(await call.body(EVENT_LIMITS.bodyBytes));
      return body === undefined
        ? buildProblem('invalid-json', call.requestId)
        : await answer(body.value, call);
    } catch (error) {
      const problem = buildErrorProblem(error, call.requestId);
      if (problem) return problem;
      throw error;
    }
  };
}

/** Takes the cost of a request from its address; the answer to give when it has spent too much. */
export function refuseForRate(call: HttpCall, limiter: RateLimiter, cost: number): HttpAnswer | null {
  const seconds = limiter.take(call.clientAddress, cost);
  if (seconds === 0) return null;
  return buildProblem('rate-limited', call.requestId, { headers: { 'retry-after': String(seconds) } });
}

/** What can be refused before a byte of the body is read. */
function refuseUnread(call: HttpCall, { siteOrigin, limiter }: JsonPostOptions): HttpAnswer | null {
  if (call.method !== 'POST') {
    return buildProblem('method-not-allowed', call.requestId, { headers: { allow: 'POST' } });
  }
  if (!isSameOrigin(call, siteOrigin)) return buildProblem('cross-site', call.requestId);
  if (!isPlainJson(call)) return buildProblem('unsupported-media-type', call.requestId);
  return refuseForRate(call, limiter, 1);
}

function isPlainJson(call: HttpCall): boolean {
  const encoding = call.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false;
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(call.header('content-type') ?? '');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined: not JSON, or not in UTF-8. */
function parseJson(body: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    return undefined;
  }
}
