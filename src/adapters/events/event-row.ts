import { EventStoreError } from '../../core/journey/event-store.ts';
import {
  EVENT_NAMES,
  type EventDatum,
  type EventFlag,
  type EventName,
  type SiteEvent,
} from '../../core/journey/site-event.ts';

/** The columns of an event, in the order of an `EventRow`. */
export const EVENT_COLUMNS =
  'id, name, session, page, label, value, data, campaign, client_time, server_time, flags';

/** One event as SQL keeps it: `data` and `campaign` as JSON, flags joined by commas. */
export type EventRow = readonly [
  id: string,
  name: string,
  session: string,
  page: string,
  label: string,
  value: number,
  data: string,
  campaign: string,
  clientTime: number | null,
  serverTime: number,
  flags: string,
];

/** How many leading columns say what happened; the rest say when and how it was received, which a retry may change. */
const FACT_COLUMNS = 8;

/** Builds the row that stores an event. Numbers that SQL would refuse would fail the whole transaction they share. */
export function buildEventRow(event: SiteEvent): EventRow {
  return [
    event.id,
    event.name,
    event.session,
    event.page,
    event.label,
    Number.isFinite(event.value) ? event.value : 0,
    JSON.stringify(event.data),
    JSON.stringify(event.campaign),
    event.clientTime === null ? null : Math.round(event.clientTime),
    Math.round(event.serverTime),
    event.flags.join(','),
  ];
}

/** Whether two rows with one id state the same fact, as a retry does. */
export function isSameFact(one: readonly unknown[], other: readonly unknown[]): boolean {
  for (let i = 0; i < FACT_COLUMNS; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Parses a stored row. Throws `EventStoreError` for one that this program cannot have written. */
export function parseEventRow(row: readonly unknown[]): SiteEvent {
  const [id, name, session, page, label, value, data, campaign, clientTime, serverTime, flags] = row;
  if (!isEventName(name)) throw unreadable(id, `the name ${JSON.stringify(name)}`);
  return {
    id: String(id),
    name,
    session: String(session),
    page: String(page),
    label: String(label),
    value: Number(value),
    data: parseFields(data, isDatum, () => unreadable(id, 'custom data')),
    campaign: parseFields(campaign, isText, () => unreadable(id, 'a campaign')),
    clientTime: clientTime === null ? null : Number(clientTime),
    serverTime: Number(serverTime),
    flags: String(flags).split(',').filter(isFlag),
  };
}

function parseFields<T>(
  json: unknown,
  isValue: (value: unknown) => value is T,
  fail: () => EventStoreError,
): Readonly<Record<string, T>> {
  const fields: Record<string, T> = {};
  for (const [key, value] of Object.entries(parseObject(json, fail))) {
    if (!isValue(value)) throw fail();
    fields[key] = value;
  }
  return fields;
}

function parseObject(json: unknown, fail: () => EventStoreError): object {
  try {
    const value: unknown = JSON.parse(String(json));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Not JSON: the same error as JSON of another kind.
  }
  throw fail();
}

function unreadable(id: unknown, what: string): EventStoreError {
  return new EventStoreError(
    'unavailable',
    `[events:row] event ${String(id)} has ${what} that is unknown here`,
  );
}

const names: ReadonlySet<unknown> = new Set(EVENT_NAMES);
const isEventName = (name: unknown): name is EventName => names.has(name);

const FLAGS: ReadonlySet<string> = new Set<EventFlag>(['bot', 'prefetch', 'double', 'clock', 'gpc']);
const isFlag = (flag: string): flag is EventFlag => FLAGS.has(flag);

const isText = (value: unknown): value is string => typeof value === 'string';
const isDatum = (value: unknown): value is EventDatum =>
  isText(value) ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every(isText));
