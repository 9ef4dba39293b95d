import type { SqlExecutor } from '../../../stores/sql/sql-executor.ts';
import type { CrawlSchedule } from './cached-source-options.ts';

/** A crawl that was not finished after this time has ended with its instance. */
const LEASE_MS = 900_000;
/** No crawl is due as late: such a time was stored while a clock was wrong. */
const MAX_DUE_MS = 86_400_000;

const TAKE = `UPDATE source_state SET crawl_due_at = ?
  WHERE crawl_due_at <= ? OR crawl_due_at > ? RETURNING last_crawl_at`;
const FINISH = 'UPDATE source_state SET crawl_due_at = ?, last_crawl_at = ?';

/** Creates the schedule of instances that share a database with the tables of `migrations/articles`. */
export function createSqlCrawlSchedule(executor: SqlExecutor): CrawlSchedule {
  return {
    async take(now) {
      const [taken] = await executor.batch([{ sql: TAKE, values: [now + LEASE_MS, now, now + MAX_DUE_MS] }]);
      const row = taken?.rows[0];
      return row ? Number(row['last_crawl_at']) : null;
    },
    async finish({ startedAt, dueAt }) {
      await executor.batch([{ sql: FINISH, values: [dueAt, startedAt] }]);
    },
  };
}

/** Reads the name of the source that the copies are from; empty before the first one. */
export async function readCopiedSource(executor: Pick<SqlExecutor, 'query'>): Promise<string> {
  const [state] = await executor.query({ sql: 'SELECT source FROM source_state' });
  return String(state?.['source'] ?? '');
}

/** Removes the copies of another source than this one. */
export async function removeOtherCopies(executor: SqlExecutor, source: string): Promise<void> {
  if ((await readCopiedSource(executor)) === source) return;
  const isOther = "(SELECT source FROM source_state) NOT IN ('', ?)";
  await executor.batch([
    { sql: `DELETE FROM articles WHERE ${isOther}`, values: [source] },
    { sql: `DELETE FROM pages WHERE ${isOther}`, values: [source] },
    {
      sql: `UPDATE source_state SET source = ?, is_complete = 0, writes = writes + 1, crawl_due_at = 0,
        last_crawl_at = 0 WHERE source <> ?`,
      values: [source, source],
    },
  ]);
}
