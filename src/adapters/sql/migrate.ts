import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Brings a database to the newest form, each step in its own transaction. Throws when it is newer than this program. */
export function migrate(db: DatabaseSync, folder: string): void {
  const migrations = readMigrations(folder);
  const newest = migrations.at(-1)?.version ?? 0;
  const found = readVersion(db);
  if (found > newest) {
    throw new Error(`the database has form ${found}, this program knows ${newest}: use the newer program`);
  }
  for (const migration of migrations) if (migration.version > found) apply(db, migration);
}

/** `PRAGMA user_version`: the number of the last migration that was applied. */
function readVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

function apply(db: DatabaseSync, { version, sql }: Migration): void {
  db.exec('BEGIN IMMEDIATE');
  // Another process may have done it between the first look and the lock.
  if (readVersion(db) < version) db.exec(`${sql};\nPRAGMA user_version = ${version}`);
  db.exec('COMMIT');
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      sql: readFileSync(path.join(folder, name), 'utf8'),
    }));
}
