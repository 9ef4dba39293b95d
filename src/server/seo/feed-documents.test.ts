import { describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildJsonFeed, buildRss } from './feed-documents.ts';

const SITE = {
  name: 'CRM & Automation Hub',
  description: 'About <CRM>.',
  origin: 'https://hub.example',
  language: 'en',
  disclosure: 'We may earn a commission.',
};
const HOSTILE = ']]>]]></content:encoded></item><script>alert(1)</script>&\u0000\u0008\uFFFE\uD800"\'';

describe('buildRss', () => {
  it('has what a reader needs of each article', () => {
    const rss = buildRss(SITE, [
      buildTestArticle('b', 3, { updatedAt: '2026-02-01T00:00:00.000Z' }),
      buildTestArticle('a', 2),
    ]);
    expect(rss).toContain('<title>CRM &amp; Automation Hub</title>');
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
    const rss = buildRss(SITE, [buildTestArticle('a', 1, fields)]);
    expect(rss.match(/<\/item>/g)).toHaveLength(1);
    expect(rss).not.toMatch(/<script|\p{Surrogate}|\uFFFE/u);
    expect([...rss].filter((character) => character < ' ' && !/[\n\r\t]/.test(character))).toEqual([]);
  });
});

it('buildRss escapes an escaped text once more', () => {
  const rss = buildRss(SITE, [buildTestArticle('a', 1, { title: '&amp; &lt;', content: '<p>&amp;lt;</p>' })]);
  expect(rss).toContain('<title>&amp;amp; &amp;lt;</title>');
  expect(rss).toContain('&lt;p&gt;&amp;amp;lt;&lt;/p&gt;</content:encoded>');
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
