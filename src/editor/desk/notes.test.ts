import { expect, it } from 'vitest';
import { MarkdownText } from '../codec.ts';
import { listLinkNotes } from './notes.ts';

const CHOICES = {
  pieces: [],
  links: [],
  figures: [],
  images: [],
  products: [{ name: 'Desk One', kind: 'physical', value: 'desk' }],
  shops: [{ name: 'desk', kind: 'Example, store', value: '/go/example?page=store' }],
};
const EARNED = [{ name: 'Example', kind: '$96 in 30 days', value: '/go/example' }];
const read = (text: string, earned = EARNED) =>
  [...listLinkNotes(new MarkdownText().open(text), CHOICES, earned)].map(({ kind, text, block }) => [
    kind,
    text,
    block,
  ]);

it('says beside a paragraph what the links of a product that it names earned, or its own links', () => {
  expect(read('Buy.\n\nThe Desk One.')).toEqual([
    ['link', 'Desk One is named and not linked (Example, store). Its links earned $96 in 30 days.', 1],
  ]);
  expect(read('Buy [it](/go/example?page=store), or [this](/go/example).')).toEqual([
    ['earns', 'Links to Example earned $96 in 30 days.', 0],
  ]);
});

it('names no money to those who do not get it', () => {
  expect(read('The Desk One.', [])).toEqual([
    ['link', 'Desk One is named and not linked (Example, store).', 0],
  ]);
  expect(read('[it](/go/example)', [])).toEqual([]);
});

it('names no product that has a box, is in a longer word, or stands in code or a heading', () => {
  for (const text of [
    '{{product-box product="desk"}}\n\nThe Desk One.',
    'Desk Oneness.',
    '`Desk One`',
    '## Desk One',
  ])
    expect(read(text, [])).toEqual([]);
});
