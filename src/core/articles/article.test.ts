import { expect, it } from 'vitest';
import { findTest } from './article.ts';
import { authorFileSchema } from './author.schema.ts';
import { buildReadingTime, countWords } from './reading-time.ts';

it.each([
  ['', 0],
  ['  ,.- ', 0],
  ["The bill isn't $1,492 a month.", 6],
  ['first-touch, then last-touch', 3],
  ['Größe naïve 東京', 3],
])('counts in %j %i words', (text, count) => expect(countWords(text)).toBe(count));

it.each([
  [0, 1],
  [238, 1],
  [239, 2],
  [1190, 5],
])('estimates for %i words %i minutes', (words, minutes) => {
  expect(buildReadingTime('word '.repeat(words))).toBe(minutes);
});

it('finds the newest test of a product by its name', () => {
  const tests = [
    { what: 'Platform, Starter plan', date: '2026-05-02' },
    { what: 'A trial of platform', date: '2026-06-02' },
    { what: 'Another', date: '2026-07-02' },
  ];
  const author = {
    key: 'ada',
    ...authorFileSchema.parse({ name: 'Ada', role: 'Editor', bio: 'Ada.', tests }),
  };
  expect(findTest(author, 'Platform')?.date).toBe('2026-06-02');
  expect(findTest(author, 'Third')).toBeUndefined();
  expect(findTest(undefined, 'Platform')).toBeUndefined();
});
