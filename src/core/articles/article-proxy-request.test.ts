import { expect, it } from 'vitest';
import { parseArticleProxyRequest } from './article-proxy-request.ts';

const parse = (path: unknown) => parseArticleProxyRequest({ path, method: 'GET', payload: null });

it.each([
  ['/articles', { kind: 'list', page: 1, limit: 12 }],
  ['/articles?page=3&limit=24', { kind: 'list', page: 3, limit: 24 }],
  ['/articles?limit=1&page=1', { kind: 'list', page: 1, limit: 1 }],
  ['/articles?page=-1&limit=0', { kind: 'list', page: 1, limit: 1 }],
  ['/articles?page=1000000000&limit=100000', { kind: 'list', page: 10_000, limit: 100 }],
  ['/articles?page=2&page=9', { kind: 'list', page: 2, limit: 12 }],
  ['/articles/crm-basics', { kind: 'detail', slug: 'crm-basics' }],
  ['/articles/crm%2Dbasics', { kind: 'detail', slug: 'crm-basics' }],
  ['/articles/search?q=a%26b%20c&page=2&limit=5', { kind: 'search', text: 'a&b c', page: 2, limit: 5 }],
  ['/articles/search', { kind: 'search', text: '', page: 1, limit: 12 }],
  ['/articles/search?q=%20%20', { kind: 'search', text: '', page: 1, limit: 12 }],
  ['/articles/search?q=%E0%A4%A%00%', { kind: 'search', text: '\uFFFD%A%', page: 1, limit: 12 }],
  [`/articles/search?q=${'x'.repeat(900)}`, { kind: 'search', text: 'x'.repeat(200), page: 1, limit: 12 }],
])('parses %j', (path, request) => {
  expect(parse(path)).toEqual(request);
});

it.each([
  '/articles/A',
  '/articles/..',
  '/articles/@evil.com',
  '/articles/http:',
  '/articles/%2F%2Fevil.com',
  '/articles/a%00',
  '/articles/a%0A',
  '/articles/%E0%A4%A',
  '/articles/a;b',
  '/articles/\u202Eabc',
  '/articles/ａｂｃ',
])('finds that %j cannot be an article', (path) => {
  expect(parse(path)).toEqual({ kind: 'absent' });
});

it.each([
  'https://169.254.169.254/',
  '//evil.com/articles',
  '/../admin',
  '/articles/../admin',
  '/articles/a/b',
  '/articles/',
  '/articles#x',
  '/articles/a#b',
  '/articles\\a',
  '/articles/a\\b',
  '/articlesx',
  ' /articles',
  '',
  '/articles?page=1;2',
  '/articles?page=NaN',
  '/articles?page=1e9',
  '/articles?limit=',
  `/articles?${'x'.repeat(2_000)}`,
  7,
  null,
  ['/articles'],
])('refuses the path %j', (path) => {
  expect(typeof parse(path)).toBe('string');
});

it.each([
  null,
  [],
  'x',
  {},
  { path: '/articles' },
  { path: '/articles', method: 'POST' },
  { path: '/articles', method: 'get' },
  { method: 'GET' },
])('refuses the body %j', (body) => {
  expect(typeof parseArticleProxyRequest(body)).toBe('string');
});
