import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import { createNoArticles, createTestSite } from '../../../test/support/test-site.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { pageSchema } from '../../core/pages/page.schema.ts';
import { buildSummary } from '../../stores/article-copies.ts';
import { createArticleProxy, parseArticleProxyRequest } from './article-proxy.ts';

let failure: Error | null;
let calls: unknown[];
const whole = buildTestArticle('crm-basics');
const respond = async <T>(call: unknown, value: T): Promise<T> => {
  calls.push(call);
  if (failure) throw failure;
  return value;
};
const articles: ArticleSource = {
  list: (query) => respond(query, { articles: [whole], hasMore: true }),
  search: (query) => respond(query, { articles: [], hasMore: false }),
  get: (slug) => respond(slug, slug === 'crm-basics' ? whole : null),
};
const shipped = readSampleSite();
const site = await createTestSite({
  settings: { EVENT_RATE: '0', SITE_URL: 'https://hub.example' },
  content: { site: { ...shipped, articleService: { ...shipped.articleService, name: 'Acme Articles' } } },
  articles: { ...createNoArticles(), ...articles },
});
const handle = createArticleProxy(site);
beforeEach(() => {
  failure = null;
  calls = [];
});

const request = createRouteClient({ method: 'POST', path: '/functions/article-service-proxy', handle });

async function post(body: unknown, headers = {}, changes = {}) {
  const response = await request(typeof body === 'string' ? body : JSON.stringify(body), headers, changes);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const requestPath = (path: string) => post({ path, method: 'GET', payload: null });

it('lists articles without bodies', async () => {
  const response = await requestPath('/articles?page=2&limit=5');
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({ articles: [{ slug: 'crm-basics' }], hasMore: true });
  expect(response.body.articles[0]).not.toHaveProperty('content');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(calls).toEqual([{ kind: 'list', page: 2, limit: 5 }]);
});

it('searches, and returns one article with its body', async () => {
  expect((await requestPath('/articles/search?q=crm')).body).toEqual({ articles: [], hasMore: false });
  expect((await requestPath('/articles/crm-basics')).body).toEqual({
    ...buildSummary(whole),
    featuredImage: '/a.png',
    image: whole.featuredImage,
    content: whole.content,
  });
});

it('adds the landing pages to the first page of a search', async () => {
  const page = pageSchema.parse({
    title: 'Prices compared',
    description: 'What the products cost in a year, line by line, with sources.',
    sections: [{ type: 'prose', body: 'Text.' }],
  });
  const ask = createRouteClient({
    method: 'POST',
    path: '/functions/article-service-proxy',
    handle: createArticleProxy({
      ...site,
      content: {
        ...site.content,
        read: () => ({ ...site.content.read(), pages: new Map([['/prices', page]]) }),
      },
    }),
  });
  const search = async (query: string) =>
    (await ask(JSON.stringify({ path: `/articles/search?${query}`, method: 'GET' }))).json();
  const { title, description } = page;
  expect(await search('q=price')).toEqual({
    articles: [],
    hasMore: false,
    landingPages: [{ href: '/prices', title, description }],
  });
  expect(await search('q=price&page=2')).toEqual({ articles: [], hasMore: false });
});

it.each(['/articles/none', '/articles/A', '/articles/%2e%2e'])('responds 404 for %s', async (path) => {
  const response = await requestPath(path);
  expect([response.status, response.body.detail]).toEqual([
    404,
    "The article you're looking for doesn't exist.",
  ]);
});

it.each(['https://169.254.169.254/', '/../admin', '/articles/../admin', '/users'])(
  'refuses %s without calling the source',
  async (path) => {
    const response = await requestPath(path);
    expect([response.status, response.body.code]).toEqual([400, 'invalid-request']);
    expect(calls).toEqual([]);
  },
);

it.each(['POST', 'DELETE', 'get', undefined])('refuses the method %s', async (method) => {
  const response = await post({ path: '/articles', method });
  expect([response.status, response.body.detail]).toEqual([400, 'method must be "GET".']);
});

it.each([
  ['a body that is no JSON', '{', {}, {}, 400],
  ['other media types', '{}', { 'content-type': 'text/plain' }, {}, 415],
  ['a compressed body', '{}', { 'content-encoding': 'gzip' }, {}, 415],
  ['other sites', '{}', { 'sec-fetch-site': 'cross-site' }, {}, 403],
  ['a huge body', ' '.repeat(70_000), {}, {}, 413],
  ['GET', '', {}, { method: 'GET' }, 405],
])('refuses %s', async (_, body, headers, changes, status) => {
  expect((await post(body, headers, changes)).status).toBe(status);
  expect(calls).toEqual([]);
});

it.each(['not-configured', 'unauthorized'] as const)(
  'says that the key is missing: source %s',
  async (code) => {
    failure = new ArticleSourceError(code, '[articles:remote] secret words');
    const response = await requestPath('/articles');
    expect([response.status, response.body.detail]).toEqual([503, 'API key not configured']);
  },
);

it.each(['unreachable', 'timeout', 'bad-response', 'failed', 'rate-limited'] as const)(
  'names only the service when the source is %s',
  async (code) => {
    failure = new ArticleSourceError(code, '[articles:remote] secret words', { retryAfter: 7 });
    const response = await requestPath('/articles/crm-basics');
    expect(response.status).toBe(502);
    expect(response.body.detail).toBe('Article proxy invocation failed: Acme Articles');
    expect(JSON.stringify(response)).not.toContain('secret');
    expect(response.headers.get('retry-after')).toBe('7');
  },
);

it('leaves unknown errors to the server', async () => {
  failure = new TypeError('bug');
  await expect(requestPath('/articles')).rejects.toThrow('bug');
});

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
])('parses %j', (path, request) => expect(parse(path)).toEqual(request));

it.each(
  (
    '/articles/A /articles/.. /articles/@evil.com /articles/http: /articles/%2F%2Fevil.com ' +
    '/articles/a%00 /articles/a%0A /articles/%E0%A4%A /articles/a;b /articles/‮abc ' +
    '/articles/ａｂｃ'
  ).split(' '),
)('finds that %j cannot be an article', (path) => expect(parse(path)).toEqual({ kind: 'absent' }));

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
])('refuses the path %j', (path) => expect(typeof parse(path)).toBe('string'));

it.each([
  null,
  [],
  'x',
  {},
  { path: '/articles' },
  { path: '/articles', method: 'POST' },
  { path: '/articles', method: 'get' },
  { method: 'GET' },
])('refuses the body %j', (body) => expect(typeof parseArticleProxyRequest(body)).toBe('string'));
