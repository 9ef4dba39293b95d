import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { compareNewestFirst } from './article.ts';
import { buildGroups } from './article-groups.ts';

const ARTICLES = [
  buildTestArticle('a', 9, { categories: ['Automation', 'Email'], tags: ['sms', 'SMS'] }),
  buildTestArticle('b', 8, { categories: ['Pricing', 'Automation'], tags: ['sms'] }),
  buildTestArticle('c', 7, { categories: ['Automation'], tags: [] }),
  buildTestArticle('d', 6, { categories: ['Automation'], tags: [] }),
];

it('groups articles by every category, largest group first', () => {
  const groups = buildGroups(ARTICLES, 'topic').map(({ slug, articles }) => [
    slug,
    articles.map((article) => article.slug).join(''),
  ]);
  expect(groups).toEqual([
    ['automation', 'abcd'],
    ['email', 'a'],
    ['pricing', 'b'],
  ]);
});

it('treats tags that differ in case as one and lists an article once', () =>
  expect(buildGroups(ARTICLES, 'tag')).toMatchObject([{ name: 'sms', slug: 'sms', articles: [{}, {}] }]));

it('orders articles of one day by position, and those without one after them by time', () => {
  const build = (slug: string, publishedAt: string, position?: number) => ({
    ...buildTestArticle(slug, 1),
    publishedAt,
    position,
  });
  const day = [
    build('late', '2026-11-21T20:00:00.000Z'),
    build('second', '2026-11-21T00:00:00.000Z', 2),
    build('early', '2026-11-21T08:00:00.000Z'),
    build('first', '2026-11-21T00:00:00.000Z', 1),
    build('next-day', '2026-11-22T00:00:00.000Z', 9),
  ];
  expect(day.toSorted(compareNewestFirst).map(({ slug }) => slug)).toEqual([
    'next-day',
    'first',
    'second',
    'late',
    'early',
  ]);
});

it('orders articles by date, newest first, then by slug', () => {
  const same = [buildTestArticle('z', 1), buildTestArticle('y', 1), buildTestArticle('x', 2)];
  expect(same.toSorted(compareNewestFirst).map(({ slug }) => slug)).toEqual(['x', 'y', 'z']);
});
