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

it('orders articles by date, newest first, then by slug', () => {
  const same = [buildTestArticle('z', 1), buildTestArticle('y', 1), buildTestArticle('x', 2)];
  expect(same.toSorted(compareNewestFirst).map(({ slug }) => slug)).toEqual(['x', 'y', 'z']);
});
