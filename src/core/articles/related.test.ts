import { expect, it } from 'vitest';
import type { ArticleCard } from './article.ts';
import { findRelated } from './related.ts';

const card = (slug: string, categories: string[], tags: string[]): ArticleCard => ({
  id: slug,
  slug,
  title: slug,
  excerpt: '',
  featuredImage: null,
  categories,
  tags,
  author: '',
  publishedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  readingTime: 1,
  seoTitle: '',
  seoDescription: '',
  partner: '',
});

const HERE = card('here', ['Automation', 'Email'], ['dns', 'spam']);
const CARDS = [
  card('other', ['Reviews'], ['price']),
  card('topic', ['Automation'], []),
  HERE,
  card('category', ['Reviews', 'Email'], []),
  card('tag', ['Reviews'], ['spam']),
  card('newer-topic', ['Automation'], []),
];

it('what shares more comes first, then what stands first; what shares nothing does not come', () => {
  const found = findRelated(CARDS, HERE, { count: 9, except: [] }).map(({ slug }) => slug);
  expect(found).toEqual(['topic', 'tag', 'newer-topic', 'category']);
});

it('leaves out the article itself and what stands elsewhere, up to the count', () => {
  const found = findRelated(CARDS, HERE, { count: 2, except: ['topic'] }).map(({ slug }) => slug);
  expect(found).toEqual(['tag', 'newer-topic']);
});
