import { expect, it } from 'vitest';
import { isPublished } from './is-published.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

it.each([
  [{ draft: false }, true],
  [{ draft: true }, false],
  [{ draft: false, publishedAt: '2026-11-20' }, true],
  [{ draft: false, publishedAt: '2026-11-20T13:30:00+02:00' }, true],
  [{ draft: false, publishedAt: '2026-11-21' }, false],
  [{ draft: true, publishedAt: '2026-11-01' }, false],
])('a page with %j is public at noon of 2026-11-20: %s', (page, expected) => {
  expect(isPublished(page, NOON)).toBe(expected);
});
