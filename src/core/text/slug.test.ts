import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { buildSlug, isArticleSlug } from './slug.ts';

it.each([
  'crm-basics',
  'a',
  '2026',
  'a-1-b',
  'x'.repeat(200),
  'under_score_slug',
  '_draft',
  'что-такое-црм',
  'йод',
  '什么是客户关系管理',
  'crm-とは',
  '고객-관리',
  'ما-هو-نظام',
  'सीआरएम-क्या-है',
  'การตลาด-ทำเงิน',
  'می\u200cخواهم',
  '🚀-launch',
  '👩‍💻',
  '❤️',
  '🇩🇪',
  '写'.repeat(76),
])('accepts the slug %s', (slug) => expect(isArticleSlug(slug)).toBe(true));

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
  'x'.repeat(201),
  '写'.repeat(77),
  'ЧТО',
  'и\u0306',
  '\u0301a',
  'a\u200e',
  '\ud800',
  '\uFB01n',
])('refuses the slug %j', (slug) => expect(isArticleSlug(slug)).toBe(false));

it.each([
  ['CRM Strategy', 'crm-strategy'],
  ["Editor's Picks", 'editors-picks'],
  ['a2p 10dlc', 'a2p-10dlc'],
  ['Café & Crème', 'cafe-creme'],
  ['  --  ', ''],
  ['日本', '日本'],
  ['Стратегия CRM', 'стратегия-crm'],
  ['고객 관리', '고객-관리'],
  ['सीआरएम', 'सीआरएम'],
  ['Straße', 'straße'],
  ['🚀', ''],
  ['𝒳'.repeat(100), 'x'.repeat(100)],
  ['𠮷'.repeat(61), '𠮷'.repeat(57)],
  ['ﾊﾝｶｸ ｶﾅ', 'ハンカク-カナ'],
  ['\u0489\u20dd stacked \u20dd\u20dd marks', 'stacked-marks'],
  ['🐟🐠', ''],
])('builds from %j the slug %j', (name, slug) => expect(buildSlug(name)).toBe(slug));

it('builds no slug that cannot name an article', () =>
  forAll(1, [fc.string({ unit: 'grapheme', maxLength: 200 })], (title) => {
    const slug = buildSlug(title);
    expect([slug, slug === '' || isArticleSlug(slug)]).toEqual([slug, true]);
  }));
