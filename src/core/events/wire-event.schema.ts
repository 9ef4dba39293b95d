import { z } from 'zod';
import { type EventParts, isDataKey, isForbiddenKey } from './build-site-event.ts';
import { completeFreeCampaign, parseCampaignRecord } from './campaign.ts';
import { BROWSER_EVENT_NAMES, isServerEvent } from './event-definitions.ts';
import { type EventFlag, SESSION_PATTERN, UUID_PATTERN } from './site-event.ts';
import { parseSitePath } from './site-path.ts';
import type { RejectionCode } from './wire-event.ts';

const datum = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);

/** What a rejection says about each field. */
const EXPECTED = {
  id: 'has to be a UUID',
  name: 'is not an event that browsers send',
  session: 'has to be at most 64 letters, digits, _ and -',
  page: 'has to be a path of this site',
  label: 'has to be text',
  value: 'has to be a finite number',
  data: 'has to be a flat object: keys of letters, digits and _, values text, number, boolean or a list of texts',
  campaign: 'has to be an object of texts',
  free: 'has to be true',
} as const;

/** Fields of every entry of a batch. `time` is not checked here: a wrong clock must not cost the event. */
export const ENTRY_FIELDS = {
  id: z.string().regex(UUID_PATTERN),
  session: z.string().regex(SESSION_PATTERN),
  time: z.unknown(),
  free: z.literal(true).optional(),
};

const wireEvent = z.object({
  ...ENTRY_FIELDS,
  session: ENTRY_FIELDS.session.default(''),
  name: z.enum(BROWSER_EVENT_NAMES),
  page: z.string().refine((text) => parseSitePath(text) !== null),
  label: z.string().optional(),
  value: z.number().optional(),
  data: z.record(z.string().refine(isDataKey), datum).optional(),
  campaign: z.partialRecord(z.string(), z.unknown()).optional(),
});

/** Fields that are read before the entry is validated. */
interface Fields {
  readonly events?: unknown;
  readonly id?: unknown;
  readonly data?: unknown;
  readonly campaign?: unknown;
}

export type ParsedWireEvent =
  | { readonly ok: true; readonly parts: EventParts; readonly flags: readonly EventFlag[] }
  | { readonly ok: false; readonly id: string | null; readonly code: RejectionCode; readonly detail: string };

/** Parses the body of `POST /api/journey`; null when it is not `{"events": [...]}`. The entries are not parsed yet. */
export function parseWireBatch(body: unknown): readonly unknown[] | null {
  if (!isObject(body) || Object.keys(body).some(isForbiddenKey)) return null;
  const events = body.events;
  return Array.isArray(events) ? events : null;
}

/** Parses one entry of a batch. Never throws; the detail never repeats what was sent. */
export function parseWireEvent(entry: unknown): ParsedWireEvent {
  if (!isObject(entry)) return rejectEntry(entry, 'invalid-field', 'The event has to be an object.');
  if (hasForbiddenKey(entry))
    return rejectEntry(entry, 'forbidden-key', 'A key of the event is not allowed.');
  const result = wireEvent.safeParse(entry);
  if (result.success) {
    // The server stores this event itself: the one of the browser is not counted.
    const flags: readonly EventFlag[] = isServerEvent(result.data.name) ? ['duplicate'] : [];
    return { ok: true, parts: buildParts(result.data), flags: addFree(flags, result.data) };
  }
  const field = String(result.error.issues[0]?.path[0]);
  const expected = isField(field) ? EXPECTED[field] : 'is invalid';
  return rejectEntry(entry, field === 'name' ? 'unknown-name' : 'invalid-field', `${field} ${expected}.`);
}

/** Adds the flag of a visit that is not stored in the browser. */
export const addFree = (flags: readonly EventFlag[], { free }: { readonly free?: true | undefined }) =>
  free ? ([...flags, 'free'] as const) : flags;

/** Builds the result of an entry that is not stored. */
export function rejectEntry(entry: unknown, code: RejectionCode, detail: string): ParsedWireEvent {
  return { ok: false, id: parseId(entry), code, detail };
}

function buildParts(event: z.infer<typeof wireEvent>): EventParts {
  // An event without a time gets the flag `clock`: null is flagged, undefined is not.
  const parts = { ...event, clientTime: event.time ?? null };
  // A browser that stores nothing names an ad by its parameter alone: `(gclid)`.
  return event.free
    ? { ...parts, campaign: event.campaign && completeFreeCampaign(parseCampaignRecord(event.campaign)) }
    : parts;
}

function parseId(entry: unknown): string | null {
  const id = isObject(entry) ? entry.id : undefined;
  return typeof id === 'string' && UUID_PATTERN.test(id) ? id.toLowerCase() : null;
}

function isField(name: string): name is keyof typeof EXPECTED {
  return Object.hasOwn(EXPECTED, name);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `JSON.parse` makes `__proto__` an own key, which would set the prototype of a copy of the object. */
function hasForbiddenKey(entry: Fields): boolean {
  return [entry, entry.data, entry.campaign].some(
    (level) => isObject(level) && Object.keys(level).some(isForbiddenKey),
  );
}
