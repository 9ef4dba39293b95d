import { z } from 'zod';
import { LINK_STATES, type LinkRecord } from '../core/outbound/link-state.ts';
import type { PageLink } from '../core/outbound/watched-links.ts';
import { parseJson } from '../core/text/parse-text.ts';
import { withLedgerErrors } from './ledger.ts';
import type { Database, SqlExecutor, SqlStatement } from './sql/sql-executor.ts';
import { buildListStatements, renameColumns } from './sql/statements.ts';

const offerSchema = z.object({
  excerpt: z.string(),
  hash: z.string(),
  prices: z.array(
    z.object({
      equals: z.string(),
      currency: z.string(),
      amount: z.number().nullable(),
      source: z.enum(['json-ld', 'text']),
    }),
  ),
});
const evidenceSchema = z.object({
  id: z.string(),
  checkedAt: z.number(),
  address: z.string(),
  offer: offerSchema,
});
const baselineFields = {
  sign: z.enum(['empty', 'parked', 'insecure']).optional(),
  finalHost: z.string(),
  finalPath: z.string(),
  parameterKept: z.boolean().nullable(),
};
const recordSchema = z.object({
  url: z.string(),
  state: z.enum(LINK_STATES),
  reason: z.string(),
  since: z.number(),
  checkedAt: z.number(),
  dueAt: z.number(),
  misses: z.number(),
  missedSince: z.number().nullable(),
  baseline: z.object(baselineFields).nullable(),
  result: z.object({
    ...baselineFields,
    outcome: z.enum(['ok', 'different', 'failed', 'unclear']),
    reason: z.string(),
    isUnexpected: z.boolean().optional(),
    hops: z.array(z.object({ url: z.string(), status: z.number() })),
    offer: offerSchema.nullable(),
  }),
  evidence: evidenceSchema.nullable(),
});

const checkRow = z.object({
  id: z.string(),
  url: z.string(),
  checkedAt: z.number(),
  state: z.enum(LINK_STATES),
  reason: z.string(),
  evidence: z.preprocess(parseJson, evidenceSchema.nullable()),
});

/** A check that is stored. */
export type StoredCheck = Readonly<z.output<typeof checkRow>>;

/** Of each link, so many checks stay besides those that changed something and those that content names. */
const STORED_CHECKS = 90;

const WRITE = `INSERT INTO links (url, state, checked_at, due_at, record) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (url) DO UPDATE SET state = excluded.state, checked_at = excluded.checked_at, due_at = excluded.due_at,
  record = excluded.record`;
const ADD_CHECK = `INSERT INTO link_checks (id, url, checked_at, state, reason, is_change, evidence)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const REMOVE_CHECKS = `DELETE FROM link_checks WHERE url = ? AND is_change = 0
  AND id NOT IN (SELECT value FROM json_each(?)) AND checked_at <
  coalesce((SELECT checked_at FROM link_checks WHERE url = ? ORDER BY checked_at DESC LIMIT 1 OFFSET ${STORED_CHECKS - 1}), 0)`;
const NOTE_HOST = `INSERT INTO link_hosts (host, requested_at) VALUES (?, ?)
  ON CONFLICT (host) DO UPDATE SET requested_at = max(requested_at, excluded.requested_at)`;
const CLAIM_HOST = `INSERT INTO link_hosts (host, requested_at) VALUES (?, ?)
  ON CONFLICT (host) DO UPDATE SET requested_at = excluded.requested_at WHERE requested_at <= excluded.requested_at - ?`;
const WRITE_ROBOTS = `INSERT INTO link_hosts (host, requested_at, robots_at, robots) VALUES (?, ?, ?, ?)
  ON CONFLICT (host) DO UPDATE SET requested_at = excluded.requested_at, robots_at = excluded.robots_at,
  robots = excluded.robots`;
const ADD_PAGE_LINKS = `INSERT INTO article_links (page, url)
  SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;

/** The watched links and their checks, in the database of the ledger. Every method rejects with `LedgerError`. */
export class Links {
  readonly #database: Database;

  /** The executor is that of the ledger, which closes it. */
  constructor(executor: SqlExecutor) {
    this.#database = withLedgerErrors(executor);
  }

