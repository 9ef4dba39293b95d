import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A table that only the database of a file of the Node server has. */
const FILES = { events: 'events.sqlite', facts: 'commissions.sqlite', operators: 'console.sqlite' };

/**
 * Links the local D1 databases of a data folder under the names of the Node server's files, so that tests read both in
 * the same way. Reading only: D1 notes its migrations elsewhere.
 */
export function linkLocalDatabases(dataDir: string): void {
  const folder = path.join(dataDir, 'edge', 'd1', 'miniflare-D1DatabaseObject');
  for (const name of readdirSync(folder).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))) {
    const file = path.join(folder, name);
    const tables = readTables(file);
    for (const [table, link] of Object.entries(FILES)) {
      const target = path.join(dataDir, link);
      if (tables.has(table) && !existsSync(target)) symlinkSync(file, target);
    }
  }
}

function readTables(file: string): ReadonlySet<string> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return new Set(rows.map((row) => String(row['name'])));
  } finally {
    database.close();
  }
}
