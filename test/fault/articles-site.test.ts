/** @module-tag rest */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildServedArticles, respondAsRemote } from '../support/fake-services.ts';
import { purgeArticles } from '../support/purge-articles.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream, UPSTREAM_SECRET, type Upstream } from '../support/upstream-server.ts';

const KEY = 'key-that-must-not-leak';
const COUNT = 30;
const WAIT = { timeout: 30_000, interval: 100 };
const LOAD_FAILED = 'Failed to load articles. Please try again.';

async function read(site: Site, address: string): Promise<{ status: number; text: string }> {
  const response = await fetch(site.url + address);
  return { status: response.status, text: await response.text() };
}

async function invoke(site: Site, path: string, name = 'article-service-proxy') {
  const response = await fetch(`${site.url}/functions/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path, method: 'GET', payload: null }),
  });
  return { status: response.status, body: await response.json() };
}

const readWarnings = async (site: Site): Promise<string> => (await read(site, '/readyz')).text;

/** Starts a service, and a site that crawls it completely. */
async function startCrawled() {
  const served = buildServedArticles(COUNT);
  const upstream = await startUpstream(respondAsRemote(() => served));
  const site = await startSite({ articleService: { url: upstream.url, key: KEY } });
  const countCrawled = () => new Set(upstream.calls.filter((call) => /article-\d+$/.test(call))).size;
  await vi.waitUntil(() => countCrawled() === COUNT, WAIT);
  // What upstream has sent is stored a little later.
  for (let number = 0; number < COUNT; number += 1) {
    const readBody = async () => (await read(site, `/blog/article-${number}`)).text;
    await vi.waitUntil(async () => (await readBody()).includes(`The body of ${number}.`), WAIT);
  }
  return { served, upstream, site };
}

describe('a service that fails', () => {
  let upstream: Upstream;
  let site: Site;
  beforeAll(async () => {
    ({ upstream, site } = await startCrawled());
  });
  afterAll(async () => {
    await site.remove();
    await upstream.close();
  });

  /** Starts the site again while the service fails: copies of a run before are old. */
  const restartDuring = async (fault: 'hang' | 'down') => {
    await upstream.fail(fault);
    await site.kill();
    await site.start();
  };

  it('does not affect hub, articles and search, on pages and in the proxy endpoints', async () => {
    await restartDuring('hang');
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
      .poll(() => readWarnings(site), { timeout: 40_000 })
      .toMatch(/"status":"ready".*remote source has failed.*timeout/);
    expect(site.output()).toContain('the source fails');
  });

  it('does not delay responses while every call hangs', { tags: ['measures'] }, async () => {
    await restartDuring('hang');
    const times: number[] = [];
    for (let count = 0; count < 21; count++) {
      const start = performance.now();
      await invoke(site, `/articles/article-${count}`);
      times.push(performance.now() - start);
    }
    // A response that waited for the service would take two seconds.
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(1_000);
  });

  it('does not affect a site that starts during the outage, and is used again afterwards', async () => {
    await restartDuring('down');
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
    // Whether the article exists cannot be known, so the page is an error with Retry and not a 404.
    expect(gone.status).toBe(503);
    await upstream.fail(null);
    await expect.poll(async () => (await read(site, '/blog/never-there')).status).toBe(404);
    expect(await readWarnings(site)).toBe('{"status":"ready"}');
  });

  it('is read again by a purge, which a running server follows; an outage leaves the copies unless it is forced', async () => {
    const { served, upstream, site } = await startCrawled();
    onTestFinished(async () => {
      await site.remove();
      await upstream.close();
    });
    const readBody = async () => (await read(site, '/blog/article-7')).text;
    const purge = (...words: readonly string[]) =>
      purgeArticles(site, { url: upstream.url, key: KEY }, ...words);
    const replace = (text: string) => {
      const [article] = served.filter(({ slug }) => slug === 'article-7');
      if (article) Object.assign(article, { html: `<p>${text}</p>` });
    };
    expect(await readBody()).toContain('The body of 7.');
    replace('Purged and read again.');
    expect(await purge('article-7')).toMatchObject({ code: 0 });
    await expect.poll(readBody).toContain('Purged and read again.');
    await upstream.fail('down');
    replace('Never read.');
    const refused = await purge('article-7');
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('article-7: unchanged')]);
    expect((await purge()).code).toBe(1);
    expect(await readBody()).toContain('Purged and read again.');
    expect((await purge('article-7', '--force')).output).toContain('article-7: removed');
    await expect.poll(async () => (await read(site, '/blog/article-7')).status).toBe(503);
    await expect.poll(async () => (await read(site, '/blog')).text).not.toContain('/blog/article-7"');
    await upstream.fail(null);
    await expect.poll(readBody).toContain('Never read.');
  });

  it('never leaks its error text or the key', async () => {
    await upstream.fail('status-500');
    const responses = await Promise.all([
      read(site, '/blog/unknown-1'),
      read(site, '/blog?q=unknown'),
      read(site, '/readyz'),
      invoke(site, '/articles/unknown-2').then(({ body }) => ({ text: JSON.stringify(body) })),
    ]);
    for (const { text } of [...responses, { text: site.output() }]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(UPSTREAM_SECRET);
      expect(text).not.toContain(upstream.url);
    }
    await upstream.fail(null);
  });
});

describe('a service that never worked', () => {
  it('leads to an error with Retry, and is named by the proxy endpoints', async () => {
    await using site = await startSite({ articleService: { url: 'http://127.0.0.1:1', key: KEY } });
    const hub = await read(site, '/blog');
    expect([hub.status, hub.text.includes(LOAD_FAILED), hub.text.includes('Retry')]).toEqual([
      503,
      true,
      true,
    ]);
    const article = await read(site, '/blog/some-article');
    expect(article.status).toBe(503);
    expect(article.text).toContain('Failed to load article. Please try again.');
    const response = await invoke(site, '/articles?page=1&limit=12');
    expect([response.status, response.body.detail]).toEqual([
      502,
      'Article proxy invocation failed: Article Service',
    ]);
    expect((await read(site, '/')).status).toBe(200);
    const ready = await read(site, '/readyz');
    expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('was never read (unreachable')]);
    expect(site.output()).toContain(
      '127.0.0.1:1: the connection failed (ECONNREFUSED). Check ARTICLE_SERVICE_URL',
    );
  });

  it('leads to the connect screen without a key', async () => {
    await using site = await startSite({ articleService: { url: 'http://127.0.0.1:1' } });
    const hub = await read(site, '/blog');
    expect(hub.text).toContain('Connect to Article Service');
    expect(hub.text).not.toContain(LOAD_FAILED);
    const response = await invoke(site, '/articles?page=1&limit=1');
    expect(response.body.detail).toBe('API key not configured');
    expect((await read(site, '/readyz')).text).toContain('was never read (not-configured');
    expect(site.output()).toContain('API key not configured. Set ARTICLE_SERVICE_KEY');
  });
});
