import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { findNeighbors } from './neighbors.ts';

const ARTICLES = [
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
  const found = findNeighbors(ARTICLES, slug);
  expect([found.previous?.slug ?? null, found.next?.slug ?? null]).toEqual([previous, next]);
});
