import type { DatabaseSync } from 'node:sqlite';
import { parseEventRow } from '../../stores/events.ts';
import { parseSqliteErrorKind } from '../../stores/sql/node-sqlite/sqlite-error.ts';
import type { SqlRow } from '../../stores/sql/sql-executor.ts';
import {
  buildTableKey,
  type DatabaseName,
  listColumns,
  readTransferValue,
  type TableColumns,
  TRANSFER_TABLES,
  type TransferTable,
} from './transfer.ts';
import type { TransferRow } from './transfer-file.ts';

/** A number at which no row begins is tried again after so many failures at a distance that grows. */
const FAILURES_PER_STEP = 1_000;

/** Reads what can be read of a database, and passes over what is damaged. */
export class Salvage {
  /** The tables with their columns. */
  readonly tables: readonly TableColumns[];
  /** Rows that cannot be read, at most: their numbers, some of which may have been removed before. */
  missing = 0;
  readonly #db: DatabaseSync;
  readonly #tables: readonly TransferTable[];
  readonly #keptDay: string;

  /** `keptDay`: counts of later days are not read. Throws when not even the list of the tables can be read. */
  constructor(db: DatabaseSync, name: DatabaseName, keptDay: string) {
    this.#db = db;
    this.#keptDay = keptDay;
    const found = TRANSFER_TABLES.filter(({ database }) => database === name).map((table) => {
      const rows = db.prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid').all(table.name);
      return [
        table,
        listColumns(
          table,
          rows.map((row) => String(row['name'])),
        ),
      ] as const;
    });
    const there = found.filter(([, columns]) => columns.length > 0);
    this.#tables = there.map(([table]) => table);
    this.tables = there.map(([table, columns]) => [buildTableKey(table), columns]);
  }

  *readRows(): Generator<TransferRow> {
    for (const [index, [key, columns]] of this.tables.entries()) {
      const table = this.#tables[index];
      if (table === undefined) continue;
      for (const row of this.#readTable(table, columns)) {
        if (isValid(key, row))
          yield [key, columns.map((column) => readTransferValue(row, table.name, column))];
        else this.missing += 1;
      }
    }
  }

  *#readTable({ name, order }: TransferTable, columns: readonly string[]): Generator<SqlRow> {
    const list = columns.join(', ');
    const where = name === 'rollups' ? 'day <= ?1' : '?1 IS NOT NULL';
    const wr = this.#db.prepare('SELECT wr FROM pragma_table_list WHERE name = ?').get(name);
    if (wr?.['wr'] === 1) {
      const select = this.#db.prepare(`SELECT ${list} FROM ${name} WHERE ${where} ORDER BY ${order}`);
      yield* this.#readUntilDamage(select.iterate(this.#keptDay));
      return;
    }
    const from = `FROM ${name} NOT INDEXED WHERE ${where} AND rowid`;
    // A statement that has failed fails once more when it begins again.
    const readFrom = (number: number) =>
      this.#db
        .prepare(`SELECT rowid AS number, ${list} ${from} > ?2 ORDER BY rowid`)
        .iterate(this.#keptDay, number);
    const probe = (number: number) =>
      this.#db.prepare(`SELECT ${list} ${from} >= ?2 ORDER BY rowid LIMIT 1`).get(this.#keptDay, number);
    const last = this.#findLast(name);
    for (let after = -1; ; ) {
      let isWhole = true;
      const onDamage = () => (isWhole = false);
      for (const row of this.#readUntilDamage(readFrom(after), onDamage)) {
        after = Number(row['number']);
        yield row;
      }
      if (isWhole) return;
      const next = this.#findReadable(probe, after + 2, last);
      this.missing += next - after - 1;
      if (next > last) return;
      after = next - 1;
    }
  }

  *#readUntilDamage(rows: Iterator<unknown>, onDamage: () => void = () => (this.missing += 1)) {
    for (;;) {
      let row: IteratorResult<unknown>;
      try {
        row = rows.next();
      } catch (error) {
        if (parseSqliteErrorKind(error) !== 'damaged') throw error;
        onDamage();
        return;
      }
      if (row.done === true) return;
      yield row.value as SqlRow;
    }
  }

  /** The first number from which on a row can be read; more than `last` without any. */
  #findReadable(read: (number: number) => unknown, from: number, last: number): number {
    let failures = 0;
    for (let number = from; number <= last; number += 1 + Math.floor(failures / FAILURES_PER_STEP)) {
      try {
        read(number);
        return number;
      } catch (error) {
        if (parseSqliteErrorKind(error) !== 'damaged') throw error;
        failures += 1;
      }
    }
    return last + 1;
  }

  /** The highest number that a table had, as far as that can be read. */
  #findLast(name: string): number {
    for (const sql of [
      `SELECT seq AS last FROM sqlite_sequence WHERE name = '${name}'`,
      `SELECT max(rowid) AS last FROM ${name}`,
    ])
      try {
        const last = this.#db.prepare(sql).get()?.['last'];
        if (typeof last === 'number') return last;
      } catch {
        // The other one may be readable.
      }
    return 0;
  }
}

/** Whether a row of a damaged page is one of this program. */
function isValid(key: string, row: SqlRow): boolean {
  if (key !== 'events.events') return true;
  try {
    parseEventRow(row);
    return true;
  } catch {
    return false;
  }
}
