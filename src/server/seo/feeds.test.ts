import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { readSampleSite } from '../../../test/support/sample-content.ts';
import { type ArticleSource, ArticleSourceError } from '../../core/articles/article-source.ts';
import { PageCache } from '../../runtimes/node/page-cache.ts';
import { buildAtom, buildFeedContent, buildJsonFeed, buildRss, createFeedRoutes } from './feeds.ts';

const NO_FIGURES = new Map<string, string>();
const served = Array.from({ length: 30 }, (_, index) => buildTestArticle(`a${index}`, 30 - index));
let now = 1;
let lists = 0;
let failure: Error | null = null;
let broken = '';
const articles: ArticleSource = {
  list: async ({ limit }) => {
    lists += 1;
    if (failure) throw failure;
    return { articles: served.slice(0, limit), hasMore: true };
  },
  search: async () => ({ articles: [], hasMore: false }),
  get: async (slug) => {
    if (slug === broken) throw new ArticleSourceError('bad-response', '[articles:test] none');
    return served.find((article) => article.slug === slug) ?? null;
  },
};
let cache: PageCache;
const routes = createFeedRoutes(articles, () => ({ site: readSampleSite(), figures: NO_FIGURES }), {
  siteUrl: 'https://hub.example',
});
beforeEach(() => {
  now = 1;
  lists = 0;
  failure = null;
  broken = '';
  const bounds = { freshMs: 60_000, maxStaleMs: 600_000, maxPages: 10, maxBytes: 1_000_000 };
  cache = new PageCache(bounds, () => now);
});
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const route = routes.find((one) => one.path === path);
  if (!route) return expect.fail(`no route for ${path}`);
  return createRouteClient(route, { cache })(null, headers, { method });
};

