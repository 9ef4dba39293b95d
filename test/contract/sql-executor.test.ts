import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
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

it('ends the thread that reads when nothing was read for five seconds, and reads again', async () => {
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(() => void process.off('worker', note));
  const executor = new NodeSqliteExecutor({ file: newFile(), report });
  const read = () => executor.query({ sql: 'SELECT 1 AS one' });
  await executor.batch([{ sql: 'CREATE TABLE items (id INTEGER)' }]);
  await read();
  vi.advanceTimersByTime(4_999);
  await read();
  const [, reader] = threads;
  const ended = reader && once(reader, 'exit');
  vi.advanceTimersByTime(5_000);
  await ended;
  expect(await read()).toEqual([{ one: 1 }]);
  expect([threads.length, reader?.threadId]).toEqual([3, -1]);
  await executor.close();
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
