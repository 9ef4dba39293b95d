import { expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import type { Article } from './article.ts';
import { checkArticle, type InspectedBody } from './check-article.ts';

const GOOD_IMAGE = { src: '/art/a.png', alt: 'A', isSized: true };

function check(
  change: Partial<Article> = {},
  body: Partial<InspectedBody> = {},
  text = 'word '.repeat(200),
  topics: readonly string[] | null = null,
) {
  return checkArticle({
    article: buildTestArticle('a', 1, { seoDescription: 'What it says.', ...change }),
    text,
    topics,
    html: '<h2 id="s-sum">Sum</h2>',
    body: { images: [GOOD_IMAGE], links: ['/blog/b'], frames: [], elements: ['p', 'h2'], ...body },
    siteOrigin: 'https://hub.example',
    isPath: (path) => path === '/blog/b' || path === '/blog/c?x=1',
    findPartner: (address) => (address.includes('go.network') ? 'Acme' : null),
    findImageProblem: (src) => (src.includes('evil') ? 'its host needs https' : null),
  });
}

it('finds nothing to fix in a good article', () => expect(check()).toEqual([]));

it('finds a first category that is no topic of the site, unless another system has the topics', () => {
  const inTopics = (topics: readonly string[] | null) =>
    check({ categories: ['Pricng', 'Any'] }, {}, undefined, topics);
  expect(inTopics(['Pricing', 'Reviews'])).toEqual([
    'the first category "Pricng" is not a topic of content/site.yaml (Pricing, Reviews)',
  ]);
  expect(inTopics(['Pricng'])).toEqual([]);
  expect(inTopics(null)).toEqual([]);
});

it.each<[Partial<Article>, RegExp]>([
  [{ excerpt: '' }, /excerpt is missing/],
  [{ seoDescription: '' }, /description for search engines is missing/],
  [{ seoDescription: 'x'.repeat(161) }, /has 161 characters/],
  [{ title: 'x'.repeat(71) }, /title has 71 characters/],
  [{ title: 'x'.repeat(90), seoTitle: 'x'.repeat(80) }, /title has 80 characters/],
  [{ categories: [] }, /no category/],
  [{ author: '' }, /author is missing/],
  [{ featuredImage: null }, /no featured image/],
  [{ featuredImage: { src: '/a', alt: '', width: 1, height: 1, sources: [] } }, /no alternative text/],
])('finds the problem of the fields %j', (change, sentence) => {
  expect(check(change)).toEqual([expect.stringMatching(sentence)]);
});

it.each<[Partial<InspectedBody>, RegExp]>([
  [{ images: [{ ...GOOD_IMAGE, alt: null }] }, /a\.png has no alternative text/],
  [{ images: [{ ...GOOD_IMAGE, isSized: false }] }, /a\.png has no width and height/],
  [{ images: [{ ...GOOD_IMAGE, src: 'https://evil.example/x' }] }, /is not shown/],
  [{ links: ['/blog/none', '/blog/none'] }, /\/blog\/none points to no page/],
  [
    { links: ['https://go.network.example/c/1'] },
    /leads to Acme and is neither marked as paid nor disclosed/,
  ],
  [{ links: ['https://hub.example/gone'] }, /points to no page/],
  [{ links: ['c?x=2'] }, /points to no page/],
  [{ links: ['#none'] }, /#none points to no heading/],
  [{ links: ['http://x.example/'] }, /is not https/],
  [{ links: ['http://'] }, /is not a valid address/],
  [{ elements: ['p', 'script', 'form'] }, /removed: script, form/],
  [{ elements: ['h1'] }, /first-level heading/],
])('finds the problem of the body %j', (body, sentence) => {
  expect(check({}, body)).toEqual([expect.stringMatching(sentence)]);
});

it.each(['#sum', '/blog/b#x', 'c?x=1', 'https://x.example/', 'mailto:a@b.example'])('accepts %s', (href) =>
  expect(check({}, { links: [href] })).toEqual([]),
);

it('accepts a decorative image', () =>
  expect(check({}, { images: [{ ...GOOD_IMAGE, alt: '' }] })).toEqual([]));

it('finds a text that is too short', () =>
  expect(check({}, {}, 'Three words only')).toEqual(['the text has only 3 words']));

it('asks article files with figures for sources, not the articles of other systems', () => {
  const text = `${'word '.repeat(200)} $97 a month`;
  const topics = ['Automation'];
  expect(check({}, {}, text, topics)).toEqual(['it states amounts or percentages and names no sources']);
  expect(check({}, {}, text, null)).toEqual([]);
  expect(check({}, {}, undefined, topics)).toEqual([]);
  const source = { title: 'Prices', url: 'https://a.example/', date: '2026-11', supports: 'The price.' };
  const evidence = { short: '', sources: [source], checked: undefined, updates: [] };
  expect(check({ evidence }, { links: ['#s-source-1'] }, text, topics)).toEqual([]);
  expect(check({ evidence }, { links: ['#s-source-2'] }, text, topics)).toHaveLength(1);
});
