import { expect, it } from 'vitest';
import { buildRetentionLimit, planRetention } from './retention-plan.ts';

it.each([
  ['2025-11-20T10:00:00Z', 13, '2024-10-20T10:00:00Z'],
  ['2025-01-15T00:00:00Z', 1, '2024-12-15T00:00:00Z'],
  ['2025-05-31T00:00:00Z', 3, '2025-02-28T00:00:00Z'],
  ['2024-02-29T00:00:00Z', 12, '2023-02-28T00:00:00Z'],
  ['2025-11-20T10:00:00Z', 120, '2015-11-20T10:00:00Z'],
])('builds from %s minus %d months the limit %s', (now, months, expected) => {
  expect(buildRetentionLimit(Date.parse(now), months)).toBe(Date.parse(expected));
});

it.each([
  ['2024-10-20', 'remove'],
  ['2024-09-20', 'remove'],
  ['2024-09-18', 'refuse'],
  ['2001-01-01', 'refuse'],
])('plans for the oldest event of %s to %s', (oldest, kind) => {
  expect(planRetention(Date.parse(oldest), Date.parse('2025-11-20'), 13).kind).toBe(kind);
});
