import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { ArticleCopies } from '../../src/stores/article-copies.ts';
import { openArticleDatabase } from '../../src/stores/node-databases.ts';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import { createFolder } from '../support/create-folder.ts';
import { buildTestArticle, describeArticleCopies } from './article-cache-store.ts';

let dir = '';
beforeEach(() => {
  dir = createFolder();
});
const file = () => path.join(dir, 'articles.db');
const failOnReport = (message: string) => expect.fail(message);

describeArticleCopies('node:sqlite in memory', () => openMemoryExecutor('articles'));

/** Runs `use` on the copies of a file, and closes it. */
async function withFile(report: (message: string) => void, use: (copies: ArticleCopies) => Promise<void>) {
  const executor = openArticleDatabase(file(), report);
  await use(new ArticleCopies(executor)).finally(() => executor.close());
}

it('the next process reads the copies of the SQLite file', async () => {
  await withFile(failOnReport, async (copies) => {
    await copies.write([buildTestArticle('a')]);
    await copies.writePage({ page: 1, limit: 12, slugs: ['a'], hasMore: false });
  });
  await withFile(failOnReport, async (copies) => {
    expect(await copies.readArticle('a')).toEqual(buildTestArticle('a'));
    expect(await copies.readPages()).toHaveLength(1);
  });
});

function writeVersion(name: string, version: number): void {
  const db = new DatabaseSync(name);
  db.exec(`CREATE TABLE articles (a); PRAGMA user_version = ${version}`);
  db.close();
}

const DAMAGE: Readonly<Record<string, (name: string) => void>> = {
  'is not a database': (name) => writeFileSync(name, 'not a database at all, and long enough to see it'),
  'is of a version that is no longer read': (name) => writeVersion(name, 3),
  'has no schema version': (name) => writeVersion(name, 0),
};

it.each(Object.keys(DAMAGE))('a file that %s is quarantined and replaced', async (kind) => {
  DAMAGE[kind]?.(file());
  const reports: string[] = [];
  await withFile(
    (message) => reports.push(message),
    async (copies) => {
      await copies.write([buildTestArticle('a')]);
      expect(await copies.readArticle('a')).not.toBeNull();
    },
  );
  expect(reports).toHaveLength(1);
  expect(readdirSync(dir)).toContain(path.basename(reports[0] ?? 'none'));
});

it('a file of a later version is refused and stays as it is', () => {
  writeVersion(file(), 99);
  expect(() => openArticleDatabase(file(), failOnReport)).toThrow('use the newer program');
  expect(readdirSync(dir)).toEqual(['articles.db']);
});

it('a write of several articles is rolled back as a whole when one fails', async () => {
  const copies = new ArticleCopies(openMemoryExecutor('articles'));
  const broken = { ...buildTestArticle('b'), publishedAt: undefined as unknown as string };
  await expect(copies.write([buildTestArticle('a'), broken])).rejects.toThrow();
  expect(await copies.readSummaries()).toEqual([]);
  await copies.write([buildTestArticle('a')]);
});

it.each([
  ['no JSON', 'summary', '{'],
  ['a summary without a title', 'summary', '{"slug":"one"}'],
  ['an outline without contents', 'outline', '{"splitAt":1}'],
])('a stored article with %s counts as missing', async (_, column, text) => {
  const executor = openMemoryExecutor('articles');
  const copies = new ArticleCopies(executor);
  await copies.write([buildTestArticle('one'), buildTestArticle('two')]);
  await executor.batch([{ sql: `UPDATE articles SET ${column} = ? WHERE slug = 'one'`, values: [text] }]);
  expect(await copies.readArticle('one')).toBeNull();
  expect(await copies.readArticle('two')).not.toBeNull();
  expect((await copies.readSummaries()).map(({ summary }) => summary.slug)).toContain('two');
});
