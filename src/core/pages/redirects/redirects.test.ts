import { expect, it } from 'vitest';
import {
  findRedirect,
  isUnknownPost,
  parseFormerAddress,
  parseRedirectTarget,
  splitLaterPage,
} from './redirects.ts';

const REDIRECTS = new Map([
  ['/old', '/new'],
  ['/?p=7', '/blog/seven'],
  ['/topic', '/blog/topic/one'],
  ['/topic/page/1', '/blog/topic/first'],
  ['/plain', '/blog'],
  ['/plain/feed', '/rss.xml'],
  ['/kept/feed', '/blog/kept'],
  ['/index.php?id=3&view=article', '/blog/three'],
  ['/index.php?id=3', '/blog/other'],
]);
const fill = (count: number) => Array.from({ length: count }, (_, index) => `x${index}=1`).join('&');

it.each([
  ['/old', '', '/new', ''],
  ['/old', 'utm_source=a', '/new', 'utm_source=a'],
  ['/none', '', null, ''],
  // Of the parameters, one may name what the address was of; the others go on.
  ['/', 'utm_source=a&p=7', '/blog/seven', 'utm_source=a'],
  ['/', `${fill(9)}&p=7`, '/blog/seven', fill(9)],
  ['/', `${fill(10)}&p=7`, null, ''],
  ['/index.php', 'view=article&id=3', '/blog/three', ''],
  ['/index.php', 'view=list&id=3', '/blog/other', 'view=list'],
  ['/index.php', 'view=article', null, ''],
  // A later page leads to where the first one does, unless the first has an address of its own.
  ['/plain/page/2', '', '/blog', ''],
  ['/topic/page/2', '', '/blog/topic/first', ''],
  ['/topic/comment-page-2', '', '/blog/topic/one', ''],
  ['/plain/page/1234567', '', null, ''],
  ['/plain/feed/atom', '', '/rss.xml', ''],
  ['/plain/feed/other', '', null, ''],
  ['/old/embed', 'a=1', '/new', 'a=1'],
  ['/plain/embed', '', '/blog', ''],
  ['/kept/embed', '', '/blog/kept', ''],
  ['/embed', '', null, ''],
])('%s with the query %j leads to %s', (path, query, to, rest) => {
  expect(findRedirect(REDIRECTS, path, query)).toEqual(to === null ? null : { to, query: rest });
});

it.each([
  ['/', 'p=8', true],
  ['/', 'utm_source=a&page_id=8', true],
  ['/', 'p=7', false],
  ['/', 'p=x', false],
  ['/', 'price=8', false],
  ['/blog', 'p=8', false],
])('%s?%s is the number of a post that the former site lacks: %s', (path, query, expected) => {
  expect(isUnknownPost(REDIRECTS, path, query)).toBe(expected);
  expect(isUnknownPost(new Map([['/old', '/new']]), path, query)).toBe(false);
});

it.each([
  ['/a/page/2', { base: '/a', isComments: false }],
  ['/a/comment-page-12', { base: '/a', isComments: true }],
  ['/a/page/', null],
  ['/a/pages/2', null],
])('of %s, the first page is %j', (path, expected) => expect(splitLaterPage(path)).toEqual(expected));

it.each([
  ['/old/', '/old'],
  ['/größe', '/gr%C3%B6%C3%9Fe'],
  ['/?p=7', '/?p=7'],
  ['/', null],
  ['/?q=1&p=7', '/?p=7&q=1'],
  ['/old?', '/old'],
  ['/?', null],
  ['/?=7', null],
  ['/old#part', null],
  ['/a?b?c', null],
])('the former address %s is %s', (address, expected) => expect(parseFormerAddress(address)).toBe(expected));

it.each([
  ['/new#part', '/new#part'],
  ['../images/x.png', '../images/x.png'],
  ['https://other.example/a', 'https://other.example/a'],
  ['//other.example', null],
  ['/\\other.example', null],
  ['javascript:alert(1)', null],
  ['https://me@other.example/', null],
  ['https://:secret@other.example/', null],
  ['/a b', '/a%20b'],
])('the target %j is taken as %s', (target, expected) => expect(parseRedirectTarget(target)).toBe(expected));
