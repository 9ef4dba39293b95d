import { z } from 'zod';
import { withOperatorErrors } from './operators.ts';
import type { Database, SqlExecutor } from './sql/sql-executor.ts';
import { renameColumns } from './sql/statements.ts';

/** Older versions of a file are removed. */
const MAX_VERSIONS = 100;

const versionRow = z.object({
  /** From 1, by file. */
  number: z.number(),
  /** Of the text. */
  hash: z.string(),
  /** Name of the operator who saved it; empty: it was changed on the server. */
  operator: z.string(),
  /** ms since 1970. */
  savedAt: z.number(),
  /** The path below the content folder that the file had then, when it was renamed since; empty otherwise. */
  savedAs: z.string(),
});
/** A version of a content file, without its text. */
export type ContentVersion = Readonly<z.output<typeof versionRow>>;

const textRow = z.object({ number: z.number(), text: z.string() });

// A version whose text is that of the newest one is no other version.
const ADD = `INSERT INTO content_versions (file, number, hash, text, operator, saved_at)
  SELECT ?, coalesce((SELECT max(number) FROM content_versions WHERE file = ?), 0) + 1, ?, ?, ?, ?
  WHERE ? IS NOT (SELECT hash FROM content_versions WHERE file = ? ORDER BY number DESC LIMIT 1)`;
const REMOVE_OLD = `DELETE FROM content_versions WHERE file = ?
  AND number <= (SELECT max(number) FROM content_versions WHERE file = ?) - ?`;
const READ_ALL = `SELECT number, hash, operator, saved_at, iif(saved_as = file, '', saved_as) AS saved_as
  FROM content_versions WHERE file = ?
  ORDER BY number DESC`;
const READ_NEWEST = `SELECT file, operator, saved_at FROM content_versions AS version
  WHERE number = (SELECT max(number) FROM content_versions WHERE file = version.file)`;
const newestRow = z.object({ file: z.string(), operator: z.string(), savedAt: z.number() });
// The highest number is read once, before the first row has moved.
const MOVE = `UPDATE content_versions SET file = ?,
  number = number + (SELECT coalesce(max(number), 0) FROM content_versions WHERE file = ?),
  saved_as = CASE saved_as WHEN '' THEN file ELSE saved_as END WHERE file = ?`;
const READ_TEXTS = 'SELECT number, text FROM content_versions WHERE file = ? AND number BETWEEN ? AND ?';

/**
 * The newest versions of each content file, in the database of the console. The contract suite is
 * `test/contract/content-versions.ts`. Every method rejects with `OperatorStoreError`.
 */
export class ContentVersions {
  readonly #database: Database;

  /** The executor belongs to the operators of the same database, which close it. */
  constructor(executor: SqlExecutor) {
    this.#database = withOperatorErrors(executor);
  }

  /** Adds a version of a file, unless its text is that of the newest one. */
  async add(
    file: string,
    version: Omit<ContentVersion, 'number' | 'savedAs'> & { readonly text: string },
  ): Promise<void> {
    const { hash, text, operator, savedAt } = version;
    await this.#database.batch([
      { sql: ADD, values: [file, file, hash, text, operator, savedAt, hash, file] },
      { sql: REMOVE_OLD, values: [file, file, MAX_VERSIONS] },
    ]);
  }

  /** Gives the versions of a file that was renamed to its new path, behind those that this path may have had before. */
  async move(from: string, to: string): Promise<void> {
    await this.#database.batch([
      { sql: MOVE, values: [to, to, from] },
      { sql: REMOVE_OLD, values: [to, to, MAX_VERSIONS] },
    ]);
  }

  /** The versions of a file, the newest first. */
  async readAll(file: string): Promise<readonly ContentVersion[]> {
    const rows = await this.#database.read(READ_ALL, file);
    return rows.map((row) => versionRow.parse(renameColumns(row)));
  }

  /** Who saved the newest version of each file, and when in ms since 1970; an empty name: it was changed on the server. */
  async readNewest(): Promise<ReadonlyMap<string, { readonly operator: string; readonly savedAt: number }>> {
    const rows = await this.#database.read(READ_NEWEST);
    return new Map(
      rows.map((row) => {
        const { file, ...saved } = newestRow.parse(renameColumns(row));
        return [file, saved];
      }),
    );
  }

  /** The text of a version; null when there is no such version. */
  async readText(file: string, number: number): Promise<string | null> {
    return (await this.readTexts(file, number, number)).get(number) ?? null;
  }

  /** The texts of versions by their numbers, as far as there are any. */
  async readTexts(file: string, first: number, last: number): Promise<ReadonlyMap<number, string>> {
    const rows = await this.#database.read(READ_TEXTS, file, first, last);
    return new Map(rows.map((row) => textRow.parse(row)).map(({ number, text }) => [number, text]));
  }
}
