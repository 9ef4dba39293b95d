import { beforeEach, describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildHttpCall } from '../../../test/support/http-call.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createArticleFunction } from './article-functions.ts';

let failure: Error | null;
let calls: unknown[];
const whole = buildTestArticle('crm-basics');
const answer = async <T>(call: unknown, value: T): Promise<T> => {
  calls.push(call);
  if (failure) throw failure;
  return value;
};
const articles: ArticleSource = {
  list: (query) => answer(query, { articles: [whole], hasMore: true }),
  search: (query) => answer(query, { articles: [], hasMore: false }),
  get: (slug) => answer(slug, slug === 'crm-basics' ? whole : null),
};
const handle = createArticleFunction({
  articles,
  serviceName: 'Acme Articles',
  limiter: createRateLimiter({ perSecond: 0, burst: 1, maxAddresses: 1, now: () => 0 }),
  siteOrigin: 'https://hub.example',
});
beforeEach(() => {
  failure = null;
  calls = [];
});

async function post(body: unknown, headers = {}, about = {}) {
  const said = await handle(
    buildHttpCall(typeof body === 'string' ? body : JSON.stringify(body), headers, about),
  );
  return { status: said.status, headers: said.headers, body: JSON.parse(String(said.body)) };
}
const ask = (path: string) => post({ path, method: 'GET', payload: null });

describe('an article function', () => {
  it('lists, without bodies', async () => {
    const said = await ask('/articles?page=2&limit=5');
    expect(said.status).toBe(200);
    expect(said.body).toMatchObject({ articles: [{ slug: 'crm-basics' }], hasMore: true });
    expect(said.body.articles[0]).not.toHaveProperty('content');
    expect(said.headers['cache-control']).toBe('no-store');
    expect(calls).toEqual([{ kind: 'list', page: 2, limit: 5 }]);
  });

  it('searches, and gives one article', async () => {
    expect((await ask('/articles/search?q=crm')).body).toEqual({ articles: [], hasMore: false });
    expect((await ask('/articles/crm-basics')).body).toEqual(whole);
  });

  it.each(['/articles/none', '/articles/A', '/articles/%2e%2e'])('says 404 of %s', async (path) => {
    const said = await ask(path);
    expect([said.status, said.body.detail]).toEqual([404, "The article you're looking for doesn't exist."]);
  });

  it.each(['https://169.254.169.254/', '/../admin', '/articles/../admin', '/users'])(
    'refuses %s and asks nobody',
    async (path) => {
      const said = await ask(path);
      expect([said.status, said.body.code]).toEqual([400, 'invalid-request']);
      expect(calls).toEqual([]);
    },
  );

  it.each(['POST', 'DELETE', 'get', undefined])('refuses the method %s', async (method) => {
    const said = await post({ path: '/articles', method });
    expect([said.status, said.body.detail]).toEqual([400, 'method has to be "GET".']);
  });

  it.each([
    ['a body that is no JSON', '{', {}, {}, 400],
    ['other media types', '{}', { 'content-type': 'text/plain' }, {}, 415],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, {}, 415],
    ['other sites', '{}', { 'sec-fetch-site': 'cross-site' }, {}, 403],
    ['a huge body', ' '.repeat(70_000), {}, {}, 413],
    ['GET', '', {}, { method: 'GET' }, 405],
  ])('refuses %s', async (_, body, headers, about, status) => {
    expect((await post(body, headers, about)).status).toBe(status);
    expect(calls).toEqual([]);
  });

  it.each(['not-configured', 'unauthorized'] as const)(
    'says that the key is missing when it is %s',
    async (code) => {
      failure = new ArticleSourceError(code, '[articles:remote] secret words');
      const said = await ask('/articles');
      expect([said.status, said.body.detail]).toEqual([503, 'API key not configured']);
    },
  );

  it.each(['unreachable', 'timeout', 'bad-answer', 'failed', 'rate-limited'] as const)(
    'names the service and nothing else when it is %s',
    async (code) => {
      failure = new ArticleSourceError(code, '[articles:remote] secret words', { retryAfter: 7 });
      const said = await ask('/articles/crm-basics');
      expect(said.status).toBe(502);
      expect(said.body.detail).toBe('Article proxy invocation failed: Acme Articles');
      expect(JSON.stringify(said)).not.toContain('secret');
      expect(said.headers['retry-after']).toBe('7');
    },
  );

  it('leaves what it does not know to the server', async () => {
    failure = new TypeError('bug');
    await expect(ask('/articles')).rejects.toThrow('bug');
  });
});
