import { describe, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildFeedContent } from './feed-content.ts';
import { buildJsonFeed } from './json-feed.ts';
import { buildRss } from './rss.ts';

const SITE = {
  name: 'CRM & Automation Hub',
  description: 'About <CRM>.',
  origin: 'https://hub.example',
  language: 'en',
  disclosure: 'We may earn a commission.',
};
const PAID =
  '<p><a href="/go/highlevel?page=pricing&amp;source=article" rel="sponsored noopener" target="_blank" data-action="call_to_action" data-label="article" data-source="article">x</a></p>';
const HOSTILE = ']]></content:encoded></item><script>alert(1)</script>&\u0000\u0008\uFFFE\uD800"\'';

describe('buildFeedContent', () => {
  it('makes addresses whole', () => {
    const content =
      '<h2 id="s-a">A</h2><a href="#s-a">1</a><a href="/blog/b#s-c">2</a><a href="https://x.example/">3</a><img src="/art/a.png" srcset="/art/b.png 2x" sizes="auto" alt="">';
    expect(
      buildFeedContent(buildTestArticle('here', 1, { content, featuredImage: null }), SITE.origin, ''),
    ).toBe(
      '<h2 id="s-a">A</h2><a href="https://hub.example/blog/here#s-a">1</a><a href="https://hub.example/blog/b#s-c">2</a><a href="https://x.example/">3</a><img src="https://hub.example/art/a.png" alt="">',
    );
  });

  it('says that links are paid before the first of them', () => {
    const content = buildFeedContent(
      buildTestArticle('a', 1, { content: PAID }),
      SITE.origin,
      'Paid & <plain>.',
    );
    expect(content.startsWith('<p><em>Paid &amp; &lt;plain&gt;.</em></p>')).toBe(true);
    expect(content).toContain('href="https://hub.example/go/highlevel?page=pricing&amp;source=article"');
    expect(content).not.toContain('data-');
    expect(buildFeedContent(buildTestArticle('a'), SITE.origin, 'Paid.')).not.toContain('Paid.');
  });
});

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

it('the JSON feed has the form of version 1.1', () => {
  const feed = JSON.parse(buildJsonFeed(SITE, [buildTestArticle('a', 2, { title: HOSTILE })]));
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    feed_url: 'https://hub.example/feed.json',
    items: [
      {
        id: 'https://hub.example/blog/a',
        title: HOSTILE,
        image: 'https://hub.example/a.png',
        date_published: '2026-01-02T00:00:00.000Z',
        tags: ['Automation', 'crm'],
      },
    ],
  });
});
