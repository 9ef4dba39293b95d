import { isEventName } from '../../core/events/event-definitions.ts';
import { EventStoreError } from '../../core/events/event-store.ts';
import {
  type EventDatum,
  FORMER_DUPLICATE_FLAG,
  parseEventFlags,
  type SiteEvent,
  UNCOUNTED_FLAGS,
} from '../../core/events/site-event.ts';
import type { SqlRow, SqlValue } from '../sql/sql-executor.ts';

/** The columns that say what happened. An id that comes again with other values in them is a conflict. */
export const FACT_COLUMNS = ['id', 'name', 'session', 'page', 'label', 'value', 'data', 'campaign'] as const;

/**
 * The columns of an event, in the order of `buildEventValues`. The last three may differ when an event is sent again.
 */
export const EVENT_COLUMNS = [...FACT_COLUMNS, 'client_time', 'server_time', 'flags'] as const;

/**
 * The SQL condition of `isCounted`. No flag is part of the name of another, so a substring is found only where the flag
 * is.
 */
export const IS_COUNTED = [...UNCOUNTED_FLAGS, FORMER_DUPLICATE_FLAG]
  .map((flag) => `instr(flags, '${flag}') = 0`)
  .join(' AND ');

/** Builds the values of an event's columns: `data` and `campaign` as JSON, flags joined by commas. */
export function buildEventValues(event: SiteEvent): readonly SqlValue[] {
  return [
    event.id,
    event.name,
    event.session,
    event.page,
    event.label,
    // SQL has no NaN and no infinity: the insert would fail, and with it the whole batch.
    Number.isFinite(event.value) ? event.value : 0,
    JSON.stringify(event.data),
    JSON.stringify(event.campaign),
    event.clientTime === null ? null : Math.round(event.clientTime),
    Math.round(event.serverTime),
    event.flags.join(','),
  ];
}

/** Whether two lists of values with the same id state the same fact. */
export function isSameFact(one: readonly unknown[], other: readonly unknown[]): boolean {
  return FACT_COLUMNS.every((_, index) => one[index] === other[index]);
}

/** Parses a stored row. Throws `EventStoreError` for one that this program cannot have written. */
export function parseEventRow(row: SqlRow): SiteEvent {
  const { id, name, client_time: clientTime } = row;
  if (!isEventName(name)) throw buildRowError(id, `the unknown name ${JSON.stringify(name)}`);
  return {
    id: String(id),
    name,
    session: String(row['session']),
    page: String(row['page']),
    label: String(row['label']),
    value: Number(row['value']),
    data: parseFields(row['data'], isDatum, () => buildRowError(id, 'invalid custom data')),
    campaign: parseFields(row['campaign'], isText, () => buildRowError(id, 'an invalid campaign')),
    clientTime: clientTime === null ? null : Number(clientTime),
    serverTime: Number(row['server_time']),
    flags: parseEventFlags(String(row['flags'])),
  };
}

function parseFields<T>(
  json: unknown,
  isValue: (value: unknown) => value is T,
  buildError: () => EventStoreError,
): Readonly<Record<string, T>> {
  const fields: Record<string, T> = {};
  for (const [key, value] of Object.entries(parseObject(json, buildError))) {
    if (!isValue(value)) throw buildError();
    fields[key] = value;
  }
  return fields;
}

function parseObject(json: unknown, buildError: () => EventStoreError): object {
  try {
    const value: unknown = JSON.parse(String(json));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Not JSON: the same error as for JSON of another kind.
  }
  throw buildError();
}

function buildRowError(id: unknown, what: string): EventStoreError {
  return new EventStoreError('unavailable', `[events] the stored event ${String(id)} has ${what}`);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isDatum = (value: unknown): value is EventDatum =>
  isText(value) ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every(isText));
