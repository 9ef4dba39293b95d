import { z } from 'zod';
import type { Article, ArticleListPage, ArticleSummary } from '../core/articles/article.ts';
import type { ArticleListQuery } from '../core/articles/article-source.ts';
import { DELETION_WINDOW_MS } from '../core/articles/held-deletions.ts';
import { parseJson } from '../core/text/parse-text.ts';
import {
  Database,
  type SqlExecutor,
  type SqlResult,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
} from './sql/sql-executor.ts';
import { buildListStatements } from './sql/statements.ts';

/** A page of the source's list: which articles are on it, in which order. */
export interface StoredPage extends ArticleListQuery {
  readonly slugs: readonly string[];
  readonly hasMore: boolean;
}

/** A stored article without its body, and the version of the body. */
export interface StoredSummary {
  readonly summary: ArticleSummary;
  /** `updatedAt` of the article that the stored body belongs to; null: no body is stored. */
  readonly bodyVersion: string | null;
}

/** An article that its source no longer has. */
export interface MissingArticle {
  /**
   * `held`: it is still shown. `accepted`: the operator has confirmed that it is gone. `removed`: it was removed within
   * the last day.
   */
  readonly state: 'held' | 'accepted' | 'removed';
  /** When it was missed, or removed; ms since 1970. */
  readonly since: number;
}

/** Whether an item of a list is a whole article. */
export function isArticle(item: ArticleSummary | Article): item is Article {
  return 'content' in item;
}

/** Builds the summary of an article: everything but its body. */
export function buildSummary(item: ArticleSummary | Article): ArticleSummary {
  if (!isArticle(item)) return item;
  const { content: _, contents: __, splitAt: ___, evidence: ____, ...summary } = item;
  return summary;
}

/** Cuts one page out of a list. */
export function slicePage(
  summaries: readonly ArticleSummary[],
  { page, limit }: ArticleListQuery,
): ArticleListPage {
  const end = page * limit;
  return { articles: summaries.slice(end - limit, end), hasMore: summaries.length > end };
}

/** A summary has no body: it leaves the stored one as it is. What is equal is not written. */
const WRITE_ARTICLES = `INSERT INTO articles (slug, published_at, summary, content, outline, body_version)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?) WHERE true
  ON CONFLICT (slug) DO UPDATE SET published_at = excluded.published_at, summary = excluded.summary,
    content = coalesce(excluded.content, content), outline = coalesce(excluded.outline, outline),
    body_version = coalesce(excluded.body_version, body_version)
  WHERE excluded.summary <> summary OR excluded.published_at <> published_at
    OR (excluded.content IS NOT NULL AND (content, outline, body_version)
      IS NOT (excluded.content, excluded.outline, excluded.body_version))`;
const PRUNE_PAGES =
  'DELETE FROM pages WHERE rowid NOT IN (SELECT rowid FROM pages ORDER BY rowid DESC LIMIT ?)';
const PRUNE_ARTICLES = `DELETE FROM articles WHERE slug IN (
  SELECT slug FROM (
    SELECT slug,
      row_number() OVER newest AS position,
      sum(coalesce(octet_length(content), 0)) OVER newest AS bytes
    FROM articles WINDOW newest AS (ORDER BY published_at DESC, slug)
  ) WHERE position > ? OR bytes > ?
) RETURNING slug`;
const WRITE_PAGE = `INSERT OR REPLACE INTO pages (page, page_size, slugs, has_more)
  SELECT * FROM (SELECT ? AS page, ? AS page_size, ? AS slugs, ? AS has_more) AS next
  WHERE NOT EXISTS (SELECT 1 FROM pages AS known WHERE known.page = next.page AND known.page_size = next.page_size
    AND known.slugs = next.slugs AND known.has_more = next.has_more)`;
const LISTED = 'SELECT value FROM json_each(?)';
const ADD_REMOVED = `INSERT INTO missing_articles (slug, since, state)
  SELECT value, ?, 'removed' FROM json_each(?) WHERE true`;
