import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Article, ArticleSummary } from '../../../core/articles/article.ts';
import {
  type ArticleCacheStore,
  buildSummary,
  type CacheBounds,
  isArticle,
} from '../../../core/articles/article-cache-store.ts';
import { openArticleCacheDatabase } from './article-cache-database.ts';
import { parseArticleRows, parseSlugs, parseSummaryRows } from './article-row.ts';

/**
 * Creates the store in one SQLite file. Throws when the file cannot be opened or created. `onQuarantine` gets the new
 * name of a damaged file.
 */
export function createSqliteArticleStore(
  file: string,
  onQuarantine: (file: string) => void,
): ArticleCacheStore {
  const db = openArticleCacheDatabase(file, onQuarantine);
  const insertSummary = db.prepare(
    `INSERT INTO articles (slug, published_at, summary) VALUES (?, ?, ?)
     ON CONFLICT (slug) DO UPDATE SET published_at = excluded.published_at, summary = excluded.summary`,
  );
  const updateBody = db.prepare(
    'UPDATE articles SET content = ?, outline = ?, body_version = ? WHERE slug = ?',
  );
  const insertPage = db.prepare(
    'INSERT OR REPLACE INTO pages (page, page_size, slugs, has_more) VALUES (?, ?, ?, ?)',
  );
  const selectSummaries = db.prepare(
    'SELECT summary, body_version FROM articles ORDER BY published_at DESC, slug',
  );
  const selectArticle = db.prepare(
    'SELECT summary, content, outline FROM articles WHERE slug = ? AND content IS NOT NULL',
  );
  const selectArticlesAfter = db.prepare(
    `SELECT summary, content, outline FROM articles
     WHERE slug > ? AND content IS NOT NULL ORDER BY slug LIMIT ?`,
  );
  let dataVersion = readDataVersion(db);
  const writeItem = (item: ArticleSummary | Article) => {
    insertSummary.run(item.slug, item.publishedAt, JSON.stringify(buildSummary(item)));
    if (!isArticle(item)) return;
    const { slug, content, contents, splitAt, updatedAt } = item;
    updateBody.run(content, JSON.stringify({ contents, splitAt }), updatedAt, slug);
  };
  return {
    readSummaries: async () => parseSummaryRows(selectSummaries.all()),
    readArticle: async (slug) => parseArticleRows(selectArticle.all(slug))[0] ?? null,
    readArticlesAfter: async (slug, count) => parseArticleRows(selectArticlesAfter.all(slug, count)),
    write: async (items) => inTransaction(db, () => items.forEach(writeItem)),
    remove: async (slug) => {
      db.prepare('DELETE FROM articles WHERE slug = ?').run(slug);
    },
    readPages: async () =>
      db
        .prepare('SELECT page, page_size, slugs, has_more FROM pages ORDER BY rowid')
        .all()
        .map((row) => ({
          page: Number(row['page']),
          limit: Number(row['page_size']),
          slugs: parseSlugs(row),
          hasMore: row['has_more'] === 1,
        })),
    writePage: async ({ page, limit, slugs, hasMore }) => {
      insertPage.run(page, limit, JSON.stringify(slugs), hasMore ? 1 : 0);
    },
    readIsComplete: async () =>
      db.prepare('SELECT 1 FROM source_state WHERE is_complete = 1').get() !== undefined,
    writeIsComplete: async () => {
      db.exec('UPDATE source_state SET is_complete = 1');
    },
    prune: async (bounds) => inTransaction(db, () => prune(db, bounds)),
    takeForeignChange: async () => {
      const last = dataVersion;
      dataVersion = readDataVersion(db);
      return dataVersion !== last;
    },
    close: async () => {
      db.close();
    },
  };
}

/** Changes when another connection has committed. */
function readDataVersion(db: DatabaseSync): SQLOutputValue | undefined {
  return db.prepare('PRAGMA data_version').get()?.['data_version'];
}

function prune(db: DatabaseSync, { maxArticles, maxPages, maxBytes }: CacheBounds): readonly string[] {
  db.prepare(
    'DELETE FROM pages WHERE rowid NOT IN (SELECT rowid FROM pages ORDER BY rowid DESC LIMIT ?)',
  ).run(maxPages);
  const removed = db
    .prepare(
      `DELETE FROM articles WHERE slug IN (
         SELECT slug FROM (
           SELECT slug,
             row_number() OVER newest AS position,
             sum(coalesce(octet_length(content), 0)) OVER newest AS bytes
           FROM articles WINDOW newest AS (ORDER BY published_at DESC, slug)
         ) WHERE position > ? OR bytes > ?
       ) RETURNING slug`,
    )
    .all(maxArticles, maxBytes);
  return removed.map((row) => String(row['slug']));
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
