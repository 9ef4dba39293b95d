import { type EventName, isEventName } from '../core/events/event-definitions.ts';
import {
  type EventDatum,
  FORMER_DUPLICATE_FLAG,
  FREE_FLAGS,
  parseEventFlags,
  type SiteEvent,
  UNCOUNTED_FLAGS,
} from '../core/events/site-event.ts';
import { Database, type SqlExecutor, type SqlRow, type SqlValue } from './sql/sql-executor.ts';

/** The result of an append: `stored` events are new, `duplicates` have an id that is stored already, and are left out. */
export interface AppendResult {
  readonly stored: number;
  readonly duplicates: number;
}

/** Which events to read. Times are ms since 1970 on the server's clock. */
export interface EventFilter {
  /** Inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
  readonly names?: readonly EventName[] | undefined;
  readonly session?: string | undefined;
}

export interface CountFilter extends EventFilter {
  /** Also count events with a flag in `UNCOUNTED_FLAGS`, such as bots, prefetches and duplicates. */
  readonly all?: boolean | undefined;
}

/** The first and the last server time of stored events. */
export interface TimeRange {
  readonly oldest: number;
  readonly newest: number;
}

/** Takes events. */
export interface EventAppender {
  /** Resolves only when every event is on disk. Idempotent by event id. Rejects with `EventStoreError`. */
  append(events: readonly SiteEvent[]): Promise<AppendResult>;
}

/** Reads and counts events. */
export interface EventReader {
  /** Events in the order in which they were stored. */
  read(filter: EventFilter): AsyncIterable<SiteEvent>;
  /** Counts events; those with a flag in `UNCOUNTED_FLAGS` only if the filter says `all`. */
  count(filter: CountFilter): Promise<number>;
}

/** The port that stores events. Every adapter passes the contract suite `test/contract/event-store.ts`. */
export interface EventStore extends EventAppender, EventReader {
  /** Server times of the oldest and the newest event, in ms since 1970; null in an empty store. */
  readTimeRange(): Promise<TimeRange | null>;
  /** Removes the events of a session, or those older than a time; resolves with their number. */
  remove(filter: { readonly session: string } | { readonly before: number }): Promise<number>;
  /** Checks whether an append would be stored now. Null: yes; else the reason. */
  probe(): Promise<string | null>;
  /** Finishes the appends that were accepted and closes the store. Later calls reject with code `closed`. */
  close(): Promise<void>;
}

/** Why events could not be stored or read. */
export class EventStoreError extends Error {
  /**
   * `unavailable`: full, locked, read-only or damaged; try again later. `invalid`: the database refuses the events
   * themselves; trying again cannot help. `closed`: the store was closed.
   */
  readonly code: 'unavailable' | 'invalid' | 'closed';
  constructor(code: EventStoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EventStoreError';
    this.code = code;
  }
}

/** Runs on an executor with the errors of the events' database. */
export function withEventErrors(executor: SqlExecutor): Database {
  return new Database(
    executor,
    (error) => new EventStoreError(error.code, `[events] ${error.message}`, { cause: error }),
  );
}

/** The columns of an event, in the order of `buildEventValues`. */
export const EVENT_COLUMNS = [
  'id',
  'name',
  'session',
  'page',
  'label',
  'value',
  'data',
  'campaign',
  'client_time',
  'server_time',
  'flags',
] as const;

/**
 * The SQL condition of `isCounted`. No flag is part of the name of another, so a substring is found only where the flag
 * is. Few events have a flag at all.
 */
export const IS_COUNTED = `(flags = '' OR ${[...UNCOUNTED_FLAGS, FORMER_DUPLICATE_FLAG]
  .map((flag) => `instr(flags, '${flag}') = 0`)
  .join(' AND ')})`;

/** SQL for events that `isWithoutJourney`, 0 or 1. */
export const IS_WITHOUT_JOURNEY = `(flags <> '' AND (${FREE_FLAGS.map((flag) => `instr(flags, '${flag}') > 0`).join(' OR ')}))`;

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

function buildConditions({ from, to, names, session }: EventFilter, time: 'server_time' | '+server_time') {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...bound: readonly SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (from !== undefined) add(`${time} >= ?`, from);
  if (to !== undefined) add(`${time} < ?`, to);
  if (names !== undefined) add(`name IN (${names.map(() => '?').join(', ')})`, ...names);
  // The index by session holds no event without one; SQLite uses it only when the query says the same.
  if (session !== undefined) add(`session = ? AND session <> ''`, session);
  return { conditions: conditions.join(' AND ') || 'true', values };
}

/** Each page is a query of its own: one that stays open would keep SQLite from writing its log back. */
const ROWS_PER_PAGE = 500;

/** Two queries, because SQLite looks up each end of the index by time only when it is alone. */
const SELECT_TIME_RANGE = `SELECT (SELECT min(server_time) FROM events) AS oldest,
  (SELECT max(server_time) FROM events) AS newest`;

