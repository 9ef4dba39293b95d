import { z } from 'zod';
import { EVENT_NAMES } from './event-definitions.ts';
import { EVENT_FLAGS, type SiteEvent } from './site-event.ts';

const datum = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** An event as JSON has it: in messages of the queue, archives and transfers. */
const siteEvent = z.object({
  id: z.string().min(1).max(64),
  name: z.enum(EVENT_NAMES),
  session: z.string(),
  page: z.string(),
  label: z.string(),
  value: z.number(),
  data: z.record(z.string(), datum),
  campaign: z.record(z.string(), z.string()),
  clientTime: z.number().nullable(),
  serverTime: z.number(),
  flags: z.array(z.enum(EVENT_FLAGS)),
});

const siteEvents = z.array(siteEvent);

/** Parses a list of events that this program has written as JSON; null when it is invalid. */
export function parseSiteEvents(value: unknown): readonly SiteEvent[] | null {
  return siteEvents.safeParse(value).data ?? null;
}
