import { expect, it } from 'vitest';
import { findMisquote, findMissingNumbers } from './quotation-rules.ts';

const SOURCE = `Some words before.

Replacing two tools saves {total:two} a month, **and takes two years**[^3]. Don't.
On [Starter](/starter) you pay {product:one.starter} for 3 of them, or $1,490 in all.`;

it.each([
  ['word for word', 'Replacing two tools saves {total:two} a month, and takes two years.'],
  ['with marks of its own', 'takes ==two years==. Don’t.'],
  ['over a link and the end of a line', "Don't. On Starter you pay"],
])('finds a quotation that is there %s', (_, quote) => expect(findMisquote(quote, SOURCE)).toBeNull());

it.each([
  ['other words', 'Replacing two tools costs {total:two} a month'],
  ['another figure', 'Replacing two tools saves {total:three} a month'],
  ['words that are apart', "Some words before. Don't."],
])('names the nearest sentence to a quotation with %s', (_, quote) =>
  expect(findMisquote(quote, SOURCE)).toMatchObject({ found: quote, there: expect.any(String) }),
);

it('names the sentence that is there', () => {
  expect(findMisquote('Replacing two tools saves money', SOURCE)?.there).toBe(
    'Replacing two tools saves {total:two} a month, and takes two years.',
  );
  expect(findMisquote('Nothing', '')?.there).toBe('');
});

it.each([
  'No number at all, and a footnote.[^7]',
  'It saves {total:two.rounded}, in 2 years.',
  'A plan with {product:one.starter} for 3, or $1,490.',
])('accepts a summary whose numbers are in its text: %s', (summary) =>
  expect(findMissingNumbers(summary, SOURCE)).toEqual([]),
);

it.each([
  ['It takes 4 years.', '4'],
  ['It takes 10 years.', '10'],
  ['It saves {total:three}.', '{total:three}'],
  ['It saves $1,500.', '$1,500'],
  ['It saves 1,490.', '1,490'],
  ['It saves 3%.', '3%'],
])('refuses "%s"', (summary, found) =>
  expect(findMissingNumbers(summary, SOURCE)).toEqual([{ found, there: expect.any(String) }]),
);