/** Events that one statement removes, so that appends get their turn in between. */
const ROWS_PER_REMOVAL = 500;
const DELETE_SESSION = buildDelete("session = ? AND session <> ''");
const DELETE_OLDER = buildDelete('server_time < ?');

/** How events get into a database: what is fast differs between a file and D1. */
export interface EventWrites {
  /** Stores the values of events (`buildEventValues`), those whose id is not stored yet. */
  append(rows: readonly (readonly SqlValue[])[]): Promise<AppendResult>;
  /** Why an append would not be stored now; null when it would. */
  probe(): Promise<string | null>;
  /** Called before the events of a session are removed, where more of them may arrive from elsewhere. */
  noteRemoval?(session: string): Promise<unknown>;
}

/**
 * The event store over any SQL executor, which it closes with itself. `createWrites` decides how it appends: a
 * statement for each event unless another way is given. A store that only reads may have a read-only executor.
 */
export class SqlEventStore implements EventStore {
  readonly #database: Database;
  readonly #writes: EventWrites;
  #isClosed = false;

  constructor(executor: SqlExecutor, createWrites: (database: Database) => EventWrites = createRowWrites) {
    this.#database = withEventErrors(executor);
    this.#writes = createWrites(this.#database);
  }

  append(events: readonly SiteEvent[]): Promise<AppendResult> {
    return this.#writes.append(events.map(buildEventValues));
  }

  async *read(filter: EventFilter): AsyncGenerator<SiteEvent> {
    const whole = buildConditions(filter, 'server_time');
    const ends = `SELECT min(seq) AS first, max(seq) AS last FROM events WHERE ${whole.conditions}`;
    const bounds = await this.#database.readRow(ends, ...whole.values);
    if (typeof bounds?.['first'] !== 'number') return;
    const upTo = Number(bounds['last']);
    // The plus keeps SQLite from walking the index by time and sorting afterwards.
    const { conditions, values } = buildConditions(filter, '+server_time');
    const page = `SELECT * FROM events WHERE ${conditions} AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
    for (let after = bounds['first'] - 1; after < upTo; ) {
      const rows = await this.#database.read(page, ...values, after, upTo, ROWS_PER_PAGE);
      for (const row of rows) yield parseEventRow(row);
      after = Number(rows.at(-1)?.['seq'] ?? upTo);
    }
  }

  async count(filter: CountFilter): Promise<number> {
    const { conditions, values } = buildConditions(filter, 'server_time');
    const sql = `SELECT count(*) AS count FROM events WHERE ${conditions}${filter.all ? '' : ` AND ${IS_COUNTED}`}`;
    return Number((await this.#database.readRow(sql, ...values))?.['count']);
  }

  async readTimeRange(): Promise<TimeRange | null> {
    const { oldest, newest } = (await this.#database.readRow(SELECT_TIME_RANGE)) ?? {};
    return typeof oldest === 'number' && typeof newest === 'number' ? { oldest, newest } : null;
  }

  async remove(filter: { readonly session: string } | { readonly before: number }): Promise<number> {
    const [sql, value] =
      'session' in filter ? [DELETE_SESSION, filter.session] : [DELETE_OLDER, filter.before];
    if ('session' in filter && filter.session !== '') await this.#writes.noteRemoval?.(filter.session);
    let removed = 0;
    for (let changes = ROWS_PER_REMOVAL; changes === ROWS_PER_REMOVAL; removed += changes) {
      changes = await this.#database.change(sql, value, ROWS_PER_REMOVAL);
    }
    return removed;
  }

  async probe(): Promise<string | null> {
    return this.#isClosed ? 'The store is closed.' : this.#writes.probe();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#database.close();
  }
}

function buildDelete(condition: string): string {
  return `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE ${condition} LIMIT ?)`;
}

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(', ')})
  VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`;

/** Writes 64 KB, as a busy moment does: on a disk that is almost full, a few bytes may still fit. */
const PROBE = 'INSERT OR REPLACE INTO store_probe VALUES (1, ?, zeroblob(65536))';
/** A probe is repeated at most once a second, however often health checks request it. */
const PROBE_INTERVAL_MS = 1_000;

/** Appends with a statement for each event, which is the fastest on a file. */
function createRowWrites(database: Database): EventWrites {
  let probed: { readonly at: number; readonly result: Promise<string | null> } | null = null;
  return {
    async append(rows) {
      const results = await database.batch(rows.map((values) => ({ sql: INSERT, values })));
      const duplicates = results.filter(({ changes }) => changes === 0).length;
      return { stored: rows.length - duplicates, duplicates };
    },
    probe() {
      const now = performance.now();
      if (probed === null || now - probed.at > PROBE_INTERVAL_MS) {
        const result = database.change(PROBE, Date.now()).then(
          () => null,
          (error: Error) => error.message,
        );
        probed = { at: now, result };
      }
      return probed.result;
    },
  };
}
