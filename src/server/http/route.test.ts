import { expect, it } from 'vitest';
import { cleanQuery, createRequestId, splitTarget, trimSlashes } from './route.ts';

it.each([
  ['/a?b=c', ['/a', 'b=c']],
  ['/a', ['/a', '']],
  ['/a?b?c#d', ['/a', 'b?c']],
  ['/a#b?c', ['/a', '']],
  ['?q', ['', 'q']],
])('splitTarget splits %s into %j', (target, parts) => {
  expect(splitTarget(target)).toEqual(parts);
});

it.each([
  ['/blog/', '/blog'],
  ['/blog///', '/blog'],
  ['/blog', '/blog'],
  ['//', ''],
  ['', ''],
  [`${'/'.repeat(50_000)}a`, `${'/'.repeat(50_000)}a`],
])('trimSlashes trims %.20s to %.20s', (path, trimmed) => {
  expect(trimSlashes(path)).toBe(trimmed);
});

it('cleanQuery returns nothing but parameters', () => {
  expect(cleanQuery('a=1&b=%0d%0aX: y&\r\nc')).toBe('a=1&b=%0D%0AX%3A+y&%0D%0Ac=');
});

it('creates unique ids, also beyond one filling of the pool', () => {
  const ids = Array.from({ length: 2_500 }, createRequestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[\w-]{12}$/.test(id))).toBe(true);
});
