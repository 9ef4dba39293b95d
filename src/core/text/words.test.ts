import { expect, it } from 'vitest';
import { findNearest, findWords, splitWords } from './words.ts';

it.each([
  ['', []],
  ['Per-seat pricing', ['per', 'seat', 'pricing']],
  ["It isn't $1,492.50 a month.", ['it', 'isnt', '149250', 'a', 'month']],
  ['Café Größe Łódź naïve', ['cafe', 'grosse', 'lodz', 'naive']],
  ['cafe\u0301', ['cafe']],
  ['isn’t', ['isnt']],
  ['ＣＲＭ ﬁt', ['crm', 'fit']],
  ['東京の価格', ['東京の価格']],
  ['½ price, ¼ cup, 3½"', ['1', '2', 'price', '1', '4', 'cup', '31', '2']],
  ['⑴ ﷺ Coŀlegi m²', ['1', 'صلى', 'الله', 'عليه', 'وسلم', 'col', 'legi', 'm2']],
  ['\u0301 \ud83d \u0000 “”', []],
  ['v2.0, A2P 10DLC', ['v2', '0', 'a2p', '10dlc']],
  ['x'.repeat(100), ['x'.repeat(40)]],
])('splits a text into folded words, case %#', (text, words) => expect(splitWords(text)).toEqual(words));

it('folds words the same with and without non-ASCII letters in the text', () => {
  const text = "It isn't $1,492.50 a per-seat month, v2.0";
  expect(splitWords(`${text} é`).slice(0, -1)).toEqual(splitWords(text));
});

it('finds the positions of words in the original text', () => {
  const text = 'Das Café, 1,492! ½';
  expect([...findWords(text)].map(({ start, end, folded }) => [text.slice(start, end), folded])).toEqual([
    ['Das', ['das']],
    ['Café', ['cafe']],
    ['1,492', ['1492']],
    ['½', ['1', '2']],
  ]);
});

it.each([
  ['porse', 'prose'],
  ['herro', 'hero'],
  ['call-to-actions', 'call-to-action'],
  ['banana-split-view', null],
  ['', null],
])('the nearest candidate to %j is %j', (text, expected) => {
  expect(findNearest(text, ['hero', 'prose', 'call-to-action', 'testimonials'])).toBe(expected);
});

it.each([
  ['SMTP_HOTS', 'SMTP_HOST'],
  ['SMPT_HOST', 'SMTP_HOST'],
  ['SMTP_HOSST', 'SMTP_HOST'],
  ['SMTP_HOS', 'SMTP_HOST'],
  ['SMTP_MOST', 'SMTP_HOST'],
  ['SMTP_SHOT', null],
])('with at most 1 change, the nearest candidate to %j is %j', (text, expected) => {
  expect(findNearest(text, ['SMTP_HOST', 'SITE_URL'], 1)).toBe(expected);
});
