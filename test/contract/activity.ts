import { describe, expect, it } from 'vitest';
import { type Activity, MAX_ACTIVITY } from '../../src/stores/activity.ts';
import type { SqlExecutor } from '../../src/stores/sql/sql-executor.ts';

const NOW = Date.UTC(2026, 10, 20);
const ALL = { offset: 0, limit: 100 };
const buildEntry = (text: string) => ({
  time: NOW,
  operator: 'Ada',
  subject: 'content' as const,
  text,
  href: '/console/content/site.yaml',
});

/** Asserts what the log of changes does over a database. `open` returns an empty one each time. */
export function describeActivity(
  name: string,
  open: () => SqlExecutor,
  create: (executor: SqlExecutor) => Activity,
): void {
  describe(`activity: ${name}`, () => {
    it('has the changes, the newest first, in pages and by subject', async () => {
      const store = create(open());
      expect(await store.read(null, ALL)).toEqual([]);
      await store.add(buildEntry('one'));
      await store.add({ ...buildEntry('two <b>\u{1f9ed}'), subject: 'access', operator: '', href: '' });
      await store.add(buildEntry('three'));
      expect((await store.read(null, ALL)).map(({ number, text }) => [number, text])).toEqual([
        [3, 'three'],
        [2, 'two <b>\u{1f9ed}'],
        [1, 'one'],
      ]);
      expect(await store.read('content', { offset: 1, limit: 1 })).toEqual([
        { ...buildEntry('one'), number: 1 },
      ]);
      expect([await store.count(null), await store.count('content'), await store.count('images')]).toEqual([
        3, 2, 0,
      ]);
    });

    it('has the newest 5,000 changes, each of at most 501 characters', async () => {
      const executor = open();
      const store = create(executor);
      await store.add(buildEntry('x'.repeat(600)));
      expect((await store.read(null, ALL))[0]?.text).toBe(`${'x'.repeat(500)}…`);
      const sql = "INSERT INTO activity VALUES (?, 1, '', 'content', '', '')";
      await executor.batch([{ sql, values: [MAX_ACTIVITY] }]);
      await store.add(buildEntry('last'));
      expect((await store.read(null, ALL)).map(({ number }) => number)).toEqual([5_001, 5_000]);
    });
  });
}
