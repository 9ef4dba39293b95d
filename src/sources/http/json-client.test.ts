import { expect, it } from 'vitest';
import { parseRetryAfter } from './json-client.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

it.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['120', 120],
  ['0', 0],
  ['-5', 0],
  ['999999', 3_600],
  ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
])('parses the Retry-After header %j as %j seconds', (value, seconds) => {
  expect(parseRetryAfter(value, NOW)).toBe(seconds);
});
