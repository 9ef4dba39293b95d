import {
  type Compilable,
  DummyDriver,
  Kysely,
  type SelectQueryBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { isEventName } from '../core/events/event-definitions.ts';
import {
  type AppendResult,
  type CountFilter,
  type EventFilter,
  type EventStore,
  EventStoreError,
  type TimeRange,
} from '../core/events/event-store.ts';
import {
  type EventDatum,
  FORMER_DUPLICATE_FLAG,
  parseEventFlags,
  type SiteEvent,
  UNCOUNTED_FLAGS,
} from '../core/events/site-event.ts';
import {
  convertSqlErrors,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from './sql/sql-executor.ts';

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

/** The columns of migrations/0001_events.sql that the queries name. */
interface EventTable {
  readonly seq: number;
  readonly name: string;
  readonly session: string;
}

type Tables = { readonly events: EventTable };

/** Composes queries with optional parts and runs none of them. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Builds the query of `count`: how many events match a filter. */
export function buildCountQuery(filter: CountFilter): SqlStatement {
  let query = where(filter, sql`server_time`).select(({ fn }) => fn.countAll().as('count'));
  if (!filter.all) query = query.where(sql.raw<boolean>(IS_COUNTED));
  return buildStatement(query);
}

/** Builds the query of `first` and `last`: the places of the first and last event that match; null without any. */
export function buildBoundsQuery(filter: EventFilter): SqlStatement {
  const query = where(filter, sql`server_time`);
  return buildStatement(query.select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')]));
}

/** Builds the query of a page of events in stored order: after the place `after`, up to the place `upTo`. */
export function buildPageQuery(
  filter: EventFilter,
  page: { readonly after: number; readonly upTo: number; readonly limit: number },
): SqlStatement {
  // The plus keeps SQLite from walking the index by time and sorting afterwards.
  const query = where(filter, sql`+server_time`)
    .selectAll()
    .where('seq', '>', page.after)
    .where('seq', '<=', page.upTo);
  return buildStatement(query.orderBy('seq').limit(page.limit));
}

function where(
  { from, to, names, session }: EventFilter,
  time: ReturnType<typeof sql>,
): SelectQueryBuilder<Tables, 'events', unknown> {
  let query = db.selectFrom('events');
  if (from !== undefined) query = query.where(time, '>=', from);
  if (to !== undefined) query = query.where(time, '<', to);
  if (names !== undefined) query = query.where('name', 'in', names);
  if (session !== undefined) {
    // The index by session holds no event without one; SQLite uses it only when the query says the same.
    query = query.where('session', '=', session).where(sql<boolean>`session <> ''`);
  }
  return query;
}

/** The values have the types of the columns that they are compared with. */
function buildStatement(query: Compilable): SqlStatement {
  const { sql: text, parameters } = query.compile();
  return { sql: text, values: parameters as readonly SqlValue[] };
}

/** Each page is a query of its own: one that stays open would keep SQLite from writing its log back. */
const ROWS_PER_PAGE = 500;

/** Two queries, because SQLite looks up each end of the index by time only when it is alone. */
const SELECT_TIME_RANGE = `SELECT (SELECT min(server_time) FROM events) AS oldest,
  (SELECT max(server_time) FROM events) AS newest`;

/** The site itself only appends. Kysely, which takes 80 ms and 26 MB, is loaded with the first query. */
const loadQueries = () => import('./events.ts');

/** The reading half of the event store, over an executor that may be read-only. */
export class SqlEventReader implements Pick<EventStore, 'read' | 'count' | 'readTimeRange' | 'close'> {
  readonly #database: Pick<SqlExecutor, 'query' | 'close'>;

  constructor(database: Pick<SqlExecutor, 'query' | 'close'>) {
    this.#database = database;
  }

  async *read(filter: EventFilter): AsyncGenerator<SiteEvent> {
    const { buildBoundsQuery, buildPageQuery } = await loadQueries();
    const [bounds] = await convertErrors(this.#database.query(buildBoundsQuery(filter)));
    if (typeof bounds?.['first'] !== 'number') return;
    const upTo = Number(bounds['last']);
    for (let after = bounds['first'] - 1; after < upTo; ) {
      const page = buildPageQuery(filter, { after, upTo, limit: ROWS_PER_PAGE });
      const rows = await convertErrors(this.#database.query(page));
      for (const row of rows) yield parseEventRow(row);
      after = Number(rows.at(-1)?.['seq'] ?? upTo);
    }
  }

  async count(filter: CountFilter): Promise<number> {
    const { buildCountQuery } = await loadQueries();
    const [row] = await convertErrors(this.#database.query(buildCountQuery(filter)));
    return Number(row?.['count']);
  }

  async readTimeRange(): Promise<TimeRange | null> {
    const [row] = await convertErrors(this.#database.query({ sql: SELECT_TIME_RANGE }));
    const { oldest, newest } = row ?? {};
    return typeof oldest === 'number' && typeof newest === 'number' ? { oldest, newest } : null;
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Passes a result on, and an error of the executor as the one of this port. */
export function convertErrors<T>(result: Promise<T>): Promise<T> {
  return convertSqlErrors(
    result,
    (error) => new EventStoreError(error.code, `[events] ${error.message}`, { cause: error }),
  );
}

const INSERT = `INSERT INTO events (${EVENT_COLUMNS.join(', ')})
  VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (id) DO NOTHING`;
const SELECT_FACT = `SELECT ${FACT_COLUMNS.join(', ')} FROM events WHERE id = ?`;

/** Events that one statement removes, so that appends get their turn in between. */
const ROWS_PER_REMOVAL = 500;
const DELETE_SESSION = buildDelete("session = ? AND session <> ''");
const DELETE_OLDER = buildDelete('server_time < ?');

/** Writes 64 KB, as a busy moment does: on a disk that is almost full, a few bytes may still fit. */
const PROBE = 'INSERT OR REPLACE INTO store_probe VALUES (1, ?, zeroblob(65536))';
/** A probe is repeated at most once a second, however often health checks request it. */
const PROBE_INTERVAL_MS = 1_000;

/** The event store over any SQL executor, which it closes with itself. */
export class SqlEventStore extends SqlEventReader implements EventStore {
  readonly #executor: SqlExecutor;
  #probe: { readonly at: number; readonly result: Promise<string | null> } | null = null;
  protected isClosed = false;

  constructor(executor: SqlExecutor) {
    super(executor);
    this.#executor = executor;
  }

  async append(events: readonly SiteEvent[]): Promise<AppendResult> {
    const rows = events.map(buildEventValues);
    const results = await this.run(rows.map((values) => ({ sql: INSERT, values })));
    const known = rows.filter((_, index) => results[index]?.changes === 0);
    return {
      stored: rows.length - known.length,
      duplicates: known.length,
      conflicts: await this.#countConflicts(known),
    };
  }

  async remove(filter: { readonly session: string } | { readonly before: number }): Promise<number> {
    const [sql, value] =
      'session' in filter ? [DELETE_SESSION, filter.session] : [DELETE_OLDER, filter.before];
    let removed = 0;
    for (let changes = ROWS_PER_REMOVAL; changes === ROWS_PER_REMOVAL; removed += changes) {
      const [result] = await this.run([{ sql, values: [value, ROWS_PER_REMOVAL] }]);
      changes = result?.changes ?? 0;
    }
    return removed;
  }

  async probe(): Promise<string | null> {
    if (this.isClosed) return 'The store is closed.';
    const now = performance.now();
    if (!this.#probe || now - this.#probe.at > PROBE_INTERVAL_MS) {
      const result = this.run([{ sql: PROBE, values: [Date.now()] }]);
      this.#probe = {
        at: now,
        result: result.then(
          () => null,
          (error: Error) => error.message,
        ),
      };
    }
    return this.#probe.result;
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await super.close();
  }

  /** How many of these events, whose ids are stored already, differ from the stored event. */
  async #countConflicts(rows: readonly SqlStatement['values'][]): Promise<number> {
    if (rows.length === 0) return 0;
    const stored = await this.run(
      rows.map((values = []) => ({ sql: SELECT_FACT, values: values.slice(0, 1) })),
    );
    const isConflict = (values: SqlStatement['values'] = [], index: number) => {
      const fact = stored[index]?.rows[0];
      return (
        fact !== undefined &&
        !isSameFact(
          values,
          FACT_COLUMNS.map((column) => fact[column]),
        )
      );
    };
    return rows.filter(isConflict).length;
  }

  /** Runs statements in one transaction, with the errors of this port. */
  protected run(statements: readonly SqlStatement[]): ReturnType<SqlExecutor['batch']> {
    return convertErrors(this.#executor.batch(statements));
  }
}

function buildDelete(condition: string): string {
  return `DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE ${condition} LIMIT ?)`;
}
