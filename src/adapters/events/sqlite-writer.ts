import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OUTCOME } from './append-queue.ts';
import { EVENT_COLUMNS, type EventRow, isSameFact } from './event-row.ts';
import { type Connection, createConnection } from './sqlite-connection.ts';
import type { Jobs, RemoveStep, ThreadSettings } from './sqlite-jobs.ts';

interface Statements {
  readonly insert: StatementSync;
  readonly find: StatementSync;
  readonly removeSession: StatementSync;
  readonly removeOlder: StatementSync;
  readonly probe: StatementSync;
}

/** Creates the jobs of the thread that writes. */
export function createWriter(
  settings: ThreadSettings,
  report: (message: string) => void,
): Pick<Jobs, 'append' | 'remove' | 'probe'> & Pick<Connection<Statements>, 'close'> {
  const connection = createConnection({ ...settings, report }, prepare);
  return {
    append: (rows) => connection.use((statements, db) => transact(db, () => insertAll(statements, rows))),
    remove: (step) => connection.use((statements) => removeSome(statements, step)),
    probe: () => connection.use((statements) => void statements.probe.run(Date.now())),
    close: () => connection.close(),
  };
}

function prepare(db: DatabaseSync): Statements {
  const marks = EVENT_COLUMNS.replace(/\w+/g, '?');
  const find = db.prepare(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = ?`);
  find.setReturnArrays(true);
  const remove = (where: string) =>
    db.prepare(`DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE ${where} LIMIT ?)`);
  return {
    find,
    insert: db.prepare(`INSERT INTO events (${EVENT_COLUMNS}) VALUES (${marks}) ON CONFLICT (id) DO NOTHING`),
    removeSession: remove("session = ? AND session <> ''"),
    removeOlder: remove('server_time < ?'),
    probe: db.prepare('INSERT OR REPLACE INTO store_probe VALUES (1, ?, zeroblob(65536))'),
  };
}

/** Takes the write lock first (a later upgrade could fail half-way) and leaves only when all is on disk. */
function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  const result = work();
  db.exec('COMMIT');
  return result;
}

function insertAll({ insert, find }: Statements, rows: readonly EventRow[]): Uint8Array {
  const outcomes = new Uint8Array(rows.length);
  for (const [i, row] of rows.entries()) {
    if (insert.run(...row).changes !== 0) continue;
    const known: unknown = find.get(row[0]);
    outcomes[i] = Array.isArray(known) && isSameFact(known, row) ? OUTCOME.duplicate : OUTCOME.conflict;
  }
  return outcomes;
}

function removeSome({ removeSession, removeOlder }: Statements, { filter, limit }: RemoveStep): number {
  const { changes } =
    'session' in filter ? removeSession.run(filter.session, limit) : removeOlder.run(filter.before, limit);
  return Number(changes);
}
