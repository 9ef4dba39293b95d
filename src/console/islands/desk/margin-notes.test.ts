import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { listLinkNotes } from './margin-notes.ts';
import { siteMarkdown } from './site-markdown.ts';

const CHOICES = {
  pieces: [],
  links: [],
  figures: [],
  images: [],
  products: [{ name: 'Desk One', kind: 'physical', value: 'desk' }],
  shops: [{ name: 'desk', kind: 'Example, store', value: '/go/example?page=store' }],
};
const EARNED = [{ name: 'Example', kind: '$96 in 30 days', value: '/go/example' }];
const read = (doc: string, earned = EARNED) =>
  [...listLinkNotes(EditorState.create({ doc, extensions: [siteMarkdown] }), CHOICES, earned)].map(
    ({ kind, text, at }) => [kind, text, at],
  );

it('says beside a paragraph what the links of a product that it names earned, or its own links', () => {
  expect(read('Buy.\n\nThe Desk One.')).toEqual([
    ['link', 'Desk One is named and not linked (Example, store). Its links earned $96 in 30 days.', 10],
  ]);
  expect(read('Buy [it](/go/example?page=store), or [this](/go/example).')).toEqual([
    ['earns', 'Links to Example earned $96 in 30 days.', 7],
  ]);
});

it('names no money to those who do not get it', () => {
  expect(read('The Desk One.', [])).toEqual([
    ['link', 'Desk One is named and not linked (Example, store).', 4],
  ]);
  expect(read('[it](/go/example)', [])).toEqual([]);
});
