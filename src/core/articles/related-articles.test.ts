import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { findNeighbors, findRelated } from './related-articles.ts';

const build = (slug: string, categories: string[], tags: string[]) =>
  buildTestArticle(slug, 1, { categories, tags });

const HERE = build('here', ['Automation', 'Email'], ['dns', 'spam']);
const ARTICLES = [
  build('other', ['Reviews'], ['price']),
  build('topic', ['Automation'], []),
  HERE,
  build('category', ['Reviews', 'Email'], []),
  build('tag', ['Reviews'], ['spam']),
  build('newer-topic', ['Automation'], []),
];

it('ranks articles by what they share, then by their order, and leaves out those that share nothing', () => {
  const found = findRelated(ARTICLES, HERE, { count: 9, except: [] }).map(({ slug }) => slug);
  expect(found).toEqual(['topic', 'tag', 'newer-topic', 'category']);
});

it('leaves out the article itself and excluded slugs, up to the count', () => {
  const found = findRelated(ARTICLES, HERE, { count: 2, except: ['topic'] }).map(({ slug }) => slug);
  expect(found).toEqual(['tag', 'newer-topic']);
});

const NEWEST_FIRST = [
  buildTestArticle('a', 9, { categories: ['Automation', 'Email'] }),
  buildTestArticle('b', 8, { categories: ['Pricing', 'Automation'] }),
  buildTestArticle('c', 7, { categories: ['Automation'] }),
  buildTestArticle('d', 6, { categories: ['Automation'] }),
];

it.each([
  ['a', 'c', null],
  ['c', 'd', 'a'],
  ['d', null, 'c'],
  ['b', null, null],
  ['unknown', null, null],
])('finds for article %s the previous %s and the next %s of the same topic', (slug, previous, next) => {
  const found = findNeighbors(NEWEST_FIRST, slug);
  expect([found.previous?.slug ?? null, found.next?.slug ?? null]).toEqual([previous, next]);
});
