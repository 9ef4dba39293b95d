import { type CrawlerRequests, OTHER_CRAWLED_PAGE } from '../core/events/crawlers.ts';
import { withEventErrors } from './events.ts';
import type { Database, SqlExecutor, SqlRow } from './sql/sql-executor.ts';

/** Pages of one agent on one day; the requests of further ones are counted together. */
const MAX_PAGES_PER_DAY = 1_000;

const ADD = `INSERT INTO crawler_requests (day, agent, page, requests, verified)
  SELECT day, agent, iif(known OR pages < ${MAX_PAGES_PER_DAY}, page, '${OTHER_CRAWLED_PAGE}'), sum(requests), sum(verified)
  FROM (SELECT value ->> 'day' AS day, value ->> 'agent' AS agent, value ->> 'page' AS page,
      value ->> 'requests' AS requests, value ->> 'verified' AS verified,
      EXISTS (SELECT 1 FROM crawler_requests AS stored WHERE stored.day = value ->> 'day'
        AND stored.agent = value ->> 'agent' AND stored.page = value ->> 'page') AS known,
      (SELECT count(*) FROM crawler_requests AS stored WHERE stored.day = value ->> 'day'
        AND stored.agent = value ->> 'agent') AS pages
    FROM json_each(?))
  WHERE true GROUP BY 1, 2, 3
  ON CONFLICT (day, agent, page) DO UPDATE
  SET requests = requests + excluded.requests, verified = verified + excluded.verified`;

/** Days (`YYYY-MM-DD`), both inclusive, and a page; all when left out. */
export interface CrawlerRequestFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page?: string | undefined;
}

/** Requests of pages by known agents, in the database of the events. Every method rejects with `EventStoreError`. */
export class CrawlerRequestCounts {
  readonly #database: Database;

  constructor(executor: SqlExecutor) {
    this.#database = withEventErrors(executor);
  }

  /** Adds counts to those that are stored. */
  async add(counts: readonly CrawlerRequests[]): Promise<void> {
    if (counts.length > 0) await this.#database.change(ADD, JSON.stringify(counts));
  }

  /** Sums the requests of each agent, most first. The day is that of the newest request. */
  readByAgent(filter: CrawlerRequestFilter): Promise<readonly CrawlerRequests[]> {
    return this.#read("max(day) AS day, agent, '' AS page", 'agent', filter);
  }

  /** Sums the requests of each agent for each page, most first. The day is that of the newest request. */
  readByPage(filter: CrawlerRequestFilter): Promise<readonly CrawlerRequests[]> {
    return this.#read('max(day) AS day, agent, page', 'agent, page', filter);
  }

  /** Removes the counts of all days before one. */
  async removeBefore(day: string): Promise<void> {
    await this.#database.change('DELETE FROM crawler_requests WHERE day < ?', day);
  }

  async #read(columns: string, keys: string, { from = '', to = '9999-12-31', page }: CrawlerRequestFilter) {
    // Without the sign, SQLite would find the days by the primary key, and sort all of their rows.
    const sql = `SELECT ${columns}, sum(requests) AS requests, sum(verified) AS verified FROM crawler_requests
      WHERE +day BETWEEN ? AND ? ${page === undefined ? '' : 'AND page = ?'}
      GROUP BY ${keys} ORDER BY sum(requests) DESC, ${keys}`;
    return (await this.#database.read(sql, from, to, ...(page === undefined ? [] : [page]))).map(parseRow);
  }
}

function parseRow(row: SqlRow): CrawlerRequests {
  return {
    day: String(row['day']),
    agent: String(row['agent']),
    page: String(row['page']),
    requests: Number(row['requests']),
    verified: Number(row['verified']),
  };
}
