import { expect, it } from 'vitest';
import { describeSkipped, parseUpstreamArticle } from './upstream-article.schema.ts';

const GOOD = {
  id: 7,
  slug: 'crm-basics',
  title: 'CRM basics',
  excerpt: 'What it does.',
  featuredImage: 'https://images.example/a.png',
  categories: ['CRM Strategy'],
  tags: ['crm'],
  author: 'Editorial desk',
  publishedAt: '2026-01-02T00:00:00Z',
  readingTime: 4.2,
  content: '<p>x</p>',
  seoTitle: 'S',
  seoDescription: 'D',
};
const WHOLE = {
  id: '7',
  slug: 'crm-basics',
  title: 'CRM basics',
  excerpt: 'What it does.',
  featuredImage: {
    src: 'https://images.example/a.png',
    alt: '',
    width: 0,
    height: 0,
    type: '',
    caption: '',
    sizes: [],
  },
  canonicalUrl: '',
  categories: ['CRM Strategy'],
  tags: ['crm'],
  author: 'Editorial desk',
  publishedAt: '2026-01-02T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  readingTime: 5,
  content: '<p>x</p>',
  seoTitle: 'S',
  seoDescription: 'D',
};

it('parses an article', () =>
  expect(parseUpstreamArticle(GOOD)).toEqual({ kind: 'article', article: WHOLE }));

it.each([
  ['id is an object', { id: {} }, { id: 'crm-basics' }],
  ['excerpt is missing', { excerpt: undefined }, { excerpt: '' }],
  ['categories are null', { categories: null }, { categories: [] }],
  [
    'categories are objects, some of them wrong',
    { categories: [{ title: 'A', slug: 'a' }, { name: 'B' }, 3, null, ' ', 'A'] },
    { categories: ['A', 'B'] },
  ],
  ['categories have no letter or digit', { categories: ['🚀', '!', 'Рост'] }, { categories: ['Рост'] }],
  ['tags are a text', { tags: 'crm' }, { tags: [] }],
  ['author is an object', { author: { name: 'Desk' } }, { author: 'Desk' }],
  ['author is a number', { author: 5 }, { author: '' }],
  ['readingTime is negative', { readingTime: -1 }, { readingTime: null }],
  ['readingTime is a text', { readingTime: '5' }, { readingTime: null }],
  ['image is a number', { featuredImage: 5 }, { featuredImage: null }],
  ['content is an object', { content: {} }, { content: null }],
  ['updatedAt is before publishedAt', { updatedAt: '2025-01-01' }, { updatedAt: WHOLE.publishedAt }],
  ['updatedAt is nonsense', { updatedAt: 'soon' }, { updatedAt: WHOLE.publishedAt }],
  ['publishedAt is in seconds', { publishedAt: 1_767_312_000 }, {}],
  ['publishedAt is nonsense, createdAt is not', { publishedAt: 'soon', createdAt: 1_767_312_000_000 }, {}],
  ['title has controls and overrides', { title: '\u202EC\u0000RM\n basics\u200B' }, { title: 'CRM  basics' }],
  ['title is long', { title: 'x'.repeat(9_000) }, { title: 'x'.repeat(200) }],
  ['there are fields of its own', { __proto__: null, constructor: 1, extra: true }, {}],
])('uses the default or the readable part when %s', (_, change, expected) => {
  expect(parseUpstreamArticle({ ...GOOD, ...change })).toEqual({
    kind: 'article',
    article: { ...WHOLE, ...expected },
  });
});

const REFUSED = { id: '7', slug: 'crm-basics', title: 'CRM basics' };
const SLUG_REASON = 'slug must be lower-case letters, digits, _ and - of at most 200 characters';

it.each([
  [{ slug: '../admin' }, { slug: '../admin' }, SLUG_REASON],
  [{ slug: 'CRM' }, { slug: 'CRM' }, SLUG_REASON],
  [{ slug: 'a\u202E\nb', title: 'x' }, { slug: 'a b', title: 'x' }, SLUG_REASON],
  [{ publishedAt: 'soon' }, {}, 'publishedAt must be a date from 1990 on'],
  [{ publishedAt: '1989-12-31' }, {}, 'publishedAt must be a date from 1990 on'],
  [{ publishedAt: '+275760-09-13' }, {}, 'publishedAt must be a date from 1990 on'],
  [{ content: 'x'.repeat(300_001) }, {}, 'content is longer than 300000 characters'],
  [{ content: '<b>'.repeat(25_001) }, {}, 'content has 25001 tags, more than 25000'],
  [{ slug: undefined }, { slug: '' }, 'slug must be text'],
  [{ slug: {}, id: {} }, { slug: '', id: '' }, 'slug must be text'],
  [{ title: '' }, { title: '' }, 'title must not be empty'],
  [{ title: '\u200B' }, { title: '' }, 'title must not be empty'],
  [{ title: 5 }, { title: '' }, 'title must be text'],
])('refuses an invalid article with its id, slug, title and the reason, case %#', (change, named, reason) => {
  expect(parseUpstreamArticle({ ...GOOD, ...change })).toEqual({
    kind: 'invalid',
    skipped: { ...REFUSED, ...named, reason },
  });
});

it.each([
  [REFUSED, 'crm-basics (id 7, "CRM basics")'],
  [{ ...REFUSED, id: '', title: '' }, 'crm-basics'],
  [{ ...REFUSED, slug: '' }, 'id 7, "CRM basics"'],
  [{ id: '', slug: '', title: '' }, 'an item without slug, id and title'],
])('describes a skipped article by all that is known of it, case %#', (article, expected) => {
  expect(describeSkipped({ ...article, reason: '' })).toBe(expected);
});

it.each([{ published: false }, { deleted: true }, { status: 'draft' }, { status: 'private' }])(
  'finds that an article with %j is not published',
  (change) => expect(parseUpstreamArticle({ ...GOOD, ...change })).toEqual({ kind: 'unpublished' }),
);

it.each([null, undefined, 7, 'x', [], () => 1])('refuses what is not an object, case %#', (input) => {
  expect(parseUpstreamArticle(input)).toMatchObject({
    kind: 'malformed',
    skipped: { id: '', slug: '', title: '' },
  });
});
