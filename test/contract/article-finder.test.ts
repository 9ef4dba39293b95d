import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import { ArticleSearch, type StoredSearch } from '../../src/sources/articles/article-search.ts';
import { SqlArticleSearch } from '../../src/sources/articles/search/sql-article-search.ts';
import { SqlArticleCacheStore } from '../../src/stores/article-copies.ts';
import { NodeSqliteExecutor } from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { describeArticleFinder } from './article-finder.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describeArticleFinder('memory', () => ({ create: (articles) => new ArticleSearch(articles) }));

describeArticleFinder('memory, stored and loaded', () => ({
  create: (articles) => {
    let finder = new ArticleSearch(articles);
    const reload = async () => {
      const stored: StoredSearch = JSON.parse(JSON.stringify(await finder.store()));
      finder = new ArticleSearch(articles, stored);
    };
    return {
      get filled() {
        return finder.filled;
      },
      fill: () => finder.fill(),
      search: async (query) => {
        await reload();
        return finder.search(query);
      },
      findRelated: async (slug, limit) => {
        await reload();
        return finder.findRelated(slug, limit);
      },
      put: async (changed) => {
        await finder.put(changed);
        await reload();
      },
      remove: (slug) => finder.remove(slug),
    };
  },
}));

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