const ADD_HELD = `INSERT INTO missing_articles (slug, since, state)
  SELECT value, ?, 'held' FROM json_each(?) WHERE true
  ON CONFLICT (slug) DO UPDATE SET since = excluded.since, state = 'held' WHERE state = 'removed'`;
const ACCEPT_HELD = "UPDATE missing_articles SET state = 'accepted' WHERE state = 'held' RETURNING slug";
/** Follows a statement: what has changed nothing is no write that others would have to read. */
const COUNT_WRITE = {
  sql: 'UPDATE source_state SET writes = writes + 1 WHERE changes() > 0 RETURNING writes',
};

/** A crawl that was not finished after this time has ended with its instance. */
const LEASE_MS = 900_000;
/** No crawl is due as late: such a time was stored while a clock was wrong. */
const MAX_DUE_MS = 86_400_000;

const TAKE_CRAWL = `UPDATE source_state SET crawl_due_at = ?
  WHERE crawl_due_at <= ? OR crawl_due_at > ? RETURNING last_crawl_at`;
const FINISH_CRAWL = 'UPDATE source_state SET crawl_due_at = ?, last_crawl_at = ?';
const IS_OTHER = "(SELECT source FROM source_state) NOT IN ('', ?)";

/**
 * The last good copies of articles, which outlive the process, with the tables of `migrations/articles`. Rejects with
 * `SqlError` when they cannot be read or written right now.
 */
export class ArticleCopies {
  readonly #database: Database;
  /** How often the copies had been written when this store last knew; null before its first call. */
  #writes: number | null = null;
  #hasForeignChange = false;

  constructor(executor: SqlExecutor) {
    this.#database = new Database(executor);
  }

