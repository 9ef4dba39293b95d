/**
 * What an error means for the connection:
 * `locked`: another process holds the lock, wait for it; `damaged`: the file may be, or the disk had an error: read it again;
 * `full`: keep the connection, room may be made; `invalid`: the statement is wrong, the connection is fine; `other`: open a
 * new connection.
 */
export type SqliteErrorKind = 'locked' | 'damaged' | 'full' | 'invalid' | 'other';

/** SQLITE_IOERR_SHORT_READ: a file ends too early, which is not an error of the disk. */
export const SHORT_READ = 522;

/** Primary result codes, and one extended code: https://www.sqlite.org/rescode.html */
const KINDS: ReadonlyMap<number, SqliteErrorKind> = new Map([
  [1, 'invalid'], // SQLITE_ERROR: wrong SQL
  [5, 'locked'], // SQLITE_BUSY
  [6, 'locked'], // SQLITE_LOCKED
  [11, 'damaged'], // SQLITE_CORRUPT
  [13, 'full'], // SQLITE_FULL
  [18, 'invalid'], // SQLITE_TOOBIG
  [19, 'invalid'], // SQLITE_CONSTRAINT
  [20, 'invalid'], // SQLITE_MISMATCH
  [25, 'invalid'], // SQLITE_RANGE
  [26, 'damaged'], // SQLITE_NOTADB
  [SHORT_READ, 'damaged'],
]);

/**
 * A database whose content this program cannot use although SQLite can read it. It is quarantined like a damaged one.
 */
export class UnusableDatabaseError extends Error {}

/** Tells what an error of `node:sqlite` means. Its `errcode` is SQLite's extended result code. */
export function parseSqliteErrorKind(error: unknown): SqliteErrorKind {
  if (error instanceof UnusableDatabaseError) return 'damaged';
  // node:sqlite rejects values that it cannot bind before SQLite sees them.
  if (error instanceof TypeError || error instanceof RangeError) return 'invalid';
  const code = readCode(error);
  return KINDS.get(code) ?? KINDS.get(code & 0xff) ?? 'other';
}

/** Whether SQLite found no database in a file (SQLITE_NOTADB). */
export function isNoDatabase(error: unknown): boolean {
  return (readCode(error) & 0xff) === 26;
}

/** Whether SQLite refused to write (SQLITE_READONLY): the file, or the index of its log, is open for reading alone. */
export function isReadOnly(error: unknown): boolean {
  return (readCode(error) & 0xff) === 8;
}

/** Describes an error in one sentence, without paths of the machine: `/readyz` shows it. */
export function describeSqliteError(error: unknown): string {
  const text = error instanceof Error ? removeSystemCall(error) : String(error);
  const code = readCode(error);
  return code === 0 ? text : `${text} (SQLite ${code})`;
}

/** `ENOTDIR: not a directory, mkdir '/data'` → `ENOTDIR: not a directory` */
function removeSystemCall(error: Error): string {
  const call = 'syscall' in error ? `, ${String(error.syscall)}` : '';
  return call === '' ? error.message : (error.message.split(call)[0] ?? '');
}

function readCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : 0;
  return typeof code === 'number' ? code : 0;
}
