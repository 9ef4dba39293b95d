import { describe, expect, it } from 'vitest';
import { findWords, readWords } from './words.ts';

describe('readWords', () => {
  it.each([
    ['', []],
    ['Per-seat pricing', ['per', 'seat', 'pricing']],
    ["It isn't $1,492.50 a month.", ['it', 'isnt', '149250', 'a', 'month']],
    ['Café Größe Łódź naïve', ['cafe', 'grosse', 'lodz', 'naive']],
    ['cafe\u0301', ['cafe']],
    ['isn’t', ['isnt']],
    ['ＣＲＭ ﬁt', ['crm', 'fit']],
    ['東京の価格', ['東京の価格']],
    ['v2.0, A2P 10DLC', ['v2', '0', 'a2p', '10dlc']],
    ['x'.repeat(100), ['x'.repeat(40)]],
  ])('case %#', (text, words) => {
    expect(readWords(text)).toEqual(words);
  });

  it('folds the same way with and without other letters around', () => {
    const text = "It isn't $1,492.50 a per-seat month, v2.0";
    expect(readWords(`${text} é`).slice(0, -1)).toEqual(readWords(text));
  });
});

describe('findWords', () => {
  it('gives back the places in the text as it stands', () => {
    const text = 'Das Café, 1,492!';
    expect([...findWords(text)].map(({ start, end, folded }) => [text.slice(start, end), folded])).toEqual([
      ['Das', 'das'],
      ['Café', 'cafe'],
      ['1,492', '1492'],
    ]);
  });
});
