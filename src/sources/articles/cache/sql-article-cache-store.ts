import type { Article, ArticleSummary } from '../../../core/articles/article.ts';
import {
  type ArticleCacheStore,
  buildSummary,
  type CacheBounds,
  isArticle,
  type StoredPage,
  type StoredSummary,
} from '../../../core/articles/article-cache-store.ts';
import { buildJsonLists } from '../../../stores/sql/build-json-lists.ts';
import type { SqlExecutor, SqlResult, SqlRow, SqlStatement } from '../../../stores/sql/sql-executor.ts';
import { parseArticleRows, parseSlugs, parseSummaryRows } from './article-row.ts';

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
/** Follows a statement: what has changed nothing is no write that others would have to read. */
const COUNT_WRITE = {
  sql: 'UPDATE source_state SET writes = writes + 1 WHERE changes() > 0 RETURNING writes',
};

/** The copies of articles over any SQL executor with the tables of `migrations/articles`; it closes the executor. */
export class SqlArticleCacheStore implements ArticleCacheStore {
  readonly #executor: SqlExecutor;
  /** How often the copies had been written when this store last knew; null before its first call. */
  #writes: number | null = null;
  #hasForeignChange = false;

  constructor(executor: SqlExecutor) {
    this.#executor = executor;
  }

  async readSummaries(): Promise<readonly StoredSummary[]> {
    const sql = 'SELECT summary, body_version FROM articles ORDER BY published_at DESC, slug';
    return parseSummaryRows(await this.#read({ sql }));
  }

  async readArticle(slug: string): Promise<Article | null> {
    const sql = 'SELECT summary, content, outline FROM articles WHERE slug = ? AND content IS NOT NULL';
    const [article] = parseArticleRows(await this.#read({ sql, values: [slug] }));
    return article ?? null;
  }

  async readArticlesAfter(slug: string, count: number): Promise<readonly Article[]> {
    const sql = `SELECT summary, content, outline FROM articles
      WHERE slug > ? AND content IS NOT NULL ORDER BY slug LIMIT ?`;
    return parseArticleRows(await this.#read({ sql, values: [slug, count] }));
  }

  async write(items: readonly (ArticleSummary | Article)[]): Promise<void> {
    const lists = buildJsonLists(items.map(buildRow));
    await this.#write(lists.map((list) => ({ sql: WRITE_ARTICLES, values: [list] })));
  }

  async remove(slug: string): Promise<void> {
    await this.#write([{ sql: 'DELETE FROM articles WHERE slug = ?', values: [slug] }]);
  }

  async readPages(): Promise<readonly StoredPage[]> {
    const rows = await this.#read({
      sql: 'SELECT page, page_size, slugs, has_more FROM pages ORDER BY rowid',
    });
    return rows.map((row) => ({
      page: Number(row['page']),
      limit: Number(row['page_size']),
      slugs: parseSlugs(row),
      hasMore: row['has_more'] === 1,
    }));
  }

  async writePage({ page, limit, slugs, hasMore }: StoredPage): Promise<void> {
    await this.#write([{ sql: WRITE_PAGE, values: [page, limit, JSON.stringify(slugs), Number(hasMore)] }]);
  }

  async readIsComplete(): Promise<boolean> {
    const [row] = await this.#read({ sql: 'SELECT is_complete FROM source_state' });
    return row?.['is_complete'] === 1;
  }

  async writeIsComplete(): Promise<void> {
    await this.#write([{ sql: 'UPDATE source_state SET is_complete = 1 WHERE is_complete = 0' }]);
  }

  async prune({ maxArticles, maxPages, maxBytes }: CacheBounds): Promise<readonly string[]> {
    const [, removed] = await this.#write([
      { sql: PRUNE_PAGES, values: [maxPages] },
      { sql: PRUNE_ARTICLES, values: [maxArticles, maxBytes] },
    ]);
    return (removed?.rows ?? []).map((row) => String(row['slug']));
  }

  async takeForeignChange(): Promise<boolean> {
    const known = this.#writes;
    this.#writes = await this.#readWrites();
    const isChanged = this.#hasForeignChange || (known !== null && known !== this.#writes);
    this.#hasForeignChange = false;
    return isChanged;
  }

  close(): Promise<void> {
    return this.#executor.close();
  }

  async #readWrites(): Promise<number> {
    const [row] = await this.#executor.query({ sql: 'SELECT writes FROM source_state' });
    return Number(row?.['writes']);
  }

  async #read(statement: SqlStatement): Promise<readonly SqlRow[]> {
    this.#writes ??= await this.#readWrites();
    return this.#executor.query(statement);
  }

  /** Runs statements in one transaction and counts those that have changed something. */
  async #write(statements: readonly SqlStatement[]): Promise<readonly SqlResult[]> {
    const results = await this.#executor.batch(statements.flatMap((one) => [one, COUNT_WRITE]));
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
