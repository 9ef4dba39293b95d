import { afterEach } from 'vitest';
import { openMemoryExecutor } from '../../src/stores/sql/node-sqlite/memory-executor.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';
import { describeArticleSearch } from './article-finder.ts';

const opened: SqlExecutor[] = [];
afterEach(async () => {
  for (const executor of opened.splice(0)) await executor.close();
});

describeArticleSearch('node:sqlite in memory', () => {
  const executor = openMemoryExecutor('articles');
  opened.push(executor);
  return executor;
});
