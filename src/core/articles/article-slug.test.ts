import { describe, expect, it } from 'vitest';
import { buildSlug, isArticleSlug } from './article-slug.ts';

describe('isArticleSlug', () => {
  it.each(['crm-basics', 'a', '2026', 'a-1-b', 'x'.repeat(120)])('takes %s', (slug) => {
    expect(isArticleSlug(slug)).toBe(true);
  });

  it.each([
    '',
    '-a',
    'a-',
    'a--b',
    'A',
    '..',
    'a/b',
    'a.b',
    'a%00',
    'a\n',
    '//evil.com',
    '@evil.com',
    'http:',
    'a?b',
    'a#b',
    'a;b',
    'a\\b',
    '‮abc',
    'ａｂｃ',
    'a\u200bb',
    'cafe\u0301',
    'x'.repeat(121),
  ])('refuses %j', (slug) => {
    expect(isArticleSlug(slug)).toBe(false);
  });
});

describe('buildSlug', () => {
  it.each([
    ['CRM Strategy', 'crm-strategy'],
    ["Editor's Picks", 'editors-picks'],
    ['a2p 10dlc', 'a2p-10dlc'],
    ['Café & Crème', 'cafe-creme'],
    ['  --  ', ''],
    ['日本', ''],
  ])('turns %j into %j', (name, slug) => {
    expect(buildSlug(name)).toBe(slug);
  });
});