  /** Reads what is known of every link that was checked, by its address. A row that cannot be read is left out. */
  async readAll(): Promise<ReadonlyMap<string, LinkRecord>> {
    const rows = await this.#database.read('SELECT record FROM links ORDER BY url');
    return new Map(
      rows.flatMap((row): [string, LinkRecord][] => {
        const { data } = recordSchema.safeParse(parseJson(row['record']));
        return data === undefined ? [] : [[data.url, data]];
      }),
    );
  }

  /** Counts the checked links by state. */
  async countStates(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.read('SELECT state, count(*) AS count FROM links GROUP BY state');
    return new Map(rows.map((row) => [String(row['state']), Number(row['count'])]));
  }

  /** Stores what is known of a link. With `check`, adds the check to those of the link; `named`: ids that content names. */
  async write(
    record: LinkRecord,
    check?: { readonly id: string; readonly isChange: boolean },
    named: readonly string[] = [],
  ): Promise<void> {
    const { url, state, checkedAt, dueAt, evidence } = record;
    const statements: SqlStatement[] = [
      { sql: WRITE, values: [url, state, checkedAt, dueAt, JSON.stringify(record)] },
    ];
    if (check !== undefined) {
      const seen = evidence?.id === check.id ? JSON.stringify(evidence) : null;
      const values = [check.id, url, checkedAt, state, record.reason, Number(check.isChange), seen];
      statements.push(
        { sql: ADD_CHECK, values },
        { sql: REMOVE_CHECKS, values: [url, JSON.stringify(named), url] },
      );
    }
    await this.#database.batch(statements);
  }

  /** Removes what is known of links that no page and no partner has any more; their evidence stays. */
  async removeOthers(urls: readonly string[]): Promise<void> {
    const list = JSON.stringify(urls);
    const others = 'url NOT IN (SELECT value FROM json_each(?))';
    await this.#database.batch([
      { sql: `DELETE FROM links WHERE ${others}`, values: [list] },
      { sql: `DELETE FROM link_checks WHERE evidence IS NULL AND ${others}`, values: [list] },
    ]);
  }

  /** Reads checks by their ids, the newest first; what is not stored is left out. */
  async findChecks(ids: readonly string[]): Promise<readonly StoredCheck[]> {
    const sql =
      'SELECT * FROM link_checks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY checked_at DESC';
    const rows = await this.#database.read(sql, JSON.stringify(ids));
    return rows.flatMap((row) => checkRow.safeParse(renameColumns(row)).data ?? []);
  }

  /**
   * Notes that a host is sent a request now, unless it was sent one less than `pauseMs` ago: false then. Of several
   * processes, one gets true.
   */
  async claimHost(host: string, now: number, pauseMs: number): Promise<boolean> {
    return (await this.#database.change(CLAIM_HOST, host, now, pauseMs)) > 0;
  }

  /** Notes further hosts to which a request was sent. */
  async noteHosts(hosts: readonly string[], now: number): Promise<void> {
    await this.#database.batch(hosts.map((host) => ({ sql: NOTE_HOST, values: [host, now] })));
  }

  /**
   * Reads robots.txt of a host with the time of its reading (ms since 1970); null when it never was read. `text` is null
   * when it could not be.
   */
  async readRobots(host: string) {
    const sql = 'SELECT robots_at, robots FROM link_hosts WHERE host = ? AND robots_at IS NOT NULL';
    const row = await this.#database.readRow(sql, host);
    if (row === undefined) return null;
    const { robots } = row;
    return { at: Number(row['robots_at']), text: typeof robots === 'string' ? robots : null };
  }

  /** Stores robots.txt of a host; null when it could not be read. */
  async writeRobots(host: string, text: string | null, now: number): Promise<void> {
    await this.#database.change(WRITE_ROBOTS, host, now, now, text);
  }

  /** Reads the links in the text of articles. */
  async readArticleLinks(): Promise<readonly PageLink[]> {
    const rows = await this.#database.read('SELECT page, url FROM article_links ORDER BY url, page');
    return rows.map((row) => ({ page: String(row['page']), url: String(row['url']) }));
  }

  /** Replaces the links in the text of articles. */
  async writeArticleLinks(links: readonly PageLink[]): Promise<void> {
    const rows = links.map(({ page, url }) => [page, url]);
    await this.#database.batch([
      { sql: 'DELETE FROM article_links' },
      ...buildListStatements(ADD_PAGE_LINKS, rows),
    ]);
  }
}
