import { expect, it } from 'vitest';
import { parseLeftPages } from './arrival.ts';

const PAGE = {
  now: 1,
  path: '/blog',
  query: '?utm_source=a',
  referrer: '',
  userAgent: '',
  isShownAgain: false,
};

it('parses the pages that were left, in their order', () => {
  expect(parseLeftPages({ left: [PAGE, { ...PAGE, path: '/' }] })).toEqual([PAGE, { ...PAGE, path: '/' }]);
});

it('drops pages that an edited record has damaged', () => {
  const damaged = [null, 5, 'x', {}, { ...PAGE, now: 'x' }, { ...PAGE, path: '//other.example' }];
  expect(parseLeftPages({ left: [...damaged, PAGE] })).toEqual([PAGE]);
});

it.each([null, undefined, 5, 'x', {}, { left: 5 }, { left: null }])('finds no pages in %j', (record) => {
  expect(parseLeftPages(record)).toEqual([]);
});
