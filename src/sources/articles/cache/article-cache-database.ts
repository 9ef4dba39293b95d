import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { migrate, NewerSchemaError, readSchemaVersion } from '../../../stores/sql/migrate.ts';
import { MIGRATIONS } from '../../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { UnusableDatabaseError } from '../../../stores/sql/node-sqlite/sqlite-error.ts';
import { openDatabase } from '../../../stores/sql/quarantine.ts';

/** The last version whose tables the program itself had created; later ones are files of `migrations/articles`. */
const LAST_OWN_VERSION = 3;

/** Puts the tables of an earlier version aside. Its pages are few and are read again anyway. */
const KEEP_OLD = `
  ALTER TABLE articles RENAME TO old_articles;
  DROP INDEX articles_newest;
  DROP TABLE pages;
`;
/** Version 1 named its columns otherwise and had no outline of the bodies. */
const KEEP_OLD_1 = `
  ${KEEP_OLD}
  ALTER TABLE old_articles RENAME COLUMN card TO summary;
  ALTER TABLE old_articles ADD COLUMN outline TEXT DEFAULT '{"contents":[],"splitAt":1000000000}';
  CREATE TABLE old_state AS SELECT 1 FROM facts WHERE name = 'complete' AND value = 'yes';
  DROP TABLE facts;
`;
const KEEP_OLD_3 = `
  ${KEEP_OLD}
  ALTER TABLE source_state RENAME TO old_state;
`;

/**
 * Old bodies may link to articles by earlier rules: they stay readable until the crawler has read them again, because
 * they count as outdated.
 */
const TAKE_OVER = `
  INSERT INTO articles (slug, published_at, summary, content, outline, body_version)
    SELECT slug, published_at, summary, content, iif(content IS NULL, NULL, outline), iif(content IS NULL, NULL, '')
    FROM old_articles;
  UPDATE source_state SET is_complete = EXISTS (SELECT 1 FROM old_state);
  DROP TABLE old_articles;
  DROP TABLE old_state;
`;

/** NORMAL: a power cut may lose the last copies, which can be read again; the file stays intact. */
const PRAGMAS = 'PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8000000';

const LOCK_WAIT_MS = 2_000;

/**
 * Opens the file of article copies, or creates it. A file that is damaged or of an unknown version is quarantined and
 * replaced by a new one, because everything in it can be read from the source again. `onQuarantine` gets its new name.
 */
export function openArticleCacheDatabase(file: string, onQuarantine: (file: string) => void): DatabaseSync {
  return openDatabase({
    file,
    pragmas: PRAGMAS,
    migrate: migrateArticleCache,
    lockWaitMs: LOCK_WAIT_MS,
    onQuarantine,
  });
}

function migrateArticleCache(db: DatabaseSync): void {
  const version = readSchemaVersion(db);
  if (version === 0 && countTables(db) > 0 && !hasOldCopies(db)) {
    throw new UnusableDatabaseError('it has no schema version');
  }
  if (version > 0 && version <= LAST_OWN_VERSION) {
    const keepOld = version === 1 ? KEEP_OLD_1 : KEEP_OLD_3;
    db.exec(`BEGIN IMMEDIATE; ${keepOld}; PRAGMA user_version = 0; COMMIT`);
  }
  try {
    migrate(db, path.join(MIGRATIONS, 'articles'));
  } catch (error) {
    throw error instanceof NewerSchemaError ? new UnusableDatabaseError(error.message) : error;
  }
  if (hasOldCopies(db)) db.exec(`BEGIN IMMEDIATE; ${TAKE_OVER}; COMMIT`);
}

function countTables(db: DatabaseSync): number {
  return Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n']);
}

function hasOldCopies(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'old_articles'").get() !== undefined;
}
