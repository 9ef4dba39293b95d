import { describe, expect, it } from 'vitest';
import { parseUpstreamArticle, parseUpstreamPage } from './upstream-article.schema.ts';

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
  featuredImage: { src: 'https://images.example/a.png', alt: '', width: 0, height: 0 },
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

describe('parseUpstreamArticle', () => {
  it('reads an article', () => {
    expect(parseUpstreamArticle(GOOD)).toEqual({ article: WHOLE });
  });

  it.each([
    ['id is an object', { id: {} }, { id: 'crm-basics' }],
    ['excerpt is missing', { excerpt: undefined }, { excerpt: '' }],
    ['categories are null', { categories: null }, { categories: [] }],
    [
      'categories are objects, some of them wrong',
      { categories: [{ title: 'A', slug: 'a' }, { name: 'B' }, 3, null, ' ', 'A'] },
      { categories: ['A', 'B'] },
    ],
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
    [
      'title has controls and overrides',
      { title: '\u202EC\u0000RM\n basics\u200B' },
      { title: 'CRM  basics' },
    ],
    ['title is long', { title: 'x'.repeat(9_000) }, { title: 'x'.repeat(200) }],
    ['there are fields of its own', { __proto__: null, constructor: 1, extra: true }, {}],
  ])('takes the default or what can be read when %s', (_, change, expected) => {
    expect(parseUpstreamArticle({ ...GOOD, ...change })).toEqual({ article: { ...WHOLE, ...expected } });
  });

  it.each([
    [{ slug: '../admin' }, 'slug is not of a-z, 0-9 and -'],
    [{ slug: 'CRM' }, 'slug is not of a-z, 0-9 and -'],
    [{ title: '' }, 'title is empty'],
    [{ title: '\u200B' }, 'title is empty'],
    [{ title: 5 }, 'title is not text'],
    [{ publishedAt: 'soon' }, 'publishedAt is not a date'],
    [{ publishedAt: '+275760-09-13' }, 'publishedAt is not a date'],
    [{ published: false }, 'is not published'],
    [{ deleted: true }, 'is not published'],
    [{ status: 'draft' }, 'is not published'],
    [{ content: 'x'.repeat(300_001) }, 'content is longer than 300000 characters'],
  ])('drops the article alone, case %#', (change, reason) => {
    expect(parseUpstreamArticle({ ...GOOD, ...change })).toEqual({ dropped: reason });
  });

  it.each([null, undefined, 7, 'x', [], () => 1])('drops what is none, case %#', (input) => {
    expect(parseUpstreamArticle(input)).toHaveProperty('dropped');
  });
});

describe('parseUpstreamPage', () => {
  it.each([
    [{ articles: [1, 2], hasMore: true }, 2, { items: [1, 2], hasMore: true }],
    [{ articles: [1, 2], hasMore: 'no' }, 2, { items: [1, 2], hasMore: true }],
    [{ articles: [1] }, 2, { items: [1], hasMore: false }],
    [{ articles: [1, 2, 3], hasMore: false }, 2, { items: [1, 2], hasMore: false }],
    [{ articles: {} }, 2, null],
    [[], 2, null],
    [null, 2, null],
    ['', 2, null],
  ])('%j', (input, limit, expected) => {
    expect(parseUpstreamPage(input, limit)).toEqual(expected);
  });
});
