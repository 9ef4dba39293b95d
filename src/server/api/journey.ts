import { isBot } from '../../core/journey/bots.ts';
import { buildSiteEvent } from '../../core/journey/build-site-event.ts';
import { EVENT_LIMITS } from '../../core/journey/event-limits.ts';
import type { EventStore } from '../../core/journey/event-store.ts';
import type { EventFlag, SiteEvent } from '../../core/journey/site-event.ts';
import { parseWireBatch, parseWireEvent } from '../../core/journey/wire-event.schema.ts';
import type { JourneyAnswer, Rejection } from '../../core/journey/wire-event.ts';
import type { HttpAnswer, HttpCall, HttpHandler } from '../http/message.ts';
import { buildErrorProblem, buildProblem } from '../http/problem.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { isSameOrigin } from '../http/same-origin.ts';

export interface JourneyOptions {
  readonly store: Pick<EventStore, 'append'>;
  /** Wall clock in ms since 1970. */
  readonly clock: { now(): number };
  readonly limiter: RateLimiter;
  /** Origin of the site, without a trailing slash; null when none is configured (loopback only). */
  readonly siteOrigin: string | null;
}

/** `POST /api/journey`: takes a batch of events from a page of the site, answers 202 when they are on disk. */
export function createJourneyHandler(options: JourneyOptions): HttpHandler {
  return async (call) => {
    const refusal = refuseUnread(call, options);
    if (refusal) return refusal;
    try {
      return await collect(call, options);
    } catch (error) {
      const problem = buildErrorProblem(error, call.requestId);
      if (problem) return problem;
      throw error;
    }
  };
}

/** What can be refused before a byte of the body is read. */
function refuseUnread(call: HttpCall, { siteOrigin, limiter }: JourneyOptions): HttpAnswer | null {
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

function refuseForRate(call: HttpCall, limiter: RateLimiter, cost: number): HttpAnswer | null {
  const seconds = limiter.take(call.clientAddress, cost);
  if (seconds === 0) return null;
  return buildProblem('rate-limited', call.requestId, { headers: { 'retry-after': String(seconds) } });
}

async function collect(call: HttpCall, options: JourneyOptions): Promise<HttpAnswer> {
  const body = parseJson(await call.body(EVENT_LIMITS.bodyBytes));
  if (body === undefined) return buildProblem('invalid-json', call.requestId);
  const entries = parseWireBatch(body.value);
  if (entries === null || entries.length === 0) {
    const detail = 'The body has to be an object with a list "events" of at least one event.';
    return buildProblem('invalid-request', call.requestId, { detail });
  }
  if (entries.length > EVENT_LIMITS.eventsPerRequest) {
    const detail = `A request takes at most ${EVENT_LIMITS.eventsPerRequest} events.`;
    return buildProblem('body-too-large', call.requestId, { detail });
  }
  const tooMany = entries.length > 1 ? refuseForRate(call, options.limiter, entries.length - 1) : null;
  return tooMany ?? storeEntries(entries, call, options);
}

async function storeEntries(
  entries: readonly unknown[],
  call: HttpCall,
  { store, clock }: JourneyOptions,
): Promise<HttpAnswer> {
  const { events, rejected } = sortEntries(entries, call, clock.now());
  const [first] = rejected;
  if (events.length === 0 && first) {
    const detail = `No event can be stored. The first: ${first.detail}`;
    return buildProblem('invalid-request', call.requestId, { detail });
  }
  const { stored, duplicates } = await store.append(events);
  const answer: JourneyAnswer = { stored, duplicates, rejected };
  return {
    status: 202,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(answer),
  };
}

function sortEntries(
  entries: readonly unknown[],
  call: HttpCall,
  now: number,
): { events: SiteEvent[]; rejected: Rejection[] } {
  const gpc = call.header('sec-gpc') === '1';
  const flags: readonly EventFlag[] = isBot(call.header('user-agent')) ? ['bot'] : [];
  const events: SiteEvent[] = [];
  const rejected: Rejection[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed = parseWireEvent(entry);
    if (!parsed.ok) {
      rejected.push({ index, id: parsed.id, code: parsed.code, detail: parsed.detail });
      continue;
    }
    // The server writes a click itself when it sends the target: a browser's word for it is kept, not counted.
    const own: readonly EventFlag[] =
      parsed.parts.name === 'affiliate_redirect' ? [...flags, 'double'] : flags;
    events.push(buildSiteEvent(parsed.parts, { now, gpc, flags: own }));
  }
  return { events, rejected };
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
