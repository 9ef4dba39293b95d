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

const copyRow = z.object({
  file: z.string(),
  /** Id of the operator who is writing. */
  operator: z.string(),
  name: z.string(),
  /** Hash of the file that the text began with. */
  base: z.string(),
  text: z.string(),
  /** Names the page of a browser that has sent it, and counts what that page has sent. */
  page: z.string(),
  number: z.number(),
  /** What was changed last: a heading or first words. */
  place: z.string(),
  /** ms since 1970. */
  savedAt: z.number(),
});
/** What an operator has written in a file and not saved. */
export type WorkingCopy = Readonly<z.output<typeof copyRow>>;

/** Tells a working copy from an earlier and a later one; it begins with the page and a space. */
export const stampCopy = ({ page, number }: WorkingCopy) => `${page} ${number}`;

/** Characters that the working copies of an operator may have. */
const MAX_COPIES = 50_000_000;
// What arrives late replaces nothing, nor does a page that has not seen what another one has written.
const KEEP = `INSERT INTO working_copies (file, operator, name, base, text, page, number, place, saved_at)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ? >=
    (SELECT coalesce(sum(length(text)), 0) FROM working_copies WHERE operator = ? AND file <> ?)
  ON CONFLICT DO UPDATE SET (name, base, text, page, number, place, saved_at) = (excluded.name, excluded.base,
    excluded.text, excluded.page, excluded.number, excluded.place, excluded.saved_at)
  WHERE CASE page WHEN excluded.page THEN number < excluded.number ELSE page || ' ' || number = ? END`;
const REMOVE_COPY = `DELETE FROM working_copies WHERE file = ? AND operator = ? AND coalesce(?, saved_at) = saved_at`;

/**
 * The newest versions of each content file and its working copies, in the database of the console. The contract suite is
 * `test/contract/content-versions.ts`. Every method rejects with `OperatorStoreError`.
 */
export class ContentVersions {
  readonly #database: Database;

  /** The executor belongs to the operators of the same database, which close it. */
  constructor(executor: SqlExecutor) {
    this.#database = withOperatorErrors(executor);
  }

  /** Adds versions of a file in their order, each unless its text is that of the newest one. */
  async add(
    file: string,
    ...versions: readonly (Omit<ContentVersion, 'number' | 'savedAs'> & { readonly text: string })[]
  ): Promise<void> {
    await this.#database.batch([
      ...versions.map(({ hash, text, operator, savedAt }) => ({
        sql: ADD,
        values: [file, file, hash, text, operator, savedAt, hash, file],
      })),
      { sql: REMOVE_OLD, values: [file, file, MAX_VERSIONS] },
    ]);
  }

  /** Gives the versions of a file that was renamed to its new path, behind those that this path may have had before. */
  async move(from: string, to: string): Promise<void> {
    await this.#database.batch([
      { sql: MOVE, values: [to, to, from] },
      { sql: REMOVE_OLD, values: [to, to, MAX_VERSIONS] },
      { sql: 'UPDATE OR REPLACE working_copies SET file = ? WHERE file = ?', values: [to, from] },
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

  /**
   * Stores a working copy in place of the one with the stamp `follows` (empty: of none), or of an earlier one of its page.
   * Returns the one that is there then; null: the operator has too many.
   */
  async keepCopy(copy: WorkingCopy, follows: string): Promise<WorkingCopy | null> {
    const { file, operator, name, base, text, page, number, place, savedAt } = copy;
    const values = [file, operator, name, base, text, page, number, place, savedAt];
    const room = [MAX_COPIES - text.length, operator, file];
    await this.#database.batch([{ sql: KEEP, values: [...values, ...room, follows] }]);
    return (await this.readCopies(file)).find((one) => one.operator === operator) ?? null;
  }

  /** The working copies of a file, by operator; of all files when left out. */
  async readCopies(file: string | null = null): Promise<readonly WorkingCopy[]> {
    const sql = 'SELECT * FROM working_copies WHERE file = coalesce(?, file) ORDER BY file, operator';
    return (await this.#database.read(sql, file)).map((row) => copyRow.parse(renameColumns(row)));
  }

  /** Removes the working copy of an operator; with a time, only the one of that time. */
  async removeCopy(file: string, operator: string, savedAt: number | null = null): Promise<void> {
    await this.#database.batch([{ sql: REMOVE_COPY, values: [file, operator, savedAt] }]);
  }
}
