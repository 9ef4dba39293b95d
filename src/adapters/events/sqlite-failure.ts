/** What to do about an SQLite error: wait for another process, keep the file aside, open anew, or just try again. */
export type SqliteFailure = 'locked' | 'broken' | 'full' | 'reopen';

/** Primary result codes, https://www.sqlite.org/rescode.html */
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/** Parses an error of `node:sqlite` (its `errcode` is SQLite's extended code). */
export function parseSqliteFailure(error: unknown): SqliteFailure {
  switch (readCode(error) & 0xff) {
    case BUSY:
    case LOCKED:
      return 'locked';
    case CORRUPT:
    case NOT_A_DATABASE:
      return 'broken';
    case FULL:
      return 'full';
    default:
      return 'reopen';
  }
}

/** One sentence about an error, for logs. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = readCode(error);
  return code === 0 ? text : `${text} (SQLite ${code})`;
}

function readCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0;
  return typeof code === 'number' ? code : 0;
}
