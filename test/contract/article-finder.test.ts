import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import { ArticleSearch } from '../../src/adapters/articles/article-search.ts';
import { SqlArticleCacheStore } from '../../src/adapters/articles/cache/sql-article-cache-store.ts';
import { SqlArticleSearch } from '../../src/adapters/articles/search/sql-article-search.ts';
import { NodeSqliteExecutor } from '../../src/adapters/sql/node-sqlite/node-sqlite-executor.ts';
import { describeArticleFinder } from './article-finder.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describeArticleFinder('memory', () => ({ create: (articles) => new ArticleSearch(articles) }));

describeArticleFinder('SQL executor, sqlite', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'article-finder-'));
  const executor = new NodeSqliteExecutor({
    file: path.join(dir, 'articles.db'),
    report: () => undefined,
    migrations: 'articles',
  });
  closing.push(async () => {
    await executor.close();
    rmSync(dir, { recursive: true });
  });
  const store = new SqlArticleCacheStore(executor);
  return {
    create: (articles) => new SqlArticleSearch(executor, articles),
    write: (articles) => store.write(articles),
    remove: (slug) => store.remove(slug),
  };
});
