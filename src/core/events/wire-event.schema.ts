import { z } from 'zod';
import type { EventParts } from './build-site-event.ts';
import { isDataKey, isForbiddenKey } from './build-site-event.ts';
import { CAMPAIGN_PARAMETERS } from './campaign-parameters.ts';
import { EVENT_LIMITS } from './event-limits.ts';
import { parseSitePath } from './site-path.ts';
import { BROWSER_EVENT_NAMES, type RejectionCode } from './wire-event.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const datum = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

const FORMS = {
  id: 'has to be a UUID',
  name: 'is not an event that a browser reports',
  session: `has to be at most ${EVENT_LIMITS.session} letters, digits, _ and -`,
  page: 'has to be a path of this site',
  label: 'has to be text',
  value: 'has to be a finite number',
  data: 'has to be a flat object: keys of letters, digits and _, values text, number, boolean or a list of texts',
  campaign: 'has to be an object of texts',
} as const;

/** What a browser may send. `time` is not checked here: a wrong clock must not cost the event. */
const wireEvent = z.object({
  id: z.string().regex(UUID),
  name: z.enum(BROWSER_EVENT_NAMES),
  session: z.string().regex(/^[A-Za-z0-9_-]{0,64}$/),
  page: z.string().refine((text) => parseSitePath(text) !== null),
  label: z.string().optional(),
  value: z.number().optional(),
  data: z.record(z.string().refine(isDataKey), datum).optional(),
  campaign: z.partialRecord(z.string(), z.unknown()).optional(),
  time: z.unknown(),
});

/** Fields that are looked at before the form of the whole is known. */
interface Fields {
  readonly events?: unknown;
  readonly id?: unknown;
  readonly data?: unknown;
  readonly campaign?: unknown;
}

/** What one entry of a batch came to. */
export type ParsedWireEvent =
  | { readonly ok: true; readonly parts: EventParts }
  | { readonly ok: false; readonly id: string | null; readonly code: RejectionCode; readonly detail: string };

/** Parses the body of `POST /api/journey`; null when it is not `{"events": [...]}`. The entries are not looked at. */
export function parseWireBatch(body: unknown): readonly unknown[] | null {
  if (!isObject(body) || Object.keys(body).some(isForbiddenKey)) return null;
  const events = body.events;
  return Array.isArray(events) ? events : null;
}

/** Parses one entry of a batch. Never throws; the detail never repeats what was sent. */
export function parseWireEvent(entry: unknown): ParsedWireEvent {
  const refuse = (code: RejectionCode, detail: string): ParsedWireEvent => ({
    ok: false,
    id: parseId(entry),
    code,
    detail,
  });
  if (!isObject(entry)) return refuse('invalid-field', 'The event has to be an object.');
  if (hasForbiddenKey(entry)) return refuse('forbidden-key', 'A key of the event is not allowed.');
  const result = wireEvent.safeParse(entry);
  if (result.success) return { ok: true, parts: buildParts(result.data) };
  const field = String(result.error.issues[0]?.path[0]);
  const form = isField(field) ? FORMS[field] : 'has the wrong form';
  return refuse(field === 'name' ? 'unknown-name' : 'invalid-field', `${field} ${form}.`);
}

function buildParts(event: z.infer<typeof wireEvent>): EventParts {
  // Without a time there is no clock to trust: null is flagged, undefined would not be.
  return { ...event, campaign: pickCampaign(event.campaign ?? {}), clientTime: event.time ?? null };
}

/** Unknown parameters and values that are not text are left out: a newer sender must not lose its events here. */
function pickCampaign(campaign: Readonly<Record<string, unknown>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of CAMPAIGN_PARAMETERS) {
    const value = Object.hasOwn(campaign, name) ? campaign[name] : undefined;
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

function parseId(entry: unknown): string | null {
  const id = isObject(entry) ? entry.id : undefined;
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null;
}

function isField(name: string): name is keyof typeof FORMS {
  return Object.hasOwn(FORMS, name);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `JSON.parse` makes `__proto__` an own key; it must not live on to anyone who copies the object. */
function hasForbiddenKey(entry: Fields): boolean {
  return [entry, entry.data, entry.campaign].some(
    (level) => isObject(level) && Object.keys(level).some(isForbiddenKey),
  );
}
