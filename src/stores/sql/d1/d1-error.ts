import { SqlError } from '../sql-executor.ts';

/**
 * Messages of D1 about a statement that cannot succeed, however often it runs. D1 has no error codes: the name of
 * SQLite's result code is part of the message.
 */
const INVALID = [
  /SQLITE_(?:ERROR|TOOBIG|CONSTRAINT|MISMATCH|RANGE|AUTH)\b/,
  /Wrong number of parameter bindings/,
  /No SQL statements detected/,
  /please use the state\.storage\.transaction\(\)/,
  /^D1_TYPE_ERROR/,
];

/**
 * Builds the executor's error for what D1 throws. Everything that is not known to be the statement's own fault counts
 * as `unavailable`: a lost connection, an overloaded database, a timeout, a full database.
 */
export function buildD1Error(error: unknown): SqlError {
  const message = error instanceof Error ? error.message : String(error);
  const code = INVALID.some((pattern) => pattern.test(message)) ? 'invalid' : 'unavailable';
  return new SqlError(code, message.replace(/^D1_ERROR: /, ''), { cause: error });
}
