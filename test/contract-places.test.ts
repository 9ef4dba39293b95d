import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';

/** The contract suites of what a site stores, with what they run on: on Node (and in memory), and in workerd. */
const SUITES = [
  { file: 'event-store', run: 'describeEventStore', node: ['memory', 'sqlite'], workerd: 'D1' },
  { file: 'commission-store', run: 'describeCommissionStore', node: ['memory', 'sqlite'], workerd: 'D1' },
  { file: 'operator-store', run: 'describeOperatorStore', node: ['sqlite'], workerd: 'D1' },
  {
    file: 'article-cache-store',
    run: 'describeArticleCacheStore',
    node: ['memory', 'sqlite'],
    workerd: 'D1',
  },
  { file: 'event-archive', run: 'describeEventArchive', node: ['memory', 'folder'], workerd: 'R2' },
  { file: 'sql-executor', run: 'describeSqlExecutor', node: ['memory', 'node-sqlite'], workerd: 'D1' },
] as const;

function readCalls(folder: string, { file, run }: (typeof SUITES)[number]): readonly (string | undefined)[] {
  const source = readFileSync(path.join(ROOT, folder, `${file}.test.ts`), 'utf8');
  return [...source.matchAll(new RegExp(`^${run}\\(\\s*'([^']+)'`, 'gm'))].map(([, name]) => name);
}

it.each(SUITES)('runs the contract of $file on Node, in memory where it can, and in workerd', (suite) => {
  expect(readCalls('test/contract', suite)).toEqual(expect.arrayContaining([...suite.node]));
  expect(readCalls('edge/test/contract', suite)).toEqual([suite.workerd]);
});
