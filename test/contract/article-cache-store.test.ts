import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryArticleStore } from '../../src/sources/articles/cache/memory-article-cache-store.ts';
import { createSqliteArticleStore } from '../../src/stores/node-databases.ts';
import {
  buildTestArticle,
  describeArticleCacheStore,
  describeSharedArticleCache,
} from './article-cache-store.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'article-cache-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const file = () => path.join(dir, 'articles.db');
const failOnReport = (message: string) => expect.fail(message);

describeArticleCacheStore('memory', createMemoryArticleStore);
describeArticleCacheStore('sqlite', () => createSqliteArticleStore(file(), failOnReport));
describeSharedArticleCache('sqlite', () => createSqliteArticleStore(file(), failOnReport));

it('the next process reads the copies of the SQLite file', async () => {
  const first = createSqliteArticleStore(file(), failOnReport);
  await first.write([buildTestArticle('a')]);
  await first.writePage({ page: 1, limit: 12, slugs: ['a'], hasMore: false });
  await first.close();
  const second = createSqliteArticleStore(file(), failOnReport);
  expect(await second.readArticle('a')).toEqual(buildTestArticle('a'));
  expect(await second.readPages()).toHaveLength(1);
  await second.close();
});

const DAMAGE: Readonly<Record<string, (name: string) => void>> = {
  'is not a database': (name) => writeFileSync(name, 'not a database at all, and long enough to see it'),
  'has an unknown schema version': (name) => {
    const db = new DatabaseSync(name);
    db.exec('CREATE TABLE other (a); PRAGMA user_version = 99');
    db.close();
  },
};

it.each(Object.keys(DAMAGE))('a file that %s is quarantined and replaced', async (kind) => {
  DAMAGE[kind]?.(file());
  const reports: string[] = [];
  const store = createSqliteArticleStore(file(), (message) => reports.push(message));
  await store.write([buildTestArticle('a')]);
  expect(await store.readArticle('a')).not.toBeNull();
  await store.close();
  expect(reports).toHaveLength(1);
  expect(readdirSync(dir)).toContain(path.basename(reports[0] ?? 'none'));
});

it('migrates the articles of a file of schema version 1, which count as outdated', async () => {
  const { content, contents: _, splitAt: __, ...card } = buildTestArticle('a');
  const db = new DatabaseSync(file());
  db.exec(`
    CREATE TABLE articles (slug TEXT PRIMARY KEY, published_at TEXT NOT NULL, card TEXT NOT NULL, content TEXT, body_of TEXT) STRICT;
    CREATE INDEX articles_newest ON articles (published_at DESC, slug);
    CREATE TABLE pages (key TEXT PRIMARY KEY, slugs TEXT NOT NULL, has_more INTEGER NOT NULL) STRICT;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    INSERT INTO facts VALUES ('complete', 'yes');
    PRAGMA user_version = 1;
  `);
  const insert = db.prepare('INSERT INTO articles VALUES (?, ?, ?, ?, ?)');
  insert.run('a', card.publishedAt, JSON.stringify(card), content, card.updatedAt);
  insert.run('b', card.publishedAt, JSON.stringify({ ...card, slug: 'b' }), null, null);
  db.close();
  const store = createSqliteArticleStore(file(), failOnReport);
  const summaries = await store.readSummaries();
  expect(summaries.map(({ summary, bodyVersion }) => [summary.slug, bodyVersion])).toEqual([
    ['a', ''],
    ['b', null],
  ]);
  const article = await store.readArticle('a');
  expect(article?.content.slice(0, article.splitAt)).toBe(content);
  expect(await store.readIsComplete()).toBe(true);
  await store.close();
});

it('takes over the articles of a file of schema version 3, which count as outdated', async () => {
  const { content, contents, splitAt, ...summary } = buildTestArticle('a');
  const db = new DatabaseSync(file());
  db.exec(`
    CREATE TABLE articles (slug TEXT PRIMARY KEY, published_at TEXT NOT NULL, summary TEXT NOT NULL, content TEXT,
      outline TEXT, body_version TEXT) STRICT;
    CREATE INDEX articles_newest ON articles (published_at DESC, slug);
    CREATE TABLE pages (page INTEGER, page_size INTEGER, slugs TEXT, has_more INTEGER, PRIMARY KEY (page, page_size)) STRICT;
    CREATE TABLE source_state (is_complete INTEGER NOT NULL) STRICT;
    INSERT INTO source_state VALUES (1);
    PRAGMA user_version = 3;
  `);
  db.prepare('INSERT INTO articles VALUES (?, ?, ?, ?, ?, ?)').run(
    'a',
    summary.publishedAt,
    JSON.stringify(summary),
    content,
    JSON.stringify({ contents, splitAt }),
    summary.updatedAt,
  );
  db.close();
  for (let time = 0; time < 2; time++) {
    const store = createSqliteArticleStore(file(), failOnReport);
    expect(await store.readSummaries()).toEqual([{ summary, bodyVersion: '' }]);
    expect(await store.readArticle('a')).toEqual(buildTestArticle('a'));
    expect(await store.readIsComplete()).toBe(true);
    await store.close();
  }
});

it('a write of several articles is rolled back as a whole when one fails', async () => {
  const store = createSqliteArticleStore(file(), failOnReport);
  const broken = { ...buildTestArticle('b'), publishedAt: undefined as unknown as string };
  await expect(store.write([buildTestArticle('a'), broken])).rejects.toThrow();
  expect(await store.readSummaries()).toEqual([]);
  await store.write([buildTestArticle('a')]);
  await store.close();
});

it.each([
  ['no JSON', 'summary', '{'],
  ['a summary without a title', 'summary', '{"slug":"one"}'],
  ['an outline without contents', 'outline', '{"splitAt":1}'],
])('a stored article with %s counts as missing', async (_, column, text) => {
  const target = file();
  const store = createSqliteArticleStore(target, () => undefined);
  await store.write([buildTestArticle('one'), buildTestArticle('two')]);
  const db = new DatabaseSync(target);
  db.prepare(`UPDATE articles SET ${column} = ? WHERE slug = 'one'`).run(text);
  db.close();
  expect(await store.readArticle('one')).toBeNull();
  expect((await store.readArticlesAfter('', 9)).map(({ slug }) => slug)).toEqual(['two']);
  expect((await store.readSummaries()).map(({ summary }) => summary.slug)).toContain('two');
  await store.close();
});
