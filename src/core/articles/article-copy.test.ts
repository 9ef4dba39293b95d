import { expect, it } from 'vitest';
import {
  buildCardContent,
  buildLede,
  formatLongDate,
  formatShortDate,
  formatSourceDate,
} from './article-copy.ts';

const CONTENT =
  '<figure><img src="/images/a.png" alt=""></figure><p>A <b>CRM</b> keeps customers &amp; deals.</p>';

it.each([
  ['What it costs.', 'What it costs.'],
  ['A CRM keeps customers & deals.', ''],
  ['A CRM keeps…', ''],
  ['', ''],
])('shows of the excerpt %j below the title: %j', (excerpt, expected) => {
  expect(buildLede({ excerpt, content: CONTENT })).toBe(expected);
});

it.each([
  ['2026-11-12T00:00:00.000Z', 'November 12, 2026', 'Nov 12, 2026'],
  ['2026-01-01T23:59:59.000Z', 'January 1, 2026', 'Jan 1, 2026'],
  ['soon', '', ''],
])('formats %s as %s, in short form as %s', (instant, long, short) => {
  expect([formatLongDate(instant), formatShortDate(instant)]).toEqual([long, short]);
});

it('formats the date of a source as a day, or as a month when the day is not known', () => {
  expect(formatSourceDate('2026-11-21')).toBe('November 21, 2026');
  expect(formatSourceDate('2011-03')).toBe('March 2011');
});

it('says on cards of one day alone when each was compared, where all were', () => {
  const build = (publishedAt: string, comparedAt?: string) => ({
    slug: publishedAt,
    title: '',
    excerpt: '',
    featuredImage: null,
    categories: [],
    author: '',
    publishedAt,
    readingTime: 1,
    comparedAt,
  });
  const first = build('2026-11-21T00:00:00.000Z', '2026-10-30');
  const show = (...others: ReturnType<typeof build>[]) =>
    buildCardContent(first, [first, ...others]).date.text;
  expect(show(build('2026-11-21T08:00:00.000Z', '2026-11-01'))).toBe('Compared in October 2026');
  expect(show()).toBe('Nov 21, 2026');
  expect(show(build('2026-11-21T08:00:00.000Z'))).toBe('Nov 21, 2026');
  expect(show(build('2026-11-20T08:00:00.000Z', '2026-11-01'))).toBe('Nov 21, 2026');
});
