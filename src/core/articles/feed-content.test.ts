import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildFeedContent } from './feed-content.ts';

const ORIGIN = 'https://hub.example';
const PAID =
  '<p><a href="/go/highlevel?page=pricing&amp;source=article" rel="sponsored noopener" target="_blank" data-action="call_to_action" data-label="article" data-source="article">x</a></p>';

it('makes addresses absolute', () => {
  const content =
    '<h2 id="s-a">A</h2><a href="#s-a">1</a><a href="/blog/b#s-c">2</a><a href="https://x.example/">3</a><img src="/art/a.png" srcset="/art/b.png 2x" sizes="auto" alt="">';
  expect(buildFeedContent(buildTestArticle('here', 1, { content, featuredImage: null }), ORIGIN, '')).toBe(
    '<h2 id="s-a">A</h2><a href="https://hub.example/blog/here#s-a">1</a><a href="https://hub.example/blog/b#s-c">2</a><a href="https://x.example/">3</a><img src="https://hub.example/art/a.png" alt="">',
  );
});

it('leaves the text of a body alone, however much it looks like attributes', () => {
  const content = '<pre><code>&lt;a href="/x" rel="sponsored" role="tab" sizes="auto"&gt;</code></pre>';
  const article = buildTestArticle('here', 1, { content, featuredImage: null });
  expect(buildFeedContent(article, ORIGIN, 'Paid.')).toBe(content);
});

it('adds the disclosure before a body with sponsored links', () => {
  const content = buildFeedContent(buildTestArticle('a', 1, { content: PAID }), ORIGIN, 'Paid & <plain>.');
  expect(content.startsWith('<p><em>Paid &amp; &lt;plain&gt;.</em></p>')).toBe(true);
  expect(content).toContain('href="https://hub.example/go/highlevel?page=pricing&amp;source=article"');
  expect(content).not.toContain('data-');
  expect(buildFeedContent(buildTestArticle('a'), ORIGIN, 'Paid.')).not.toContain('Paid.');
});
