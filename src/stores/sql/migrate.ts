import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

export class NewerSchemaError extends Error {}

/**
 * Applies the numbered files of a folder (`0001_events.sql`) that a database does not have yet, each in its own
 * transaction. `PRAGMA user_version` holds the number of the last one. Throws `NewerSchemaError` when the database is
 * newer than the files.
 */
export function migrate(db: DatabaseSync, folder: string): void {
  const migrations = readMigrations(folder);
  const newest = migrations.at(-1)?.version ?? 0;
  const version = readSchemaVersion(db);
  if (version > newest) {
    throw new NewerSchemaError(
      `the database has schema version ${version}, but this program knows only ${newest}: use the newer program`,
    );
  }
  for (const migration of migrations) if (migration.version > version) apply(db, migration);
}

/** Reads `PRAGMA user_version`; 0 for a new database. */
export function readSchemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}

function apply(db: DatabaseSync, { version, sql }: ReturnType<typeof readMigrations>[number]): void {
  db.exec('BEGIN IMMEDIATE');
  // Another process may have applied it before this one got the lock.
  if (readSchemaVersion(db) < version) db.exec(`${sql};\nPRAGMA user_version = ${version}`);
  db.exec('COMMIT');
}

function readMigrations(folder: string) {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      sql: readFileSync(path.join(folder, name), 'utf8'),
    }));
}
