import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Article, ArticleCard } from '../../../core/articles/article.ts';
import {
  type ArticleCacheStore,
  buildCard,
  isWholeArticle,
} from '../../../core/articles/article-cache-store.ts';
import { openArticleDatabase } from './article-database.ts';

type Row = Record<string, SQLOutputValue>;

/** Creates the store in one SQLite file. Throws when the file cannot be opened or made. */
export function createSqliteArticleStore(
  file: string,
  onReplaced: (kept: string) => void,
): ArticleCacheStore {
  const db = openArticleDatabase(file, onReplaced);
  const putCard = db.prepare(
    `INSERT INTO articles (slug, published_at, card) VALUES (?, ?, ?)
     ON CONFLICT (slug) DO UPDATE SET published_at = excluded.published_at, card = excluded.card`,
  );
  const putBody = db.prepare('UPDATE articles SET content = ?, body_of = ? WHERE slug = ?');
  const putPage = db.prepare('INSERT OR REPLACE INTO pages (key, slugs, has_more) VALUES (?, ?, ?)');
  const putFact = db.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)');
  const allCards = db.prepare('SELECT card, body_of FROM articles ORDER BY published_at DESC, slug');
  const oneArticle = db.prepare('SELECT card, content FROM articles WHERE slug = ? AND content IS NOT NULL');
  const articlesAfter = db.prepare(
    'SELECT card, content FROM articles WHERE slug > ? AND content IS NOT NULL ORDER BY slug LIMIT ?',
  );
  const writeItem = (item: ArticleCard | Article) => {
    putCard.run(item.slug, item.publishedAt, JSON.stringify(buildCard(item)));
    if (isWholeArticle(item)) putBody.run(item.content, item.updatedAt, item.slug);
  };
  return {
    readCards: async () =>
      allCards.all().map((row) => ({ card: cardOf(row), bodyOf: textOrNull(row['body_of']) })),
    readArticle: async (slug) => {
      const row = oneArticle.get(slug);
      return row ? articleOf(row) : null;
    },
    readArticlesAfter: async (slug, count) => articlesAfter.all(slug, count).map(articleOf),
    write: async (items) => inTransaction(db, () => items.forEach(writeItem)),
    remove: async (slug) => {
      db.prepare('DELETE FROM articles WHERE slug = ?').run(slug);
    },
    readPages: async () =>
      db
        .prepare('SELECT key, slugs, has_more FROM pages ORDER BY rowid')
        .all()
        .map((row) => ({
          key: String(row['key']),
          slugs: JSON.parse(String(row['slugs'])) as readonly string[],
          hasMore: row['has_more'] === 1,
        })),
    writePage: async ({ key, slugs, hasMore }) => {
      putPage.run(key, JSON.stringify(slugs), hasMore ? 1 : 0);
    },
    readFact: async (name) =>
      textOrNull(db.prepare('SELECT value FROM facts WHERE name = ?').get(name)?.['value']),
    writeFact: async (name, value) => {
      putFact.run(name, value);
    },
    prune: async (bounds) => inTransaction(db, () => prune(db, bounds)),
    close: async () => {
      db.close();
    },
  };
}

function prune(
  db: DatabaseSync,
  bounds: { readonly articles: number; readonly pages: number; readonly bytes: number },
): readonly string[] {
  db.prepare(
    'DELETE FROM pages WHERE rowid NOT IN (SELECT rowid FROM pages ORDER BY rowid DESC LIMIT ?)',
  ).run(bounds.pages);
  const dropped = db
    .prepare(
      `DELETE FROM articles WHERE slug IN (
         SELECT slug FROM (
           SELECT slug,
             row_number() OVER newest AS place,
             sum(coalesce(octet_length(content), 0)) OVER newest AS bytes
           FROM articles WINDOW newest AS (ORDER BY published_at DESC, slug)
         ) WHERE place > ? OR bytes > ?
       ) RETURNING slug`,
    )
    .all(bounds.articles, bounds.bytes);
  return dropped.map((row) => String(row['slug']));
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

function articleOf(row: Row): Article {
  return { ...cardOf(row), content: String(row['content']) };
}

/** What this store wrote itself; the schema was checked on the way in. */
function cardOf(row: Row): ArticleCard {
  return JSON.parse(String(row['card'])) as ArticleCard;
}

function textOrNull(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
