import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryArticleStore } from '../../src/adapters/articles/cache/memory-store.ts';
import { createSqliteArticleStore } from '../../src/adapters/articles/cache/sqlite-store.ts';
import { buildTestArticle, describeArticleCacheStore } from './article-cache-store.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'article-cache-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const file = () => path.join(dir, 'articles.db');
const never = () => expect.fail('the file was replaced');

describeArticleCacheStore('memory', () => ({ store: createMemoryArticleStore(), clean: () => undefined }));
describeArticleCacheStore('sqlite', () => ({
  store: createSqliteArticleStore(file(), never),
  clean: () => undefined,
}));

describe('the file', () => {
  it('outlives the process', async () => {
    const first = createSqliteArticleStore(file(), never);
    await first.write([buildTestArticle('a')]);
    await first.writePage({ key: '1:12', slugs: ['a'], hasMore: false });
    await first.close();
    const second = createSqliteArticleStore(file(), never);
    expect(await second.readArticle('a')).toEqual(buildTestArticle('a'));
    expect(await second.readPages()).toHaveLength(1);
    await second.close();
  });

  it.each([
    [
      'no database',
      (name: string) => writeFileSync(name, 'not a database at all, and long enough to see it'),
    ],
    [
      'of another form',
      (name: string) => {
        const db = new DatabaseSync(name);
        db.exec('CREATE TABLE other (a); PRAGMA user_version = 99');
        db.close();
      },
    ],
  ])('that is %s is kept aside and made anew', async (_, spoil) => {
    spoil(file());
    const replaced: string[] = [];
    const store = createSqliteArticleStore(file(), (kept) => replaced.push(kept));
    await store.write([buildTestArticle('a')]);
    expect(await store.readArticle('a')).not.toBeNull();
    await store.close();
    expect(replaced).toEqual([`${file()}.set-aside`]);
    expect(existsSync(`${file()}.set-aside`)).toBe(true);
  });

  it('rolls back what could not be written whole', async () => {
    const store = createSqliteArticleStore(file(), never);
    const broken = { ...buildTestArticle('b'), publishedAt: undefined as unknown as string };
    await expect(store.write([buildTestArticle('a'), broken])).rejects.toThrow();
    expect(await store.readCards()).toEqual([]);
    await store.write([buildTestArticle('a')]);
    await store.close();
  });
});
