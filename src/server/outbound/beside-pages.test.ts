import { beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import { besideSchema } from '../../core/outbound/beside.schema.ts';
import type { Site } from '../site.ts';
import { createBesidePagesJob, readBesideLinks, readBesidePages } from './beside-pages.ts';

const HOST = 'localhost:8080';
const beside = besideSchema.parse({ hosts: [{ name: 'Blog', address: `http://${HOST}` }] });

/** What the blog answers by path; `#name` of a text is its ETag. */
let blog: Record<string, string | { readonly status: number; readonly location?: string }>;
let asked: string[];
let now: number;
let site: Site;

beforeEach(async () => {
  asked = [];
  now = Date.parse('2026-03-12T10:00:00Z');
  blog = {
    '/robots.txt':
      'User-agent: *\nDisallow: /secret\nSitemap: http://localhost:8080/index.xml\nSitemap: /secret.xml',
    '/': '<link rel="alternate" type="application/rss+xml" href="/feed"><link type="application/rss+xml" href="/other">',
    '/feed': { status: 301, location: '/feed/' },
    '/feed/': feed(
      'Kettles &amp;#8217; &lt;b&gt;best&lt;/b&gt;',
      '/kettles/',
      'Mon, 02 Mar 2026 23:30:00 +0000',
    ),
    '/feed?paged=2': feed('<![CDATA[Cups\u202E & more]]>', '/cups', ''),
    '/feed?paged=3': feed('Cups & more', '/cups', ''),
    '/index.xml': '<sitemapindex><sitemap><loc>/posts.xml</loc></sitemap></sitemapindex>',
    '/posts.xml': `#one<urlset>
<url><loc>http://${HOST}/kettles/?a=1</loc><lastmod>2026-03-10</lastmod><image:image><image:loc>/i.png</image:loc></image:image></url>
<url><loc>http://${HOST}/about</loc><lastmod>yesterday</lastmod></url><url><loc>https://evil.example/x</loc></url>
<url><loc>javascript:alert(1)</loc></url><url><loc>http://localhost:8081/y</loc></url><url></url></urlset>`,
  };
  site = await createTestSite({
    content: { beside },
    clock: { now: () => now, monotonic: () => now },
    platform: {
      createLinkRequests:
        () =>
        async (url, { headers }) => {
          const tag = new Map(Object.entries(headers)).get('if-none-match');
          asked.push(`${url.pathname}${url.search}${tag === undefined ? '' : ` ${tag}`}`);
          const answer = blog[url.pathname + url.search] ?? { status: 404 };
          const [, name = '', text = ''] =
            typeof answer === 'string' ? (/^(?:#(\w+))?(.*)/s.exec(answer) ?? []) : [];
          const given = typeof answer === 'string' ? { status: 200 } : answer;
          const status = name !== '' && tag === `"${name}"` ? 304 : given.status;
          return {
            status,
            headers: new Headers({
              ...(given.location !== undefined && { location: given.location }),
              ...(name !== '' && { etag: `"${name}"` }),
            }),
            body: new TextEncoder().encode(text),
          };
        },
    },
  });
});

const feed = (title: string, link: string, day: string) =>
  `<rss><channel><title>Blog</title><item><title>${title}</title><link>http://${HOST}${link}</link><pubDate>${day}</pubDate></item></channel></rss>`;
const run = () => createBesidePagesJob(site).run();
const read = async () => Object.fromEntries(await readBesidePages(site));

it('names pages by the feed and dates them by the sitemap, and knows no page of another site', async () => {
  await run();
  expect(await read()).toEqual({
    [`${HOST}/kettles/`]: { title: 'Kettles ’ best', published: '2026-03-02', updated: '2026-03-10' },
    [`${HOST}/cups`]: { title: 'Cups & more', published: '', updated: '' },
    [`${HOST}/about`]: { title: '', published: '', updated: '' },
  });
  // What robots.txt forbids is not asked.
  expect(asked).toEqual([
    ...['/robots.txt', '/', '/feed', '/feed/', '/feed?paged=2', '/feed?paged=3', '/index.xml', '/posts.xml'],
  ]);
});

it('counts the links of posts that may pay, each post once', async () => {
  const text = [
    'https://shop.example/k?tag=me',
    '/go/kettle',
    '/about?x=1',
    'https://news.example/',
    'mailto:a?b=c',
  ]
    .map((href) => `&lt;a href="${href}"&gt;x&lt;/a&gt;`)
    .join('');
  blog['/feed/'] = feed(`Kettles</title><description>${text}</description><title>`, '/kettles/', '');
  await run();
  now += DAY_MS;
  await run();
  expect(await readBesideLinks(site)).toEqual([
    ['shop.example', 1],
    [`${HOST}/go/`, 1],
  ]);
});

it('asks once a day, only for what has changed, and keeps the names of pages that are gone', async () => {
  await run();
  const before = await read();
  asked = [];
  now += DAY_MS - 1;
  await run();
  expect(asked).toEqual([]);
  now += 1;
  blog['/feed/'] = feed('New', '/new', '');
  await run();
  expect(asked).toEqual(['/robots.txt', '/', '/feed', '/feed/', '/index.xml', '/posts.xml "one"']);
  expect(await read()).toEqual({ ...before, [`${HOST}/new`]: { title: 'New', published: '', updated: '' } });
});

it.each([
  ['forbids everything', 'User-agent: *\nDisallow: /'],
  ['forbids it to this program', 'User-agent: Signpost-LinkWatch\nDisallow: /\n\nUser-agent: *\nAllow: /'],
  ['is out of order', { status: 503 }],
  ['is at another site', { status: 302, location: 'https://evil.example/robots.txt' }],
])('asks for nothing more where robots.txt %s', async (_, robots) => {
  blog['/robots.txt'] = robots;
  await run();
  await run();
  expect(asked).toEqual(['/robots.txt']);
  expect(await read()).toEqual({});
});

it.each(['', 'no XML', `<urlset>${'<url>'.repeat(100_000)}`, '<rss><item><title>'.repeat(9)])(
  'survives a sitemap and a feed that are damaged: %.20s',
  async (text) => {
    blog['/feed/'] = text;
    blog['/feed?paged=2'] = text;
    blog['/posts.xml'] = text;
    await run();
    expect(Object.keys(await read())).toEqual([]);
  },
);
