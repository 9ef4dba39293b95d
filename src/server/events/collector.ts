import { parseSubmission } from '../../core/assessment/submission.schema.ts';
import { buildSiteEvent, type EventParts } from '../../core/events/build-site-event.ts';
import { completeFreeCampaign, parseFreeCampaign } from '../../core/events/campaign.ts';
import { EVENT_LIMITS, type SiteEvent } from '../../core/events/site-event.ts';
import { classifyFirstView } from '../../core/events/visit-source.ts';
import { type ParsedWireEvent, parseWireBatch, parseWireEvent } from '../../core/events/wire-event.schema.ts';
import type { JourneyResult, Rejection } from '../../core/events/wire-event.ts';
import { findListedHost, listHosts } from '../../core/outbound/beside.schema.ts';
import { createJsonPost, refuseForRate } from '../http/request-body.ts';
import { buildJsonResponse, buildProblem } from '../http/responses.ts';
import type { AppContext, Handler } from '../http/route.ts';
import { listOwnHosts } from '../http/same-origin.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import { createLinkAnswers } from '../outbound/beside.ts';
import type { Site } from '../site.ts';

/** An event of this length counts as one; a longer one as several. Those of browsers are shorter. */
const BYTES_PER_EVENT = 1_024;

/**
 * `POST /api/journey`: takes a batch of events from a page of the site or of one beside it (`beside.yaml`), responds 202
 * when they are on disk. `GET` answers what a link on a page beside it is.
 */
export function createCollector(site: Site): Handler {
  const readHost = (origin: string | null) => findListedHost(site.content.read().beside, origin);
  const isListed = (origin: string | null) => readHost(origin) !== null;
  const take = createJsonPost(
    site.settings,
    site.visitors.postLimiter,
    async (body, context, bytes) => {
      const { headers } = context.req.raw;
      site.visitors.outside.note(headers);
      return collect(body, context, site, bytes);
    },
    isListed,
  );
  const answer = createLinkAnswers(site);
  return (context) => (context.req.method === 'POST' ? take(context) : answer(context));
}

async function collect(body: unknown, context: AppContext, site: Site, bytes: number): Promise<Response> {
  const { requestId } = context.env;
  const entries = parseWireBatch(body);
  if (entries === null || entries.length === 0) {
    const detail = 'The body has to be an object with a list "events" of at least one event.';
    return buildProblem('invalid-request', requestId, { detail });
  }
  if (entries.length > EVENT_LIMITS.eventsPerRequest) {
    const detail = `A request takes at most ${EVENT_LIMITS.eventsPerRequest} events.`;
    return buildProblem('body-too-large', requestId, { detail });
  }
  // One was taken before the body was read.
  const cost = Math.max(entries.length, Math.ceil(bytes / BYTES_PER_EVENT)) - 1;
  const tooMany = cost > 0 ? await refuseForRate(context, site.visitors.postLimiter, cost) : null;
  return tooMany ?? storeEntries(entries, context, site);
}

async function storeEntries(entries: readonly unknown[], context: AppContext, site: Site): Promise<Response> {
  const { clock, settings } = site;
  const { events: store } = site.visitors;
  const content = site.content.read();
  const parsed = entries.map((entry) => parseSubmission(entry, content.assessment) ?? parseWireEvent(entry));
  const host = findListedHost(content.beside, context.req.header('origin')) ?? '';
  const ownHosts = [...listOwnHosts(settings, context.req.header('host')), ...listHosts(content.beside)];
  const { events, rejected } = sortEntries(parsed, context, clock.now(), { ownHosts, host });
  const [first] = rejected;
  if (events.length === 0 && first) {
    const detail = `No event can be stored. The first: ${first.detail}`;
    return buildProblem('invalid-request', context.env.requestId, { detail });
  }
  const { stored, duplicates } = await store.append(events);
  const result: JourneyResult = { stored, duplicates, rejected };
  // A browser would report the response to a page beside this site as blocked.
  return buildJsonResponse(
    result,
    202,
    host === '' ? {} : { 'cross-origin-resource-policy': 'cross-origin' },
  );
}

function sortEntries(
  entries: readonly ParsedWireEvent[],
  { req }: AppContext,
  now: number,
  /** `host`: that of the site beside ours whose page sends them. */
  { ownHosts, host }: { readonly ownHosts: readonly string[]; readonly host: string },
): { events: SiteEvent[]; rejected: Rejection[] } {
  const { gpc, flags } = readVisitorSignals(req.raw);
  const events: SiteEvent[] = [];
  const rejected: Rejection[] = [];
  for (const [index, parsed] of entries.entries()) {
    if (!parsed.ok) {
      rejected.push({ index, id: parsed.id, code: parsed.code, detail: parsed.detail });
      continue;
    }
    const isFree = parsed.flags.includes('free');
    const parts = isFree ? addCampaign(parsed.parts, req.header('referer')) : parsed.parts;
    const source = classifyFirstView(parts, ownHosts, gpc);
    events.push(buildSiteEvent(parts, { now, gpc, flags: [...flags, ...parsed.flags], source, host }));
  }
  return { events, rejected };
}

/** A page that is left early reports its view without a campaign, which stands in its own address. */
function addCampaign(parts: EventParts, referer = ''): EventParts {
  if (parts.name !== 'page_view' || parts.campaign !== undefined) return parts;
  return { ...parts, campaign: completeFreeCampaign(parseFreeCampaign(referer.split(/[?#]/)[1] ?? '')) };
}
