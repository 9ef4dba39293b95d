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
import type { CountFilter, EventFilter } from '../../core/events/event-store.ts';
import type { SqlStatement, SqlValue } from '../sql/sql-executor.ts';
import { IS_COUNTED } from './event-row.ts';

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
