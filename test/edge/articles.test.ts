import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { buildServedArticles, respondAsRemote } from '../support/fake-services.ts';
import { purgeArticles } from '../support/purge-articles.ts';
import { type Site, startSite } from '../support/site.ts';
import { FAULTS, startUpstream, UPSTREAM_SECRET, type Upstream } from '../support/upstream-server.ts';

const KEY = 'key-that-must-not-leak';
const COUNT = 30;

const served = buildServedArticles(COUNT);
let upstream: Upstream;
let site: Site;

beforeAll(async () => {
  upstream = await startUpstream(respondAsRemote(() => served));
  site = await startSite({ runtime: 'workers', articleService: { url: upstream.url, key: KEY } });
  // The Cron Trigger reads the whole service.
  const countCrawled = () => new Set(upstream.calls.filter((call) => /article-\d+$/.test(call))).size;
  await vi.waitUntil(() => countCrawled() === COUNT, { timeout: 180_000 });
  let count = 0;
  const search = async () => (await read(`/blog?q=exerpt+${++count}`)).text.includes('<mark>excerpt</mark>');
  await vi.waitUntil(search, { timeout: 180_000 });
});
beforeEach(() => upstream.fail(null));
afterAll(async () => {
  await site.remove();
  await upstream.close();
});

async function read(address: string): Promise<{ status: number; text: string }> {
  const response = await fetch(site.url + address);
  return { status: response.status, text: await response.text() };
}

const readStatuses = async (addresses: readonly string[]) =>
  (await Promise.all(addresses.map(read))).map(({ status }) => status);

/** `typo`: another one each time, because pages of results are cached as well. */
const expectEverything = async (typo: string) => {
  const addresses = ['/blog', '/blog?page=2', '/blog/article-29', '/blog/topic/automation', '/rss.xml'];
  expect(await readStatuses(addresses)).toEqual([200, 200, 200, 200, 200]);
  expect((await read('/blog?page=2')).text).toContain('Article number 12 about');
  expect((await read('/blog/article-29')).text).toContain('The body of 29.');
  expect((await read(`/blog?q=${typo}`)).text).toContain('<mark>excerpt</mark>');
};

it('shows what the Cron Trigger has read', () => expectEverything('excrept'));

const purge = (slug: string) => purgeArticles(site, { url: upstream.url, key: KEY }, slug);

it('shows and finds a purged copy, and keeps the copy of an article that cannot be read', async () => {
  const index = served.findIndex(({ slug }) => slug === 'article-3');
  const [article] = served.splice(index, 1);
  if (article) served.splice(index, 0, { ...article, html: '<p>Corrected to zirconium.</p>' });
  await upstream.fail('status-500');
  expect(await purge('article-3')).toMatchObject({
    code: 1,
    output: expect.stringContaining('article-3: unchanged'),
  });
  await upstream.fail(null);
  expect(await purge('article-3')).toEqual({
    code: 0,
    output: 'article-3: replaced\n1 copies replaced, 0 could not be read.\n',
  });
  // An instance looks for changes of others every ten seconds; pages of results are cached.
  let count = 0;
  const search = async () => (await read(`/blog?q=zirconum+${++count}`)).text;
  await expect.poll(search, { timeout: 180_000, interval: 500 }).toContain('Corrected to <mark>zirconium');
});

it('shows copies while the service fails in every way, and leaks nothing of it', async () => {
  for (const fault of FAULTS) {
    await upstream.fail(fault);
    expect(await readStatuses(['/blog', '/blog/article-17', `/blog?q=body+17+${fault}`])).toEqual([
      200, 200, 200,
    ]);
    const { status, text } = await read(`/blog/not-known-${fault}`);
    expect([fault, status]).toEqual([fault, 503]);
    for (const secret of [UPSTREAM_SECRET, KEY, upstream.url])
      expect(text + site.output()).not.toContain(secret);
  }
  expect(site.output()).toContain('the source fails');
});

it('finds landing pages beside the articles', async () =>
  expect((await read('/blog?q=hubspot+price')).text).toContain('id="found-pages"'));

it('shows the copies of the database after a restart while the service is down', async () => {
  await upstream.fail('down');
  await site.kill();
  await site.start();
  await expectEverything('excerrpt');
  expect((await read('/readyz')).status).toBe(200);
});

it('reads an article that it does not know when a reader asks for it, once the service is back', async () => {
  await upstream.fail('down');
  expect((await read('/blog/not-there-yet')).status).toBe(503);
  await upstream.fail(null);
  served.unshift(...buildServedArticles(1).map((article) => ({ ...article, slug: 'brand-new' })));
  await expect.poll(async () => (await read('/blog/brand-new')).status, { timeout: 60_000 }).toBe(200);
  expect((await read('/blog/never-there')).status).toBe(404);
});
