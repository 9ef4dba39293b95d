import { SESSION_PATTERN, type SiteEvent } from '../../core/events/site-event.ts';
import { VISIT_API_PATH } from '../../core/paths.ts';
import type { EventArchiver } from '../../stores/archive.ts';
import type { Clicks } from '../../stores/clicks.ts';
import type { EventStore } from '../../stores/events.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { createSharedLimiter } from '../http/rate-limiter.ts';
import { createJsonPost } from '../http/request-body.ts';
import { buildJsonResponse } from '../http/responses.ts';
import type { Route } from '../http/route.ts';
import type { Site } from '../site.ts';

/** Visitors look once or twice; the limit keeps programs from trying numbers. */
const LOOKS = { perSecond: 0.1, burst: 10, maxAddresses: 10_000 };
const MAX_EVENTS = 1_000;

/** Removes the events of a session, and what commissions have of its visit. Resolves with how many of each. */
export async function removeVisit(
  { events, archive }: { readonly events: EventStore; readonly archive: EventArchiver },
  { clicks, ledger }: { readonly clicks: Clicks; readonly ledger: Ledger },
  session: string,
): Promise<{ readonly events: number; readonly journeys: number }> {
  // First, because only the events tell which clicks are of the session.
  const journeys = await ledger.removeVisits(await clicks.findClickIds(session));
  return { events: (await events.remove({ session })) + (await archive.removeSession(session)), journeys };
}

/**
 * `POST /api/visit/show` and `/api/visit/delete` with `{"session": "…"}`, the random number that a browser has of its own
 * visit: its events, or that they are gone. A number that is not known has no events, as one that never was.
 */
export function createVisitRoutes(site: Site): readonly Route[] {
  const limiter = createSharedLimiter(site.platform, 'visits', LOOKS);
  const { events } = site.visitors;
  const respond = (answer: (session: string) => Promise<object>) =>
    createJsonPost(site.settings, limiter, async (body) => {
      const { session } = Object(body);
      const isValid = typeof session === 'string' && session !== '' && SESSION_PATTERN.test(session);
      return buildJsonResponse(isValid ? await answer(session) : { events: [] });
    });
  const find = async (session: string) => {
    const found: SiteEvent[] = [];
    for await (const event of events.read({ session })) if (found.push(event) >= MAX_EVENTS) break;
    return found;
  };
  return [
    {
      method: 'POST',
      path: `${VISIT_API_PATH}/show`,
      handle: respond(async (session) => ({ events: await find(session) })),
    },
    {
      method: 'POST',
      path: `${VISIT_API_PATH}/delete`,
      handle: respond(async (session) => {
        // Files of the archive are read whole: for a visit that nobody has made, they stay closed.
        if ((await find(session)).length > 0) await removeVisit(site.visitors, site.money, session);
        // A queue may hold the first events of a visit.
        else await events.remove({ session });
        return { events: [] };
      }),
    },
  ];
}
