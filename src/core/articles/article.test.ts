import { expect, it } from 'vitest';
import { buildReadingTime, countWords } from './article.ts';

it.each([
  ['', 0],
  ['  ,.- ', 0],
  ["The bill isn't $1,492 a month.", 6],
  ['first-touch, then last-touch', 3],
  ['Größe naïve 東京', 3],
])('counts in %j %i words', (text, count) => {
  expect(countWords(text)).toBe(count);
});

it.each([
  [0, 1],
  [238, 1],
  [239, 2],
  [1190, 5],
])('estimates for %i words %i minutes', (words, minutes) => {
  expect(buildReadingTime('word '.repeat(words))).toBe(minutes);
});
