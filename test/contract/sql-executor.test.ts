import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import {
  createNodeSqliteReader,
  NodeSqliteExecutor,
} from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { MemoryExecutor, openMemoryDatabase } from '../support/memory-executor.ts';
import { describeSqlExecutor } from './sql-executor.ts';

const root = mkdtempSync(path.join(tmpdir(), 'sql-executor-'));
afterAll(() => rm(root, { recursive: true }));

const newFile = () => path.join(mkdtempSync(path.join(root, 'database-')), 'created/site.sqlite');
const report = (message: string) => {
  throw new Error(message);
};

describeSqlExecutor('memory', () => new MemoryExecutor(openMemoryDatabase()));
describeSqlExecutor('node-sqlite', () => new NodeSqliteExecutor({ file: newFile(), report }));
describeSqlExecutor(
  'node-sqlite in the calling thread',
  () => new NodeSqliteExecutor({ file: newFile(), report, isInline: true }),
);

it('refuses to write through a query', async () => {
  const executor = new NodeSqliteExecutor({ file: newFile(), report });
  onTestFinished(() => executor.close());
  await expect(executor.query({ sql: 'DELETE FROM events' })).rejects.toMatchObject({ code: 'unavailable' });
});

it('reads a database beside the process that writes it', async () => {
  const file = newFile();
  const executor = new NodeSqliteExecutor({ file, report });
  const reader = createNodeSqliteReader(file, report);
  onTestFinished(() => executor.close());
  onTestFinished(() => reader.close());
  await executor.batch([{ sql: 'CREATE TABLE items (id INTEGER)' }, { sql: 'INSERT INTO items VALUES (7)' }]);
  expect(await reader.query({ sql: 'SELECT id FROM items' })).toEqual([{ id: 7 }]);
});

it('rejects queries of a database that does not exist', async () => {
  const reader = createNodeSqliteReader(path.join(root, 'missing.sqlite'), report);
  onTestFinished(() => reader.close());
  await expect(reader.query({ sql: 'SELECT 1' })).rejects.toThrow('there is no database at');
});