it('contains the twenty newest articles', async () => {
  const rss = await get('/rss.xml');
  expect(rss.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  expect((await rss.text()).match(/<item>/g)).toHaveLength(20);
  expect(rss.headers.get('last-modified')).toBe('Fri, 30 Jan 2026 00:00:00 GMT');
  expect((await (await get('/feed.json')).json()).items).toHaveLength(20);
  expect((await (await get('/atom.xml')).text()).match(/<entry>/g)).toHaveLength(20);
});

it('is built once a minute', async () => {
  await Promise.all([get('/rss.xml'), get('/rss.xml'), get('/rss.xml')]);
  await get('/rss.xml');
  expect(lists).toBe(1);
  now += 60_001;
  await get('/rss.xml');
  expect(lists).toBe(2);
});

it('responds 304 to a client that has it, in either encoding', async () => {
  for (const encoding of [{}, { 'accept-encoding': 'br, gzip' }]) {
    const first = await get('/rss.xml', encoding);
    const again = await get('/rss.xml', {
      ...encoding,
      'if-none-match': `W/"x", ${first.headers.get('etag')}`,
    });
    expect([again.status, again.body]).toEqual([304, null]);
  }
});

it('responds 304 to a client that names the day of the copy that it has', async () => {
  const since = (await get('/rss.xml')).headers.get('last-modified') ?? '';
  for (const [headers, status] of [
    [{ 'if-modified-since': since }, 304],
    [{ 'if-modified-since': since, 'if-none-match': '"another"' }, 200],
    [{ 'if-modified-since': 'Mon, 02 Feb 2026 00:00:00 GMT' }, 200],
    [{ 'if-modified-since': 'yesterday' }, 200],
  ] as const)
    expect([headers, (await get('/rss.xml', headers)).status]).toEqual([headers, status]);
  expect((await get('/rss.xml', { 'if-modified-since': since }, 'HEAD')).status).toBe(304);
});

it('is compressed for a client that accepts gzip', async () => {
  const zipped = await get('/rss.xml', { 'accept-encoding': 'gzip, deflate' });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  const text = gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString();
  expect(text).toBe(await (await get('/rss.xml')).text());
});

it('leaves out the one article that cannot be read', async () => {
  broken = 'a3';
  expect((await (await get('/rss.xml')).text()).match(/<item>/g)).toHaveLength(19);
});

it('responds 503 while the source fails, and 200 at the next request after that', async () => {
  failure = new ArticleSourceError('timeout', '[articles:test] timeout');
  expect((await get('/rss.xml')).status).toBe(503);
  failure = null;
  expect((await get('/rss.xml')).status).toBe(200);
});

it.each(['POST', 'PUT', 'DELETE'])('responds 405 to %s', async (method) =>
  expect((await get('/rss.xml', {}, method)).status).toBe(405),
);

const SITE = {
  name: 'CRM & Automation Hub',
  description: 'About <CRM>.',
  origin: 'https://hub.example',
  language: 'en',
  disclosure: 'We may earn a commission.',
  figures: new Map([
    ['product:kit', 'Kit <for> you'],
    ['product:kit.price', '$29 per month'],
    ['product:kit.verdict', 'For creators.'],
  ]),
};
const HOSTILE = ']]>]]></content:encoded></item><script>alert(1)</script>&\u0000\u0008\uFFFE\uD800"\'';

describe('buildRss', () => {
  it('has what a reader needs of each article', () => {
    const rss = buildRss(SITE, [
      buildTestArticle('b', 3, { updatedAt: '2026-02-01T00:00:00.000Z' }),
      buildTestArticle('a', 2),
    ]);
    expect(rss).toContain('<title>CRM &#x26; Automation Hub</title>');
    expect(rss).toContain('<lastBuildDate>Sun, 01 Feb 2026 00:00:00 GMT</lastBuildDate>');
    expect(rss).toContain('<guid isPermaLink="true">https://hub.example/blog/a</guid>');
    expect(rss).toContain('<pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate>');
    expect(rss).toContain('&lt;p&gt;Body of a&lt;/p&gt;</content:encoded>');
    expect(rss.match(/<item>/g)).toHaveLength(2);
  });

  it('stays whole whatever a field holds', () => {
    const fields = {
      title: HOSTILE,
      excerpt: HOSTILE,
      author: HOSTILE,
      tags: [HOSTILE],
      categories: [HOSTILE],
    };
    const articles = [buildTestArticle('a', 1, { ...fields, content: HOSTILE })];
    const atom = buildAtom(SITE, articles);
    expect(atom.match(/<!\[CDATA\[/g)).toHaveLength(atom.match(/]]>/g)?.length ?? 0);
    expect(atom.replace(/<!\[CDATA\[.*?]]>/gs, '')).not.toMatch(/<script|<\/content:/);
    const rss = buildRss(SITE, [buildTestArticle('a', 1, fields)]);
    expect(rss.match(/<\/item>/g)).toHaveLength(1);
    expect(rss).not.toMatch(/<script|\p{Surrogate}|\uFFFE/u);
    expect([...rss, ...atom].filter((character) => character < ' ' && !/[\n\r\t]/.test(character))).toEqual(
      [],
    );
  });
});

it('buildRss escapes an escaped text once more', () => {
  const rss = buildRss(SITE, [buildTestArticle('a', 1, { title: '&amp; &lt;', content: '<p>&amp;lt;</p>' })]);
  expect(rss).toContain('<title>&#x26;amp; &#x26;lt;</title>');
  expect(rss).toContain('&lt;p&gt;&amp;amp;lt;&lt;/p&gt;</content:encoded>');
});

it('buildRss keeps to the rules of the validator', () => {
  const [title, excerpt] = ['Why <h1> & </h1> matter', 'Use <script> tags & more'];
  const content = `<p>{{product-box product=&quot;kit&quot;}}</p><p><a href="/x">x</a><img src="/a.svg" alt=""></p>`;
  const rss = buildRss(SITE, [buildTestArticle('a', 1, { title, excerpt, content })]);
  // Titles are plain text, and readers agree on numeric references alone; descriptions are HTML.
  expect(rss).toContain('<title>Why &#x3C;h1&gt; &#x26; &#x3C;/h1&gt; matter</title>');
  expect(rss).toContain('<description>Use &amp;lt;script&amp;gt; tags &amp;amp; more</description>');
  expect(rss.indexOf('<description>Use')).toBeLessThan(rss.indexOf('<content:encoded>'));
  // An enclosure needs the length of its file, which nobody knows here; the text begins with the image.
  expect(rss).not.toContain('<enclosure');
  expect(rss).toContain('&lt;li&gt;Kit &amp;lt;for&amp;gt; you, $29 per month: For creators.&lt;/li&gt;');
  expect(rss).not.toMatch(/(?:href|src)="(?!https:)/);
});

it('buildJsonFeed writes version 1.1', () => {
  const feed = JSON.parse(buildJsonFeed(SITE, [buildTestArticle('a', 2, { title: HOSTILE })]));
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    feed_url: 'https://hub.example/feed.json',
    language: 'en',
    items: [
      {
        id: 'https://hub.example/blog/a',
        title: HOSTILE,
        image: 'https://hub.example/a.png',
        date_published: '2026-01-02T00:00:00.000Z',
        tags: ['Automation', 'crm'],
        authors: [{ name: expect.any(String) }],
      },
    ],
  });
});

