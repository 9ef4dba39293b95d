import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Number of the form below. Another one in the file: the copies are fetched anew. */
const FORM = 1;

const TABLES = `
  CREATE TABLE articles (
    slug TEXT PRIMARY KEY,
    published_at TEXT NOT NULL,
    card TEXT NOT NULL,
    content TEXT,
    body_of TEXT
  ) STRICT;
  CREATE INDEX articles_newest ON articles (published_at DESC, slug);
  CREATE TABLE pages (key TEXT PRIMARY KEY, slugs TEXT NOT NULL, has_more INTEGER NOT NULL) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${FORM};
`;

/**
 * Opens the file of article copies, or makes it. A file that is broken or of another form is kept aside as
 * `*.set-aside` and a new one made: everything in it can be fetched again. `onReplaced` gets where it was kept.
 */
export function openArticleDatabase(file: string, onReplaced: (kept: string) => void): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  const existed = existsSync(file);
  try {
    return open(file);
  } catch (error) {
    if (!existed || !isWorthless(error)) throw error;
    const kept = `${file}.set-aside`;
    renameSync(file, kept);
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    onReplaced(kept);
    return open(file);
  }
}

class OtherFormError extends Error {}

function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 2_000 });
  try {
    // NORMAL: a power cut may lose the last copies, which can be fetched again; the file stays whole.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8000000');
    const form = db.prepare('PRAGMA user_version').get()?.['user_version'];
    const isEmpty = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0;
    if (isEmpty) db.exec(TABLES);
    else if (form !== FORM) throw new OtherFormError(`[articles:cache] form ${String(form)}`);
    db.prepare('SELECT count(card) AS n FROM articles').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB; not a full disk, a lock or a missing right. */
function isWorthless(error: unknown): boolean {
  if (error instanceof OtherFormError) return true;
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? Number(error.errcode) : 0;
  return (code & 255) === 11 || (code & 255) === 26;
}
