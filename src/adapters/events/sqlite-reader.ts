import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { EventFilter } from '../../core/journey/event-store.ts';
import { readFileIdentity } from './event-file.ts';
import { EVENT_COLUMNS } from './event-row.ts';
import type { Bounds, Jobs, PageRequest, ThreadSettings } from './sqlite-jobs.ts';

/** Creates the jobs of the thread that reads: its own connection, so that a long report delays no event. */
export function createReader(
  settings: ThreadSettings,
): Pick<Jobs, 'bounds' | 'page' | 'count'> & { close(): void } {
  let db: DatabaseSync | null = null;
  let identity = '';

  function open(): DatabaseSync {
    const found = readFileIdentity(settings.file);
    if (db && found !== identity) close();
    if (found === '') throw new Error(`there is no event store at ${settings.file}`);
    db ??= new DatabaseSync(settings.file, { readOnly: true, timeout: settings.lockWaitMs });
    identity = found;
    return db;
  }

  function close(): void {
    db?.close();
    db = null;
  }

  function use<T>(work: (db: DatabaseSync) => T): T {
    try {
      return work(open());
    } catch (error) {
      close();
      throw error;
    }
  }

  return {
    bounds: (filter) => use((db) => readBounds(db, filter)),
    page: (request) => use((db) => readPage(db, request)),
    count: (filter) => use((db) => Number(readRow(db, 'SELECT count(*) FROM events', filter)[0])),
    close,
  };
}

function readBounds(db: DatabaseSync, filter: EventFilter): Bounds {
  const [first, last] = readRow(db, 'SELECT min(seq), max(seq) FROM events', filter);
  return typeof first === 'number' && typeof last === 'number' ? { first, last } : null;
}

/** Each page is a statement of its own: an open one would keep the write-ahead log from being written back. */
function readPage(db: DatabaseSync, { filter, after, upTo, limit }: PageRequest): ReturnType<Jobs['page']> {
  const where = buildWhere(filter, '+');
  const sql = `SELECT seq, ${EVENT_COLUMNS} FROM events ${where.sql} AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
  const found = prepareArrays(db, sql).all(...where.values, after, upTo, limit);
  const rows = found.map((row): unknown[] => (Array.isArray(row) ? row : []));
  return { rows: rows.map((row) => row.slice(1)), last: Number(rows.at(-1)?.[0] ?? upTo) };
}

function readRow(db: DatabaseSync, select: string, filter: EventFilter): readonly unknown[] {
  const where = buildWhere(filter, '');
  const row: unknown = prepareArrays(db, `${select} ${where.sql}`).get(...where.values);
  return Array.isArray(row) ? row : [];
}

function prepareArrays(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** `plus` before a column keeps SQLite from walking that index and sorting afterwards, when rows come by `seq`. */
function buildWhere(filter: EventFilter, plus: '+' | ''): { sql: string; values: SQLInputValue[] } {
  const values: SQLInputValue[] = [];
  let sql = 'WHERE 1 = 1';
  const add = (condition: string, ...more: SQLInputValue[]) => {
    sql += ` AND ${condition}`;
    values.push(...more);
  };
  if (filter.from !== undefined) add(`${plus}server_time >= ?`, filter.from);
  if (filter.to !== undefined) add(`${plus}server_time < ?`, filter.to);
  if (filter.session !== undefined) add("session = ? AND session <> ''", filter.session);
  if (filter.names) add(`name IN (${filter.names.map(() => '?').join(', ') || 'NULL'})`, ...filter.names);
  return { sql, values };
}
