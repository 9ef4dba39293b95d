import { expect, it } from 'vitest';
import { formatAge, formatClockTime, formatDuration, formatTime } from './format-time.ts';

const TIME = Date.parse('2026-11-18T02:12:07Z');
const HOUR_MS = 3_600_000;

it('formats a moment in the time zone of the site', () => {
  expect(formatTime(TIME, 'Europe/Berlin')).toBe('Nov 18, 2026, 03:12');
  expect(formatTime(TIME, 'America/New_York')).toBe('Nov 17, 2026, 21:12');
  expect(formatClockTime(TIME, 'Europe/Berlin')).toBe('03:12:07');
});

it.each([
  [0, '0 min'],
  [40 * 60_000, '40 min'],
  [9 * HOUR_MS, '9 h'],
  [47 * HOUR_MS, '47 h'],
  [60 * HOUR_MS, '2.5 d'],
  [47 * 24 * HOUR_MS, '47 d'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('formats an age', () => {
  expect([
    formatAge(TIME, TIME + 9 * HOUR_MS),
    formatAge(TIME, TIME + 70 * HOUR_MS),
    formatAge(TIME, TIME),
    formatAge(TIME, TIME - HOUR_MS),
  ]).toEqual(['9 h ago', '3 d ago', 'now', 'now']);
});
