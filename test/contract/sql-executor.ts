import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqlExecutor, SqlValue } from '../../src/stores/sql/sql-executor.ts';

const CREATE = 'CREATE TABLE items (id INTEGER PRIMARY KEY, value ANY, UNIQUE (value)) STRICT';
const insert = (id: number, value: SqlValue) => ({
  sql: 'INSERT INTO items (id, value) VALUES (?, ?)',
  values: [id, value],
});
const ALL = { sql: 'SELECT id, value FROM items ORDER BY id' };

/** Runs the contract of the `SqlExecutor` port. `create` opens a new database each time, with every migration. */
export function describeSqlExecutor(name: string, create: () => SqlExecutor): void {
  describe(`SQL executor: ${name}`, () => {
    let executor: SqlExecutor;
    beforeEach(async () => {
      executor = create();
      await executor.batch([{ sql: CREATE }]);
    });
    afterEach(() => executor.close());

    it('has the tables of the migrations', async () =>
      expect(await executor.query({ sql: 'SELECT count(*) AS n FROM events' })).toEqual([{ n: 0 }]));

    it.each([
      ['text', 'a "quoted" \'text\'; DROP TABLE items; -- 日本 😀'],
      ['empty text', ''],
      ['an integer', 42],
      ['a time in ms', 1_763_600_000_123],
      ['a real number', -1.25],
      ['null', null],
      ['bytes', Uint8Array.of(0, 1, 255)],
    ])('stores and returns %s', async (_, value) => {
      await executor.batch([insert(1, value)]);
      expect(await executor.query(ALL)).toEqual([{ id: 1, value }]);
      expect(await executor.batch([ALL])).toEqual([{ rows: [{ id: 1, value }], changes: 0 }]);
    });

    it('returns one result per statement, in order', async () => {
      const results = await executor.batch([
        insert(1, 'a'),
        insert(2, 'b'),
        { sql: 'SELECT value FROM items WHERE id = ?', values: [2] },
        { sql: "UPDATE items SET value = value || '!'" },
        { sql: 'DELETE FROM items WHERE id = ?', values: [7] },
        { sql: 'DELETE FROM items WHERE id = ? RETURNING value', values: [1] },
      ]);
      expect(results.map(({ changes }) => changes).slice(0, 5)).toEqual([1, 1, 0, 2, 0]);
      expect(results.map(({ rows }) => rows)).toEqual([[], [], [{ value: 'b' }], [], [], [{ value: 'a!' }]]);
    });

    it('reports 0 changes for an insert that a conflict clause skips', async () => {
      const statement = { ...insert(1, 'a'), sql: `${insert(1, 'a').sql} ON CONFLICT DO NOTHING` };
      const results = await executor.batch([statement, statement]);
      expect(results.map(({ changes }) => changes)).toEqual([1, 0]);
    });

    it('returns no results for an empty batch', async () => expect(await executor.batch([])).toEqual([]));

    it('undoes the whole batch when one of its statements is invalid', async () => {
      const failed = executor.batch([insert(1, 'a'), insert(1, 'b')]);
      await expect(failed).rejects.toMatchObject({ name: 'SqlError', code: 'invalid' });
      expect(await executor.query(ALL)).toEqual([]);
    });

    it.each([
      ['wrong SQL', { sql: 'INSERT INTO nothing VALUES (1)' }],
      ['a violated constraint', insert(2, 'taken')],
      ['too few values', { sql: 'INSERT INTO items (id, value) VALUES (?, ?, ?)', values: [1] }],
      ['a value of another type', { sql: 'INSERT INTO items (id, value) VALUES (?, ?)', values: ['x', 'y'] }],
    ])('rejects %s as invalid and commits the batches that arrive with it', async (_, statement) => {
      await executor.batch([insert(1, 'taken')]);
      const results = await Promise.allSettled([
        executor.batch([insert(10, 'before')]),
        executor.batch([insert(11, 'same batch'), statement]),
        executor.batch([insert(12, 'after')]),
      ]);
      expect(results).toMatchObject([
        { value: [{ changes: 1 }] },
        { reason: { code: 'invalid' } },
        { value: [{ changes: 1 }] },
      ]);
      const rows = await executor.query(ALL);
      expect(rows.map((row) => row['id'])).toEqual([1, 10, 12]);
    });

    it('commits batches that arrive together in the order of their calls', async () => {
      await Promise.all([
        executor.batch([insert(1, 'a')]),
        executor.batch([{ sql: 'UPDATE items SET value = ?', values: ['b'] }]),
        executor.batch([{ sql: 'UPDATE items SET value = ?', values: ['c'] }]),
      ]);
      expect(await executor.query(ALL)).toEqual([{ id: 1, value: 'c' }]);
    });

    it('queries what the last resolved batch wrote', async () => {
      for (let id = 1; id <= 20; id++) {
        await executor.batch([insert(id, id)]);
        expect(await executor.query({ sql: 'SELECT max(id) AS id FROM items' })).toEqual([{ id }]);
      }
    });

    it('rejects an invalid query and goes on', async () => {
      await expect(executor.query({ sql: 'SELECT nothing' })).rejects.toMatchObject({ code: 'invalid' });
      expect(await executor.query(ALL)).toEqual([]);
    });

    it('finishes accepted batches when it is closed, and rejects later calls', async () => {
      const accepted = executor.batch([insert(1, 'a')]);
      await Promise.all([executor.close(), executor.close()]);
      expect(await accepted).toMatchObject([{ changes: 1 }]);
      await expect(executor.batch([insert(2, 'b')])).rejects.toMatchObject({ code: 'closed' });
      await expect(executor.query(ALL)).rejects.toMatchObject({ code: 'closed' });
    });
  });
}
