import { expect, it } from 'vitest';
import { buildListPath, getFirstPage, parseListAddress } from './listed-articles.ts';

it.each([
  ['', '', 1],
  ['q=crm&page=2', 'crm', 2],
  ['q=++follow+++up+&page=1', 'follow up', 1],
  ['q=+++', '', 1],
  ['page=0', '', 1],
  ['page=-3', '', 1],
  ['page=1.5', '', 1],
  ['page=two', '', 1],
  ['page=99999', '', 1],
  ['page=9999', '', 9_999],
  [`q=${'x'.repeat(119)}+yz`, 'x'.repeat(119), 1],
])('parses %j as the query %j on page %i', (search, query, page) => {
  expect(parseListAddress(new URLSearchParams(search))).toEqual({ query, page });
});

it.each([
  ['', 1, '/blog'],
  ['', 3, '/blog?page=3'],
  ['a & b', 1, '/blog?q=a+%26+b'],
  ['crm', 2, '/blog?q=crm&page=2'],
])('builds for %j, page %i the path %s, which is parsed to the same', (query, page, path) => {
  expect(buildListPath({ query, page })).toBe(path);
  expect(parseListAddress(new URL(path, 'https://hub.example').searchParams)).toEqual({ query, page });
});

it.each([
  [1, 1],
  [5, 1],
  [6, 2],
  [800, 796],
])('page %i shows the pages from page %i', (page, first) => {
  expect(getFirstPage({ query: '', page })).toBe(first);
});
