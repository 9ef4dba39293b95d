import { expect, it } from 'vitest';
import { cleanQuery, splitTarget, trimSlashes } from './target.ts';

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
