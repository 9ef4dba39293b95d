import { beforeEach, expect, it } from 'vitest';
import { type CacheInput, StaleWhileRevalidate } from './stale-while-revalidate.ts';

let now = 0;
let loads = 0;
let fail = false;
beforeEach(() => {
  now = 0;
  loads = 0;
  fail = false;
});

function create(change: Partial<CacheInput<string, null>> = {}) {
  return new StaleWhileRevalidate<string, null>({
    max: 10,
    now: () => now,
    maxStaleMs: 50,
    load: async () => {
      const value = `value ${++loads}`;
      await Promise.resolve();
      if (fail) throw new Error('down');
      return { value, freshMs: 100 };
    },
    sharesWork: true,
    ...change,
  });
}

it('returns a stale value while one load replaces it', async () => {
  const cache = create();
  expect(await Promise.all([cache.read('a', null), cache.read('a', null)])).toEqual(['value 1', 'value 1']);
  now = 101;
  expect(await Promise.all([cache.read('a', null), cache.read('a', null)])).toEqual(['value 1', 'value 1']);
  await expect.poll(() => cache.getFresh('a')).toBe('value 2');
});

it('waits for the load of a value that is too old, and returns the old one when that fails', async () => {
  const cache = create();
  await cache.read('a', null);
  now = 151;
  expect(await cache.read('a', null)).toBe('value 2');
  now = 500;
  fail = true;
  expect(await cache.read('a', null)).toBe('value 2');
  await expect(cache.read('b', null)).rejects.toThrow('down');
});

it('does not bring back what was removed while it was loaded', async () => {
  const cache = create();
  const reading = cache.refresh('a', null);
  cache.clear();
  expect([await reading, cache.has('a')]).toEqual(['value 1', false]);
});

it('gives a value that is not cached to its callers, and removes the one before it', async () => {
  const cache = create({ load: async () => ({ value: 'gone', freshMs: null }) });
  expect([await cache.read('a', null), cache.size]).toEqual(['gone', 0]);
});

it('looks for a newer copy before it loads a stale value again, where callers share no work', async () => {
  const cache = create({
    sharesWork: false,
    recover: async () => ({ value: `copy at ${now}`, freshMs: 10 }),
  });
  expect(await cache.read('a', null)).toBe('copy at 0');
  now = 11;
  expect([await cache.read('a', null), loads]).toEqual(['copy at 11', 0]);
});

it('loads once for each caller who finds nothing, where callers share no work', async () => {
  const cache = create({ sharesWork: false });
  await Promise.all([cache.read('a', null), cache.read('a', null)]);
  expect(loads).toBe(2);
});
