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

it.each([
  ['SMTP_HOTS', 'SMTP_HOST'],
  ['SMPT_HOST', 'SMTP_HOST'],
  ['SMTP_HOSST', 'SMTP_HOST'],
  ['SMTP_HOS', 'SMTP_HOST'],
  ['SMTP_MOST', 'SMTP_HOST'],
  ['SMTP_SHOT', null],
])('with at most 1 change, the nearest candidate to %j is %j', (text, expected) => {
  expect(findNearest(text, ['SMTP_HOST', 'SITE_URL'], 1)).toBe(expected);
});
