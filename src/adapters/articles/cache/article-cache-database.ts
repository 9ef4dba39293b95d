import type { DatabaseSync } from 'node:sqlite';
import { readSchemaVersion } from '../../sql/migrate.ts';
import { openDatabase } from '../../sql/node-sqlite/open-database.ts';
import { UnusableDatabaseError } from '../../sql/node-sqlite/sqlite-error.ts';

/** Version of the tables below, in `PRAGMA user_version`. A file of an unknown version is quarantined. */
const SCHEMA_VERSION = 3;

const CREATE_TABLES = `
  CREATE TABLE articles (
    slug TEXT PRIMARY KEY,
    published_at TEXT NOT NULL,
    summary TEXT NOT NULL,
    content TEXT,
    outline TEXT,
    body_version TEXT
  ) STRICT;
  CREATE INDEX articles_newest ON articles (published_at DESC, slug);
  CREATE TABLE pages (
    page INTEGER NOT NULL,
    page_size INTEGER NOT NULL,
    slugs TEXT NOT NULL,
    has_more INTEGER NOT NULL,
    PRIMARY KEY (page, page_size)
  ) STRICT;
  CREATE TABLE source_state (is_complete INTEGER NOT NULL) STRICT;
`;

/**
 * Version 1 had no outline of the bodies and a text key for pages. Its bodies stay readable during an outage, but count
 * as outdated, so that the crawler reads them again; pages are few and are read again anyway.
 */
const MIGRATE_FROM_1 = `
  ALTER TABLE articles RENAME TO articles_1;
  DROP INDEX articles_newest;
  DROP TABLE pages;
  ${CREATE_TABLES}
  INSERT INTO articles (slug, published_at, summary, content, outline, body_version)
    SELECT slug, published_at, card, content, iif(content IS NULL, NULL, '{"contents":[],"splitAt":1000000000}'),
      iif(content IS NULL, NULL, '')
    FROM articles_1;
  INSERT INTO source_state SELECT 1 FROM facts WHERE name = 'complete' AND value = 'yes';
  DROP TABLE articles_1;
  DROP TABLE facts;
`;

/**
 * Bodies of version 2 link to articles by their old rules: they stay readable until the crawler has read them again.
 */
const MIGRATE_FROM_2 = "UPDATE articles SET body_version = '' WHERE body_version IS NOT NULL";

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
  const isEmpty = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0;
  const version = readSchemaVersion(db);
  if (isEmpty) apply(db, CREATE_TABLES);
  else if (version === 1) apply(db, MIGRATE_FROM_1);
  else if (version === 2) apply(db, MIGRATE_FROM_2);
  else if (version !== SCHEMA_VERSION) {
    throw new UnusableDatabaseError(`schema version ${version} instead of ${SCHEMA_VERSION}`);
  }
}

function apply(db: DatabaseSync, sql: string): void {
  db.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
}