it.each([
  ['RSS', buildRss],
  ['JSON', buildJsonFeed],
])('%s has the excerpt of an article whose text does not fit beside those of newer ones', (_, build) => {
  const long = 'long '.repeat(60_000);
  const feed = build(SITE, [
    buildTestArticle('a', 4, { content: long }),
    buildTestArticle('b', 3, { content: long, excerpt: 'The excerpt of b.' }),
    buildTestArticle('c', 2, { content: 'The text of c.' }),
  ]);
  expect(feed.length).toBeLessThan(310_000);
  expect(feed).toMatch(/p(?:>|&gt;)The excerpt of b\./);
  expect(feed).toContain('The text of c.');
});

const PAID =
  '<p><a href="/go/highlevel?page=pricing&amp;source=article" rel="sponsored noopener" target="_blank" data-action="call_to_action" data-label="article" data-source="article">x</a></p>';

it('makes addresses absolute', () => {
  const content =
    '<h2 id="s-a">A</h2><a href="#s-a">1</a><a href="/blog/b#s-c">2</a><a href="https://x.example/">3</a><img src="/art/a.png" srcset="/art/b.png 2x" sizes="auto" alt="">';
  expect(
    buildFeedContent(buildTestArticle('here', 1, { content, featuredImage: null }), {
      ...SITE,
      disclosure: '',
    }),
  ).toBe(
    '<h2 id="s-a">A</h2><a href="https://hub.example/blog/here#s-a">1</a><a href="https://hub.example/blog/b#s-c">2</a><a href="https://x.example/">3</a><img src="https://hub.example/art/a.png" alt="">',
  );
});

it('leaves the text of a body alone, however much it looks like attributes', () => {
  const content = '<pre><code>&lt;a href="/x" rel="sponsored" role="tab" sizes="auto"&gt;</code></pre>';
  const article = buildTestArticle('here', 1, { content, featuredImage: null });
  expect(buildFeedContent(article, SITE)).toBe(content);
});

it('adds the disclosure before a body with sponsored links', () => {
  const content = buildFeedContent(buildTestArticle('a', 1, { content: PAID }), {
    ...SITE,
    disclosure: 'Paid & <plain>.',
  });
  expect(content.startsWith('<p><em>Paid &amp; &lt;plain&gt;.</em></p>')).toBe(true);
  expect(content).toContain('href="https://hub.example/go/highlevel?page=pricing&amp;source=article"');
  expect(content).not.toContain('data-');
  expect(buildFeedContent(buildTestArticle('a'), SITE)).not.toContain(SITE.disclosure);
});
