import { expect, it } from 'vitest';
import { findNearest } from './find-nearest.ts';

it.each([
  ['porse', 'prose'],
  ['herro', 'hero'],
  ['call-to-actions', 'call-to-action'],
  ['banana-split-view', null],
  ['', null],
])('the nearest candidate to %j is %j', (text, expected) => {
  expect(findNearest(text, ['hero', 'prose', 'call-to-action', 'testimonials'])).toBe(expected);
});
