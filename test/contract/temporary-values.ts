import { describe, expect, it } from 'vitest';
import type { TemporaryValue, TemporaryValues } from '../../src/stores/temporary-values.ts';

const NOW = Date.UTC(2026, 10, 20);

const buildValue = (key: string, changes: Partial<TemporaryValue> = {}): TemporaryValue => ({
  kind: 'issued',
  key,
  value: `value of ${key}`,
  expiresAt: NOW + 1_000,
  ...changes,
});

/** Asserts what temporary values do over a database. `create` returns an empty store each time. */
export function describeTemporaryValues(name: string, create: () => TemporaryValues): void {
  describe(`temporary values: ${name}`, () => {
    it('keeps the newest value of a key until it expires, apart from other kinds', async () => {
      const store = create();
      await store.put(buildValue('one', { value: 'old' }), { now: NOW });
      await store.put(buildValue('one', { value: 'new \u{1f511} \u0000' }), { now: NOW });
      expect(await store.read('issued', 'one', NOW)).toBe('new \u{1f511} \u0000');
      expect(await store.read('issued', 'one', NOW + 999)).not.toBeNull();
      expect(await store.read('issued', 'one', NOW + 1_000)).toBeNull();
      expect(await store.read('notice', 'one', NOW)).toBeNull();
      expect(await store.read('issued', 'other', NOW)).toBeNull();
    });

    it('lists the values of a kind by key, without expired ones', async () => {
      const store = create();
      for (const key of ['b', 'a']) await store.put(buildValue(key), { now: NOW });
      await store.put(buildValue('c', { expiresAt: NOW + 1 }), { now: NOW });
      await store.put(buildValue('d', { kind: 'notice' }), { now: NOW });
      expect(await store.readAll('issued', NOW + 1)).toEqual(['value of a', 'value of b']);
      expect(await store.readAll('upload', NOW)).toEqual([]);
    });

    it('gives a value to one of several that take it at once, and not once it has expired', async () => {
      const store = create();
      await store.put(buildValue('one'), { now: NOW });
      const taken = await Promise.all(Array.from({ length: 8 }, () => store.take('issued', 'one', NOW)));
      expect(taken.filter((value) => value !== null)).toEqual(['value of one']);
      await store.put(buildValue('two'), { now: NOW });
      expect(await store.take('issued', 'two', NOW + 1_000)).toBeNull();
    });

    it('lets one of several claim a key until it expires', async () => {
      const store = create();
      const values = ['a', 'b', 'c'].map((value) => buildValue('one', { kind: 'sent', value }));
      const claims = await Promise.all(values.map((value) => store.claim(value, NOW)));
      const winner = values[claims.indexOf(null)]?.value;
      expect(claims.map((claim) => claim ?? winner)).toEqual([winner, winner, winner]);
      expect(await store.claim(buildValue('one', { kind: 'sent', value: 'late' }), NOW + 1_000)).toBeNull();
    });

    it('removes what begins with a text, and nothing else', async () => {
      const store = create();
      for (const key of ['a%/1', 'a%/2', 'ab/1']) await store.put(buildValue(key), { now: NOW });
      await store.put(buildValue('a%/1', { kind: 'notice' }), { now: NOW });
      await store.remove('issued', 'a%/');
      const read = (key: string) => store.read('issued', key, NOW);
      expect(await Promise.all(['a%/1', 'a%/2', 'ab/1'].map(read))).toEqual([null, null, 'value of ab/1']);
      expect(await store.read('notice', 'a%/1', NOW)).not.toBeNull();
    });

    it('deletes what has expired on request, and not by the clock of the next value', async () => {
      const store = create();
      await store.put(buildValue('one'), { now: NOW });
      await store.put(buildValue('two', { expiresAt: NOW + 9_000 }), { now: NOW + 1_000 });
      expect(await store.read('issued', 'one', NOW)).not.toBeNull();
      await store.removeExpired(NOW + 9_000);
      // Read at a time before its end: it is not there any more, rather than not found.
      expect(await store.read('issued', 'two', NOW)).toBeNull();
    });

    it('keeps at most as many values of a kind as asked, those that expire last', async () => {
      const store = create();
      await store.put(buildValue('other kind', { kind: 'notice' }), { now: NOW });
      for (const [index, key] of ['a', 'b', 'c', 'd'].entries())
        await store.put(buildValue(key, { expiresAt: NOW + 1_000 + index }), { now: NOW, max: 3 });
      const read = (key: string) => store.read('issued', key, NOW);
      const values = await Promise.all(['a', 'b', 'c', 'd'].map(read));
      expect(values.map((value) => value !== null)).toEqual([false, true, true, true]);
      expect(await store.read('notice', 'other kind', NOW)).not.toBeNull();
    });

    it('stores a value of a megabyte', async () => {
      const store = create();
      const value = 'x'.repeat(1_048_576);
      await store.put(buildValue('large', { value }), { now: NOW });
      expect(await store.read('issued', 'large', NOW)).toBe(value);
    });

    it('takes a burst of attempts and then one in each interval, for each key', async () => {
      const store = create();
      const rate = { intervalMs: 12_000, burst: 3 };
      const take = (key: string, now: number) => store.takeAttempt(key, rate, now);
      const waits: number[] = [];
      for (let index = 0; index < 4; index += 1) waits.push(await take('one', NOW));
      expect(waits).toEqual([0, 0, 0, 12_000]);
      expect(await take('one', NOW + 4_000)).toBe(8_000);
      expect(await take('two', NOW)).toBe(0);
      expect(await take('one', NOW + 12_000)).toBe(0);
      expect(await take('one', NOW + 12_000)).toBe(12_000);
      await store.removeExpired(NOW + 12_000 + 3 * 12_000);
      expect(await take('one', NOW + 48_000)).toBe(0);
    });

    it('gives one turn in each interval of a queue, until as many wait as fit', async () => {
      const store = create();
      const rate = { intervalMs: 1_000, burst: 3 };
      const join = async (now: number) => {
        const { at, isFull } = await store.queue('one', rate, now);
        return isFull ? `full until ${at - NOW}` : at - NOW;
      };
      const turns = [];
      for (let index = 0; index < 5; index += 1) turns.push(await join(NOW));
      expect(turns).toEqual([0, 1_000, 2_000, 'full until 1000', 'full until 1000']);
      expect(await join(NOW + 1_000)).toBe(3_000);
      expect(await join(NOW + 9_000)).toBe(9_000);
    });

    it('counts attempts that arrive at once', async () => {
      const store = create();
      const rate = { intervalMs: 60_000, burst: 5 };
      const waits = await Promise.all(Array.from({ length: 20 }, () => store.takeAttempt('one', rate, NOW)));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
    });

    it('takes attempts again when a clock was ahead', async () => {
      const store = create();
      const rate = { intervalMs: 1_000, burst: 2 };
      await store.takeAttempt('one', rate, NOW + 400 * 86_400_000);
      const waits = [0, 0, 0].map(() => store.takeAttempt('one', rate, NOW));
      expect(await Promise.all(waits)).toEqual([0, 0, 1_000]);
    });
  });
}
