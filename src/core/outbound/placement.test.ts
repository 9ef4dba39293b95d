import { expect, it } from 'vitest';
import { buildPlacement, describePlacement, parsePlacement } from './placement.ts';

it.each([
  ['free-trial', 'hero', 'free-trial / hero', 'free-trial / hero'],
  ['hero', 'hero', 'hero / hero', 'hero'],
  ['success_stories', 'success-stories', 'success_stories / success-stories', 'success-stories'],
  ['old-banner', '', 'old-banner', 'old-banner'],
  ['', 'header', '(none) / header', '(none) / header'],
  ['', '', '', '(none)'],
])('the source %j and the position %j are the place %j, shown as %j', (source, position, place, shown) => {
  expect(buildPlacement(source, position)).toBe(place);
  expect(describePlacement(place)).toBe(shown);
});

it('parses the place that it builds', () => {
  expect(parsePlacement('free-trial / hero')).toEqual({ source: 'free-trial', position: 'hero' });
  expect(parsePlacement('a / B')).toEqual({ source: 'a / B', position: '' });
});
