import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

export class NewerSchemaError extends Error {}

/**
 * Applies the numbered files of a folder (`0001_events.sql`) that a database does not have yet, each in its own
 * transaction. `PRAGMA user_version` holds the number of the last one. Throws `NewerSchemaError` when the database is
 * newer than the files. `upTo`: the last number to apply; all when left out.
 */
export function migrate(db: DatabaseSync, folder: string, upTo = Number.POSITIVE_INFINITY): void {
  refuseNewer(db, folder);
  const version = readSchemaVersion(db);
  for (const migration of readMigrations(folder))
    if (migration.version > version && migration.version <= upTo) apply(db, migration);
}

/** Number of the last migration, by folder. */
const newestByFolder = new Map<string, number>();

/**
 * Throws `NewerSchemaError` for a database that is newer than the migrations of a folder. `version`: that of the database,
 * where it was read already.
 */
export function refuseNewer(db: DatabaseSync, folder: string, version = readSchemaVersion(db)): void {
  const newest = newestByFolder.get(folder) ?? Math.max(0, ...listMigrations(folder).map(parseVersion));
  newestByFolder.set(folder, newest);
  if (version <= newest) return;
  throw new NewerSchemaError(
    `the database has schema version ${version}, but this program knows only ${newest}: use the newer program`,
  );
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
  return listMigrations(folder).map((name) => ({
    version: parseVersion(name),
    sql: readFileSync(path.join(folder, name), 'utf8'),
  }));
}

const listMigrations = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort();

const parseVersion = (name: string) => Number(name.slice(0, 4));
