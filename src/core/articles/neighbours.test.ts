import { describe, expect, it } from 'vitest';
import type { ArticleCard } from './article.ts';
import { buildGroups, compareNewestFirst, findNeighbours } from './neighbours.ts';

function card(slug: string, categories: string[], day: number, tags: string[] = []): ArticleCard {
  const date = new Date(Date.UTC(2026, 0, day)).toISOString();
  return {
    id: slug,
    slug,
    title: slug,
    excerpt: '',
    featuredImage: null,
    categories,
    tags,
    author: '',
    publishedAt: date,
    updatedAt: date,
    readingTime: 1,
    seoTitle: '',
    seoDescription: '',
    partner: '',
  };
}

const cards = [
  card('a', ['Automation', 'Email'], 9, ['sms', 'SMS']),
  card('b', ['Pricing', 'Automation'], 8, ['sms']),
  card('c', ['Automation'], 7),
  card('d', ['Automation'], 6),
];

describe('findNeighbours', () => {
  it.each([
    ['a', 'c', null],
    ['c', 'd', 'a'],
    ['d', null, 'c'],
    ['b', null, null],
    ['unknown', null, null],
  ])('of %s: before it %s, after it %s', (slug, previous, next) => {
    const found = findNeighbours(cards, slug);
    expect([found.previous?.slug ?? null, found.next?.slug ?? null]).toEqual([previous, next]);
  });
});

describe('compareNewestFirst', () => {
  it('orders by date, then by slug', () => {
    const same = [card('z', [], 1), card('y', [], 1), card('x', [], 2)];
    expect(same.toSorted(compareNewestFirst).map(({ slug }) => slug)).toEqual(['x', 'y', 'z']);
  });
});

describe('buildGroups', () => {
  it('collects articles by category, largest first', () => {
    const groups = buildGroups(cards, 'categories').map(({ slug, cards: own }) => [
      slug,
      own.map((one) => one.slug).join(''),
    ]);
    expect(groups).toEqual([
      ['automation', 'abcd'],
      ['email', 'a'],
      ['pricing', 'b'],
    ]);
  });

  it('takes tags that differ in case as one, and an article once', () => {
    expect(buildGroups(cards, 'tags')).toMatchObject([{ name: 'sms', slug: 'sms', cards: [{}, {}] }]);
  });
});
