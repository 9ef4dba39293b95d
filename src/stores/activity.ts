import { z } from 'zod';
import { withOperatorErrors } from './operators.ts';
import type { Database, SqlExecutor } from './sql/sql-executor.ts';

/** What a change is about, in the order of the filter. */
export const ACTIVITY_SUBJECTS = [
  'content',
  'images',
  'access',
  'settings',
  'commissions',
  'messages',
] as const;
export type ActivitySubject = (typeof ACTIVITY_SUBJECTS)[number];

/** Older entries are removed. */
export const MAX_ACTIVITY = 5_000;
const MAX_TEXT_LENGTH = 500;

const entryRow = z.object({
  /** From 1, in the order of time. */
  number: z.number(),
  /** ms since 1970. */
  time: z.number(),
  /** Name of the operator at that time; empty for the command line. */
  operator: z.string(),
  subject: z.enum(ACTIVITY_SUBJECTS),
  /** One sentence in plain text: what was changed. */
  text: z.string(),
  /** A path of the console or of the site that shows it; empty without one. */
  href: z.string(),
});
/** Something that an operator has changed. */
export type ActivityEntry = Readonly<z.output<typeof entryRow>>;

/**
 * The newest changes of operators, in the database of the console. The contract suite is `test/contract/activity.ts`.
 * Every method rejects with `OperatorStoreError`.
 */
export class Activity {
  readonly #database: Database;

  /** The executor belongs to the operators of the same database, which close it. */
  constructor(executor: SqlExecutor) {
    this.#database = withOperatorErrors(executor);
  }

  /** Adds an entry; a longer text is cut. */
  async add({ time, operator, subject, text, href }: Omit<ActivityEntry, 'number'>): Promise<void> {
    const sql = 'INSERT INTO activity (time, operator, subject, text, href) VALUES (?, ?, ?, ?, ?)';
    const cut = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
    await this.#database.batch([
      { sql, values: [time, operator, subject, cut, href] },
      {
        sql: 'DELETE FROM activity WHERE number <= (SELECT max(number) FROM activity) - ?',
        values: [MAX_ACTIVITY],
      },
    ]);
  }

  /** How many entries there are, about one subject or all. */
  async count(subject: ActivitySubject | null): Promise<number> {
    const sql = 'SELECT count(*) AS number FROM activity WHERE subject = coalesce(?, subject)';
    const row = await this.#database.readRow(sql, subject);
    // A database that was not created yet has no row.
    return row === undefined ? 0 : z.object({ number: z.number() }).parse(row).number;
  }

  /** Entries, the newest first. */
  async read(
    subject: ActivitySubject | null,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ActivityEntry[]> {
    const sql = `SELECT * FROM activity WHERE subject = coalesce(?, subject)
      ORDER BY number DESC LIMIT ? OFFSET ?`;
    const rows = await this.#database.read(sql, subject, limit, offset);
    return rows.map((row) => entryRow.parse(row));
  }
}