  /** Reads every stored article, newest first. */
  async readSummaries(): Promise<readonly StoredSummary[]> {
    const sql = 'SELECT summary, body_version FROM articles ORDER BY published_at DESC, slug';
    return parseSummaryRows(await this.#read(sql));
  }

  /** Resolves with null when the article or its body is not stored. */
  async readArticle(slug: string): Promise<Article | null> {
    const sql = 'SELECT summary, content, outline FROM articles WHERE slug = ? AND content IS NOT NULL';
    const [row] = await this.#read(sql, slug);
    return row === undefined ? null : parseArticleRow(row);
  }

  /** Stores summaries and whole articles; a summary leaves the stored body as it is. */
  async write(items: readonly (ArticleSummary | Article)[]): Promise<void> {
    await this.#write(buildListStatements(WRITE_ARTICLES, items.map(buildRow)));
  }

  async remove(slug: string): Promise<void> {
    await this.#write([{ sql: 'DELETE FROM articles WHERE slug = ?', values: [slug] }]);
  }

  /** Removes articles that are gone. `removedAt`: when, if they count as deletions of a day; null: they do not count. */
  async removeGone(slugs: readonly string[], removedAt: number | null): Promise<void> {
    const list = JSON.stringify(slugs);
    await this.#write([
      { sql: `DELETE FROM articles WHERE slug IN (${LISTED})`, values: [list] },
      { sql: `DELETE FROM missing_articles WHERE slug IN (${LISTED})`, values: [list] },
      ...(removedAt === null ? [] : [{ sql: ADD_REMOVED, values: [removedAt, list] }]),
      {
        sql: "DELETE FROM missing_articles WHERE state = 'removed' AND since < ?",
        values: [(removedAt ?? 0) - DELETION_WINDOW_MS],
      },
    ]);
  }

  /** Reads the articles that the source no longer has, by slug. */
  async readMissing(): Promise<ReadonlyMap<string, MissingArticle>> {
    const rows = await this.#read('SELECT slug, since, state FROM missing_articles');
    return new Map(
      rows.flatMap((row) => {
        const { data } = missingSchema.safeParse(row);
        return data ? [[data.slug, { since: data.since, state: data.state }]] : [];
      }),
    );
  }

  /** Stores which articles are held now; those that were and are there again are forgotten. */
  async writeHeld(slugs: readonly string[], since: number): Promise<void> {
    const list = JSON.stringify(slugs);
    await this.#write([
      {
        sql: `DELETE FROM missing_articles WHERE state <> 'removed' AND slug NOT IN (${LISTED})`,
        values: [list],
      },
      { sql: ADD_HELD, values: [since, list] },
    ]);
  }

  /** Accepts the held deletions: the articles are removed when the source is read next. Returns their number. */
  async acceptHeld(): Promise<number> {
    const [accepted] = await this.#write([{ sql: ACCEPT_HELD }]);
    return accepted?.rows.length ?? 0;
  }

  /** Reads the stored pages; the page written last comes last. */
  async readPages(): Promise<readonly StoredPage[]> {
    const rows = await this.#read('SELECT page, page_size, slugs, has_more FROM pages ORDER BY rowid');
    return rows.map((row) => ({
      page: Number(row['page']),
      limit: Number(row['page_size']),
      slugs: parseAs(row['slugs'], z.array(text)) ?? [],
      hasMore: row['has_more'] === 1,
    }));
  }

  async writePage({ page, limit, slugs, hasMore }: StoredPage): Promise<void> {
    await this.#write([{ sql: WRITE_PAGE, values: [page, limit, JSON.stringify(slugs), Number(hasMore)] }]);
  }

  /** Reads whether every page of the source has been read once. */
  async readIsComplete(): Promise<boolean> {
    const [row] = await this.#read('SELECT is_complete FROM source_state');
    return row?.['is_complete'] === 1;
  }

  async writeIsComplete(): Promise<void> {
    await this.#write([{ sql: 'UPDATE source_state SET is_complete = 1 WHERE is_complete = 0' }]);
  }

  /** Removes the oldest articles and pages until no bound is exceeded; returns the removed slugs. `maxBytes`: of all bodies. */
  async prune(maxArticles: number, maxPages: number, maxBytes: number): Promise<readonly string[]> {
    const [, removed] = await this.#write([
      { sql: PRUNE_PAGES, values: [maxPages] },
      { sql: PRUNE_ARTICLES, values: [maxArticles, maxBytes] },
    ]);
    return (removed?.rows ?? []).map((row) => String(row['slug']));
  }

  /** Whether another process has written since the last call; then everything has to be read again. */
  async takeForeignChange(): Promise<boolean> {
    const known = this.#writes;
    this.#writes = await this.#readWrites();
    const isChanged = this.#hasForeignChange || (known !== null && known !== this.#writes);
    this.#hasForeignChange = false;
    return isChanged;
  }

  /**
   * Takes the crawl when it is due at `now` (ms since 1970). Resolves with the time of the last one (0: never); null: it
   * is not due, or another instance has taken it.
   */
  async takeCrawl(now: number): Promise<number | null> {
    const row = await this.#database.changeRow(TAKE_CRAWL, now + LEASE_MS, now, now + MAX_DUE_MS);
    return row ? Number(row['last_crawl_at']) : null;
  }

  /** Stores when the crawl that was taken had begun, and when the next one is due. */
  async finishCrawl(startedAt: number, dueAt: number): Promise<void> {
    await this.#database.change(FINISH_CRAWL, dueAt, startedAt);
  }

  /** Reads the name of the source that the copies are from; empty before the first one. */
  async readSource(): Promise<string> {
    const state = await this.#database.readRow('SELECT source FROM source_state');
    return String(state?.['source'] ?? '');
  }

  /** Removes the copies of another source than this one, and what its search has of them. */
  async removeOthers(source: string): Promise<void> {
    if ((await this.readSource()) === source) return;
    await this.#database.batch([
      { sql: `DELETE FROM articles WHERE ${IS_OTHER}`, values: [source] },
      { sql: `DELETE FROM article_search WHERE ${IS_OTHER}`, values: [source] },
      { sql: `DELETE FROM pages WHERE ${IS_OTHER}`, values: [source] },
      { sql: `DELETE FROM missing_articles WHERE ${IS_OTHER}`, values: [source] },
      {
        sql: `UPDATE source_state SET source = ?, is_complete = 0, writes = writes + 1, crawl_due_at = 0,
          last_crawl_at = 0 WHERE source <> ?`,
        values: [source, source],
      },
    ]);
  }

  async #readWrites(): Promise<number> {
    const row = await this.#database.readRow('SELECT writes FROM source_state');
    return Number(row?.['writes']);
  }

  async #read(sql: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    this.#writes ??= await this.#readWrites();
    return this.#database.read(sql, ...values);
  }

  /** Runs statements in one transaction and counts those that have changed something. */
  async #write(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const results = await this.#database.batch(statements.flatMap((one) => [one, COUNT_WRITE]));
    const counts = results.filter((_, index) => index % 2 === 1).flatMap(({ rows }) => rows);
    const writes = Number(counts.at(-1)?.['writes'] ?? this.#writes);
    if (this.#writes !== null && writes !== this.#writes + counts.length) this.#hasForeignChange = true;
    if (counts.length > 0) this.#writes = writes;
    return results.filter((_, index) => index % 2 === 0);
  }
}

