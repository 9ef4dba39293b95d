import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerAsRemote, buildServedArticles } from '../support/fake-services.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream, UPSTREAM_SECRET, type Upstream } from '../support/upstream-server.ts';

const KEY = 'key-that-nobody-may-see';
const COUNT = 30;
const LOAD_FAILED = 'Failed to load articles. Please try again.';

const served = buildServedArticles(COUNT);

async function read(site: Site, address: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(site.url + address);
  return { status: answer.status, text: await answer.text() };
}

async function invoke(site: Site, path: string, name = 'article-service-proxy') {
  const answer = await fetch(`${site.url}/functions/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path, method: 'GET', payload: null }),
  });
  return { status: answer.status, body: await answer.json() };
}

const readNotes = async (site: Site): Promise<string> => (await read(site, '/readyz')).text;

describe('a service that goes away', () => {
  let upstream: Upstream;
  let site: Site;
  beforeAll(async () => {
    upstream = await startUpstream(answerAsRemote(() => served));
    site = await startSite({
      articleService: { url: upstream.url, key: KEY },
      env: { ARTICLE_CACHE_SECONDS: '1' },
    });
  });
  afterAll(async () => {
    await site.remove();
    await upstream.close();
  });

  it('is read in whole while it is there', async () => {
    const read = () => new Set(upstream.calls.filter((call) => /article-\d+$/.test(call))).size;
    await expect.poll(read, { timeout: 30_000 }).toBe(COUNT);
    await sleep(200);
  });

  it('is not missed: hub, articles and search go on, in the pages and in the functions', async () => {
    await upstream.fail('hang');
    await sleep(1_100);
    for (let round = 0; round < 3; round++) {
      const [hub, article, found] = await Promise.all([
        read(site, '/blog'),
        read(site, '/blog/article-17'),
        read(site, `/blog?q=excrept${'&page=1'.repeat(round)}`),
      ]);
      expect([hub.status, article.status, found.status]).toEqual([200, 200, 200]);
      expect(hub.text).toContain('Article number 0 about');
      expect(article.text).toContain('The body of 17.');
      expect(found.text).toContain('<mark>excerpt</mark>');
    }
    const list = await invoke(site, '/articles?page=2&limit=12');
    expect(list.body.articles).toHaveLength(12);
    expect((await invoke(site, '/articles/article-29', 'article-service-cdn-proxy')).status).toBe(200);
    await expect
      .poll(() => readNotes(site), { timeout: 10_000 })
      .toMatch(/"status":"ready".*remote source has failed.*timeout/);
    expect(site.output()).toContain('the source fails');
  });

  it('answers promptly while every call hangs', async () => {
    const times: number[] = [];
    for (let count = 0; count < 21; count++) {
      const start = performance.now();
      await invoke(site, `/articles/article-${count}`);
      times.push(performance.now() - start);
    }
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(50);
  });

  it('is not missed by a site that starts while it is away', async () => {
    await upstream.fail('down');
    await site.kill();
    await site.start();
    const [hub, second, article, found, gone] = await Promise.all([
      read(site, '/blog'),
      read(site, '/blog?page=2'),
      read(site, '/blog/article-5'),
      read(site, '/blog?q=body%20of%2023'),
      read(site, '/blog/never-there'),
    ]);
    expect([hub.status, second.status, article.status, found.status]).toEqual([200, 200, 200, 200]);
    expect(hub.text).toContain('Article number 11 about');
    expect(article.text).toContain('The body of 5.');
    expect(found.text).toContain('Article number 23 about');
    // Nobody can know whether it exists: an error with Retry, not a page that says it does not.
    expect(gone.status).toBe(503);
  });

  it('is followed again when it is back', async () => {
    await upstream.fail(null);
    await expect.poll(() => readNotes(site), { timeout: 20_000 }).toBe('{"status":"ready"}');
    expect((await read(site, '/blog/never-there')).status).toBe(404);
  });

  it('shows neither its words nor the key to anybody', async () => {
    await upstream.fail('status-500');
    await sleep(1_100);
    const answers = await Promise.all([
      read(site, '/blog/unknown-1'),
      read(site, '/blog?q=unknown'),
      read(site, '/readyz'),
      invoke(site, '/articles/unknown-2').then(({ body }) => ({ text: JSON.stringify(body) })),
    ]);
    for (const { text } of [...answers, { text: site.output() }]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(UPSTREAM_SECRET);
      expect(text).not.toContain(upstream.url);
    }
    await upstream.fail(null);
  });
});

describe('a service that was never there', () => {
  it('is an error with Retry, and named in the functions', async () => {
    const site = await startSite({ articleService: { url: 'http://127.0.0.1:1', key: KEY } });
    const hub = await read(site, '/blog');
    expect([hub.status, hub.text.includes(LOAD_FAILED), hub.text.includes('Retry')]).toEqual([
      503,
      true,
      true,
    ]);
    const article = await read(site, '/blog/some-article');
    expect(article.status).toBe(503);
    expect(article.text).toContain('Failed to load article. Please try again.');
    const said = await invoke(site, '/articles?page=1&limit=12');
    expect([said.status, said.body.detail]).toEqual([
      502,
      'Article proxy invocation failed: Article Service',
    ]);
    expect((await read(site, '/')).status).toBe(200);
    await site.remove();
  });

  it('without a key is the connect screen', async () => {
    const site = await startSite({ articleService: { url: 'http://127.0.0.1:1' } });
    const hub = await read(site, '/blog');
    expect(hub.text).toContain('Connect to Article Service');
    expect(hub.text).not.toContain(LOAD_FAILED);
    const said = await invoke(site, '/articles?page=1&limit=1');
    expect(said.body.detail).toBe('API key not configured');
    await site.remove();
  });
});
