import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { EventStoreError } from '../../core/journey/event-store.ts';
import { createAppendQueue, OUTCOME } from './append-queue.ts';
import { buildEventRow, type EventRow } from './event-row.ts';

interface Write {
  readonly rows: readonly EventRow[];
  readonly succeed: (outcomes?: number[]) => void;
  readonly fail: (error: Error) => void;
}

/** A queue over a disk that answers when the test says so. */
function setUp(options: { rowsPerCommit?: number; waitingRows?: number } = {}) {
  const writes: Write[] = [];
  const queue = createAppendQueue({
    rowsPerCommit: 10,
    waitingRows: 100,
    stallMs: 1_000,
    ...options,
    write: (rows) =>
      new Promise((resolve, reject) => {
        const succeed = (outcomes = rows.map((): number => OUTCOME.stored)) =>
          resolve(Uint8Array.from(outcomes));
        writes.push({ rows, succeed, fail: reject });
      }),
  });
  return { queue, writes };
}

const rows = (count: number) => Array.from({ length: count }, () => buildEventRow(buildSampleEvent()));
const turn = () => vi.advanceTimersByTimeAsync(0);

describe('createAppendQueue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes together what arrives in one turn, and what arrives while a write is under way', async () => {
    const { queue, writes } = setUp();
    const first = [queue.add(rows(1)), queue.add(rows(2))];
    await turn();
    const second = [queue.add(rows(1)), queue.add(rows(1))];
    await turn();
    expect(writes.map((write) => write.rows.length)).toEqual([3]);
    writes[0]?.succeed();
    await turn();
    expect(writes.map((write) => write.rows.length)).toEqual([3, 2]);
    writes[1]?.succeed();
    expect((await Promise.all([...first, ...second])).map((result) => result.stored)).toEqual([1, 2, 1, 1]);
  });

  it('answers nobody before the write is done', async () => {
    const { queue, writes } = setUp();
    const done = vi.fn();
    void queue.add(rows(1)).then(done);
    await turn();
    expect(done).not.toHaveBeenCalled();
    writes[0]?.succeed();
    await turn();
    expect(done).toHaveBeenCalledOnce();
  });

  it('tells each append its own outcomes', async () => {
    const { queue, writes } = setUp();
    const results = Promise.all([queue.add(rows(2)), queue.add(rows(1)), queue.add(rows(2))]);
    await turn();
    const { stored, duplicate, conflict } = OUTCOME;
    writes[0]?.succeed([stored, duplicate, conflict, duplicate, stored]);
    expect(await results).toEqual([
      { stored: 1, duplicates: 1, conflicts: 0 },
      { stored: 0, duplicates: 1, conflicts: 1 },
      { stored: 1, duplicates: 1, conflicts: 0 },
    ]);
  });

  it('keeps a transaction small, but never splits an append', async () => {
    const { queue, writes } = setUp({ rowsPerCommit: 10 });
    for (const count of [4, 4, 4, 25, 1]) void queue.add(rows(count));
    for (let i = 0; i < 5; i++) {
      await turn();
      writes[i]?.succeed();
    }
    await turn();
    expect(writes.map((write) => write.rows.length)).toEqual([8, 4, 25, 1]);
  });

  it('fails those whose write failed and goes on with the next', async () => {
    const { queue, writes } = setUp();
    const failed = expect(queue.add(rows(1))).rejects.toThrow('disk full');
    await turn();
    const next = queue.add(rows(1));
    writes[0]?.fail(new EventStoreError('unavailable', 'disk full'));
    await failed;
    await turn();
    writes[1]?.succeed();
    expect(await next).toMatchObject({ stored: 1 });
  });

  it('refuses what is too much to wait', async () => {
    const { queue } = setUp({ waitingRows: 5 });
    void queue.add(rows(5));
    await expect(queue.add(rows(1))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('tells everybody when the disk does not answer, refuses meanwhile, and takes up again', async () => {
    const { queue, writes } = setUp();
    const waiting = [queue.add(rows(1))];
    await turn();
    waiting.push(queue.add(rows(1)));
    const told = Promise.allSettled(waiting);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await told).map((result) => result.status)).toEqual(['rejected', 'rejected']);
    await expect(queue.add(rows(1))).rejects.toMatchObject({ code: 'unavailable' });
    writes[0]?.succeed();
    await turn();
    const after = queue.add(rows(1));
    await turn();
    writes[1]?.succeed();
    expect(await after).toMatchObject({ stored: 1 });
  });

  it('is drained when the last write is done', async () => {
    const { queue, writes } = setUp();
    await queue.drained();
    void queue.add(rows(1));
    const done = vi.fn();
    void queue.drained().then(done);
    await turn();
    expect(done).not.toHaveBeenCalled();
    writes[0]?.succeed();
    await turn();
    expect(done).toHaveBeenCalledOnce();
  });
});
