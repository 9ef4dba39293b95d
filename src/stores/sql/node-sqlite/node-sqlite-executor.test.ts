import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SqlError } from '../sql-executor.ts';
import type { Batch, BatchOutcome } from './database-jobs.ts';
import { GroupCommit } from './node-sqlite-executor.ts';

interface Commit {
  /** How many statements each of its batches has. */
  readonly sizes: readonly number[];
  readonly succeed: (outcomes?: readonly BatchOutcome[]) => void;
  readonly fail: (error: SqlError) => void;
}

/** A group commit over a disk that responds when the test says so. */
function setUp(limits: { readonly maxStatements?: number; readonly maxWaiting?: number } = {}) {
  const commits: Commit[] = [];
  const group = new GroupCommit(
    (batches) =>
      new Promise((resolve, reject) => {
        const sizes = batches.map(({ length }) => length);
        const succeed = (outcomes: readonly BatchOutcome[] = batches.map(buildOutcome)) => resolve(outcomes);
        commits.push({ sizes, succeed, fail: reject });
      }),
    { maxStatements: 10, maxWaiting: 100, stallMs: 1_000, ...limits },
  );
  return { group, commits };
}

const buildBatch = (length: number): Batch => Array.from({ length }, () => ({ sql: 'INSERT' }));
const buildOutcome = (batch: Batch): BatchOutcome => batch.map(() => 1);
const turn = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('commits together the batches of one turn, and those that arrive during a commit', async () => {
  const { group, commits } = setUp();
  const first = [group.add(buildBatch(1)), group.add(buildBatch(2))];
  await turn();
  const second = [group.add(buildBatch(1)), group.add(buildBatch(1))];
  await turn();
  expect(commits.map(({ sizes }) => sizes)).toEqual([[1, 2]]);
  commits[0]?.succeed();
  await turn();
  expect(commits.map(({ sizes }) => sizes)).toEqual([
    [1, 2],
    [1, 1],
  ]);
  commits[1]?.succeed();
  expect((await Promise.all([...first, ...second])).map(({ length }) => length)).toEqual([1, 2, 1, 1]);
});

it('begins a commit of many statements before the end of the turn', async () => {
  const { group, commits } = setUp({ maxStatements: 100 });
  for (const length of [15, 1, 4]) void group.add(buildBatch(length));
  commits[0]?.succeed();
  await turn();
  expect(commits.map(({ sizes }) => sizes)).toEqual([[15, 1], [4]]);
});

it('starts the next commit before it serves the callers of the last', async () => {
  const { group, commits } = setUp();
  const commitsWhenServed = group.add(buildBatch(1)).then(() => commits.length);
  await turn();
  void group.add(buildBatch(1));
  commits[0]?.succeed();
  expect(await commitsWhenServed).toBe(2);
});

it('resolves no batch before its commit is done', async () => {
  const { group, commits } = setUp();
  const done = vi.fn();
  void group.add(buildBatch(1)).then(done);
  await turn();
  expect(done).not.toHaveBeenCalled();
  commits[0]?.succeed();
  await turn();
  expect(done).toHaveBeenCalledOnce();
});

it('gives each batch its own outcome', async () => {
  const { group, commits } = setUp();
  const results = Promise.allSettled([1, 1, 1].map((length) => group.add(buildBatch(length))));
  await turn();
  commits[0]?.succeed([[[{ n: 1 }]], { code: 'invalid', message: 'UNIQUE constraint failed' }, [3]]);
  expect(await results).toMatchObject([
    { value: [{ rows: [{ n: 1 }] }] },
    { reason: { code: 'invalid', message: '[sql] UNIQUE constraint failed' } },
    { value: [{ changes: 3 }] },
  ]);
});

it('keeps a transaction small but never splits a batch', async () => {
  const { group, commits } = setUp({ maxStatements: 10 });
  for (const length of [4, 4, 4, 25, 1]) void group.add(buildBatch(length));
  for (let index = 0; index < 5; index++) {
    await turn();
    commits[index]?.succeed();
  }
  await turn();
  expect(commits.map(({ sizes }) => sizes)).toEqual([[4, 4], [4], [25], [1]]);
});

it('rejects the batches whose commit failed and goes on with the next', async () => {
  const { group, commits } = setUp();
  const failed = expect(group.add(buildBatch(1))).rejects.toThrow('disk full');
  await turn();
  const next = group.add(buildBatch(1));
  commits[0]?.fail(new SqlError('unavailable', 'disk full'));
  await failed;
  await turn();
  commits[1]?.succeed();
  expect(await next).toHaveLength(1);
});

it('refuses a batch when too many statements wait', async () => {
  const { group } = setUp({ maxWaiting: 5 });
  void group.add(buildBatch(5));
  await expect(group.add(buildBatch(1))).rejects.toMatchObject({ code: 'unavailable' });
});

it('rejects every batch while the disk does not respond, and commits again when it does', async () => {
  const { group, commits } = setUp();
  const waiting = [group.add(buildBatch(1))];
  await turn();
  waiting.push(group.add(buildBatch(1)));
  const settled = Promise.allSettled(waiting);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await settled).map((result) => result.status)).toEqual(['rejected', 'rejected']);
  await expect(group.add(buildBatch(1))).rejects.toMatchObject({ code: 'unavailable' });
  commits[0]?.succeed();
  await turn();
  const after = group.add(buildBatch(1));
  await turn();
  commits[1]?.succeed();
  expect(await after).toHaveLength(1);
});

it('is drained when the last commit is done', async () => {
  const { group, commits } = setUp();
  await group.drained();
  void group.add(buildBatch(1));
  const done = vi.fn();
  void group.drained().then(done);
  await turn();
  expect(done).not.toHaveBeenCalled();
  commits[0]?.succeed();
  await turn();
  expect(done).toHaveBeenCalledOnce();
});
