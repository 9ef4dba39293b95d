import type { DatabaseSync } from 'node:sqlite';

/**
 * Copies the rows of the database at a path into a new one, in the tables and columns that both have. The triggers of the new
 * one are created after its rows: what they add is among the rows already. Throws when it cannot have a row.
 */
export function copyTables(db: DatabaseSync, from: string): void {
  db.prepare('ATTACH ? AS source').run(from);
  const read = (sql: string) => db.prepare(sql).all();
  const tables = "sqlite_schema WHERE type = 'table'";
  const both = read(`SELECT name FROM main.${tables} INTERSECT SELECT name FROM source.${tables}`);
  const names = both.map(({ name }) => String(name));
  const triggers = read("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'");
  db.exec('BEGIN');
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${String(name)}"`);
  for (const table of names.filter((name) => !name.startsWith('sqlite_'))) {
    const select = `SELECT '"' || name || '"' AS name FROM pragma_table_info('${table}', `;
    const columns = read(`${select}'main') INTERSECT ${select}'source')`).map(({ name }) => name);
    db.exec(`DELETE FROM main."${table}";
      INSERT INTO main."${table}" (${columns.join()}) SELECT ${columns.join()} FROM source."${table}"`);
  }
  for (const { sql } of triggers) db.exec(String(sql));
  const isNumbered = names.includes('sqlite_sequence');
  const numbers = isNumbered ? read('SELECT name, seq FROM source.sqlite_sequence') : [];
  db.exec('COMMIT');
  finishCopy(db, new Map(numbers.map(({ name, seq }) => [String(name), Number(seq)])));
}

/**
 * Has the tables of a copied database go on counting after the last numbers of the copied one, and checks every page. Throws
 * when one is damaged.
 */
export function finishCopy(db: DatabaseSync, numbers: ReadonlyMap<string, number>): void {
  db.exec('BEGIN');
  for (const [table, number] of numbers) {
    db.prepare('DELETE FROM main.sqlite_sequence WHERE name = ?').run(table);
    db.prepare('INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)').run(table, number);
  }
  db.exec('COMMIT');
  const found = db.prepare('PRAGMA main.integrity_check(1)').get()?.['integrity_check'];
  if (found !== 'ok') throw new Error(`the copied database is damaged: ${String(found)}`);
}
