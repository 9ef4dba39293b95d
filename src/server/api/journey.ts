import { isBot } from '../../core/journey/bots.ts';
import { buildSiteEvent } from '../../core/journey/build-site-event.ts';
import { EVENT_LIMITS } from '../../core/journey/event-limits.ts';
import type { EventStore } from '../../core/journey/event-store.ts';
import type { EventFlag, SiteEvent } from '../../core/journey/site-event.ts';
import { parseWireBatch, parseWireEvent } from '../../core/journey/wire-event.schema.ts';
import type { JourneyAnswer, Rejection } from '../../core/journey/wire-event.ts';
import { createJsonPost, type JsonPostOptions, refuseForRate } from '../http/json-post.ts';
import type { HttpAnswer, HttpCall, HttpHandler } from '../http/message.ts';
import { buildProblem } from '../http/problem.ts';

export interface JourneyOptions extends JsonPostOptions {
  readonly store: Pick<EventStore, 'append'>;
  /** Wall clock in ms since 1970. */
  readonly clock: { now(): number };
}

/** `POST /api/journey`: takes a batch of events from a page of the site, answers 202 when they are on disk. */
export function createJourneyHandler(options: JourneyOptions): HttpHandler {
  return createJsonPost(options, (body, call) => collect(body, call, options));
}

async function collect(body: unknown, call: HttpCall, options: JourneyOptions): Promise<HttpAnswer> {
  const entries = parseWireBatch(body);
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
