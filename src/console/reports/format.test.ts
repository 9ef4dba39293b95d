import { expect, it } from 'vitest';
import { formatAge, formatChosenPeriod, formatDuration, formatShare, formatTime } from './format.ts';

it.each([
  [null, '–'],
  [0, '0%'],
  [0.0001, '< 0.1%'],
  [0.0312, '3.1%'],
  [0.2, '20%'],
  [0.954, '95%'],
  [0.995, '99.5%'],
  [0.999_99, '99.9%'],
  [1, '100%'],
])('the share %d is %s: nothing and all only where it is so', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

it('a period of chosen days has its year, one that ends now does not', () => {
  const days = { from: '2024-01-01', to: '2024-01-31' };
  expect(formatChosenPeriod({ range: 'custom', ...days })).toBe('Jan 1 – Jan 31, 2024');
  expect(formatChosenPeriod({ range: '28d', ...days })).toBe('Jan 1 – Jan 31');
});

const TIME = Date.parse('2026-11-18T02:12:07Z');
const HOUR_MS = 3_600_000;

it('formats a moment in the time zone of the site', () => {
  expect(formatTime(TIME, 'Europe/Berlin')).toBe('Nov 18, 2026, 03:12');
  expect(formatTime(TIME, 'America/New_York')).toBe('Nov 17, 2026, 21:12');
});

it.each([
  [0, '0 min'],
  [40 * 60_000, '40 min'],
  [9 * HOUR_MS, '9 h'],
  [47 * HOUR_MS, '47 h'],
  [60 * HOUR_MS, '2.5 d'],
  [47 * 24 * HOUR_MS, '47 d'],
])('%d ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it('formats an age', () =>
  expect([
    formatAge(TIME, TIME + 9 * HOUR_MS),
    formatAge(TIME, TIME + 70 * HOUR_MS),
    formatAge(TIME, TIME),
    formatAge(TIME, TIME - HOUR_MS),
  ]).toEqual(['9 h ago', '3 d ago', 'now', 'now']));