function buildRow(item: ArticleSummary | Article): readonly (string | null)[] {
  const head = [item.slug, item.publishedAt, JSON.stringify(buildSummary(item))];
  if (!isArticle(item)) return [...head, null, null, null];
  const { content, contents, splitAt, updatedAt } = item;
  return [...head, content, JSON.stringify({ contents, splitAt }), updatedAt];
}

const text = z.string();
const entryFields = { id: text, text };
const imageSchema = z.object({
  src: text,
  width: z.number(),
  height: z.number(),
  sources: z.array(z.object({ type: text, srcset: text })),
  alt: text,
  focus: z.object({ x: z.number(), y: z.number() }).optional(),
  isUnsized: z.boolean().optional(),
  caption: text.optional(),
});
const summarySchema: z.ZodType<ArticleSummary> = z.object({
  id: text,
  slug: text,
  title: text,
  excerpt: text,
  featuredImage: imageSchema.nullable(),
  categories: z.array(text),
  tags: z.array(text),
  author: text,
  publishedAt: text,
  updatedAt: text,
  readingTime: z.number(),
  seoTitle: text,
  seoDescription: text,
  partner: text,
  canonicalUrl: text.optional(),
});
const missingSchema = z.object({
  slug: text,
  since: z.number(),
  state: z.enum(['held', 'accepted', 'removed']),
});
const outlineSchema: z.ZodType<Pick<Article, 'contents' | 'splitAt'>> = z.object({
  contents: z.array(z.object({ ...entryFields, children: z.array(z.object(entryFields)) })),
  splitAt: z.number(),
});

/** Reads stored summaries. One that is not as this version writes it is left out: the copy counts as missing. */
function parseSummaryRows(rows: readonly SqlRow[]): StoredSummary[] {
  return rows.flatMap((row) => {
    const summary = parseAs(row['summary'], summarySchema);
    const version = row['body_version'];
    return summary ? [{ summary, bodyVersion: typeof version === 'string' ? version : null }] : [];
  });
}

function parseArticleRow(row: SqlRow): Article | null {
  const summary = parseAs(row['summary'], summarySchema);
  const outline = parseAs(row['outline'], outlineSchema);
  return summary && outline && { ...summary, content: String(row['content']), ...outline };
}

const parseAs = <T>(json: unknown, schema: z.ZodType<T>): T | null =>
  schema.safeParse(parseJson(json)).data ?? null;
