import { expect, it } from 'vitest';
import { RecentMap } from './recent-map.ts';

const list = (map: RecentMap<number>, keys: string) =>
  [...keys].filter((key) => map.get(key) !== undefined).join('');

it('remembers the last keys that were set or found, and at most twice as many', () => {
  const map = new RecentMap<number>(2);
  for (const key of 'abcde') map.set(key, 1);
  expect(list(map, 'ab')).toBe('');
  expect(list(map, 'c')).toBe('c');
  map.set('f', 1);
  expect(list(map, 'cf')).toBe('cf');
  expect(list(map, 'd')).toBe('');
});

it('changes an entry without forgetting others', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  for (let value = 1; value < 9; value++) map.set('b', value);
  expect([map.get('a'), map.get('b')]).toEqual([1, 8]);
});
