import type { ArticleCacheStore } from '../../../core/articles/article-cache-store.ts';
import { NodeSqliteExecutor } from '../../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { openArticleCacheDatabase } from './article-cache-database.ts';
import { SqlArticleCacheStore } from './sql-article-cache-store.ts';

/**
 * Creates the store in one SQLite file, which threads read and write: a large article or a slow disk does not stop the
 * event loop. Throws when the file cannot be opened or created. `report` gets one line about a file that was damaged
 * and replaced, and about a disk that cannot be written.
 */
export function createSqliteArticleStore(file: string, report: (message: string) => void): ArticleCacheStore {
  openArticleCacheDatabase(file, (quarantined) =>
    report(`articles: the file of copies was damaged and is replaced; it is now ${quarantined}`),
  ).close();
  return new SqlArticleCacheStore(new NodeSqliteExecutor({ file, report, migrations: 'articles' }));
}
