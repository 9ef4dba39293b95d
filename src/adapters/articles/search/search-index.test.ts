import { beforeEach, expect, it } from 'vitest';
import { SearchIndex } from './search-index.ts';
import type { SearchDocument } from './word-impacts.ts';

interface Fields {
  readonly title?: string;
  readonly excerpt?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly publishedAt?: string;
  readonly text?: string;
}

function buildDocument(id: string, change: Fields = {}): SearchDocument {
  const { title = 'Untitled', excerpt = '', categories = [], tags = [], text = '' } = change;
  return {
    id,
    text,
    fields: [
      { text: title, weight: 1.8 },
      { text: excerpt, weight: 0.6 },
      { text: tags.join(' '), weight: 0.8 },
      { text: categories.join(' '), weight: 0.6 },
    ],
    order: Date.parse(change.publishedAt ?? '2026-01-01T00:00:00.000Z'),
  };
}

const DOCUMENTS = [
  buildDocument('deliverability', {
    title: 'Warm up a sending domain',
    excerpt: 'Email deliverability in four weeks.',
    tags: ['email deliverability', 'dmarc'],
    text: 'Send email slowly. Email again. The mailbox providers watch bounce rates. Email.',
  }),
  buildDocument('no-shows', {
    title: 'Appointment reminders',
    categories: ['Automation'],
    text: 'A reminder by text and one by email reduces no-shows. Café owners know.',
  }),
  buildDocument('per-seat', {
    title: 'What per-seat pricing costs an agency of nine',
    categories: ['CRM Strategy', 'Pricing'],
    publishedAt: '2026-05-01T00:00:00.000Z',
    text: 'The bill is $1,492 a month. Agencies pay for seats. Größe counts.',
  }),
  buildDocument('retainer', {
    title: 'Pricing a CRM into your retainer',
    categories: ['Growth Tactics', 'Pricing'],
    publishedAt: '2026-06-01T00:00:00.000Z',
    text: 'What a client account costs. Seats are a detail here.',
  }),
];

let index: SearchIndex;
beforeEach(() => {
  index = new SearchIndex();
  for (const document of DOCUMENTS) index.add(document);
});
const find = (text: string, page = 1, limit = 10) => index.search({ text, page, limit }).ids;

it.each([
  ['a word of the title', 'appointment', ['no-shows']],
  ['a word of the excerpt', 'weeks', ['deliverability']],
  ['a category', 'strategy', ['per-seat']],
  ['a tag', 'dmarc', ['deliverability']],
  ['a word of the body', 'bounce', ['deliverability']],
  ['another case', 'APPOINTMENT', ['no-shows']],
  ['a prefix', 'appoint', ['no-shows']],
  ['the singular of a plural', 'reminder', ['no-shows']],
  ['the plural of a singular', 'agency', ['per-seat']],
  ['a plural in -ies', 'agencies', ['per-seat']],
  ['a word without its diacritics', 'cafe', ['no-shows']],
  ['a word with extra diacritics', 'dömain', ['deliverability']],
  ['ss instead of ß', 'grosse', ['per-seat']],
  ['a number', '1,492', ['per-seat']],
  ['a number without its comma', '1492', ['per-seat']],
  ['a word with an extra letter', 'appointtment', ['no-shows']],
  ['a word with a missing letter', 'apointment', ['no-shows']],
  ['a word with a wrong letter', 'appointnent', ['no-shows']],
  ['a word with two letters swapped', 'dmacr', ['deliverability']],
  ['a long word with two typos', 'delivarabilty', ['deliverability']],
  ['a hyphenated word', 'e-mail', ['deliverability', 'no-shows']],
  ['nothing for an unknown word', 'zzzzqqqq', []],
  ['nothing for a typo in a short word', 'xyz', []],
  ['nothing for text without words', '"(*)" %', []],
])('finds %s', (_, text, ids) => {
  expect(find(text)).toEqual(ids);
});

it('ranks a match in the title above one in the body, and many matches above few', () => {
  expect(find('seat')).toEqual(['per-seat', 'retainer']);
  expect(find('email')).toEqual(['deliverability', 'no-shows']);
});

it('ranks documents with all words first and leaves out those with few of them', () => {
  expect(find('pricing retainer')[0]).toBe('retainer');
  expect(find('sending domain warm email')).toEqual(['deliverability']);
});

it('ranks the newer of two equal documents first', () => {
  index.add(buildDocument('old', { title: 'Zebra', publishedAt: '2020-01-01T00:00:00.000Z' }));
  index.add(buildDocument('new', { title: 'Zebra', publishedAt: '2021-01-01T00:00:00.000Z' }));
  expect(find('zebra')).toEqual(['new', 'old']);
});

it('returns the results page by page', () => {
  for (let count = 0; count < 7; count++) index.add(buildDocument(`zebra-${count}`, { title: 'Zebra' }));
  const pages = [1, 2, 3, 4].map((page) => index.search({ text: 'zebra', page, limit: 3 }));
  expect(pages.map(({ ids, hasMore }) => [ids.length, hasMore])).toEqual([
    [3, true],
    [3, true],
    [1, false],
    [0, false],
  ]);
  expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(7);
});

it('returns the words that count as matches', () => {
  const getMatches = (text: string) => [...index.search({ text, page: 1, limit: 1 }).matches];
  expect(getMatches('reminder')).toEqual(['reminder', 'reminders']);
  expect(getMatches('apointment')).toEqual(['appointment']);
});

it('accepts a query of 10,000 words', () => {
  expect(find('email '.repeat(10_000))).toEqual(['deliverability', 'no-shows']);
});

it('finds the new text of a replaced document and not the old one', () => {
  index.add(buildDocument('no-shows', { title: 'Zebra' }));
  expect([find('appointment'), find('zebra'), index.size]).toEqual([[], ['no-shows'], 4]);
  expect(index.tombstoneRatio).toBeCloseTo(0.2);
});

it('does not find a removed document', () => {
  index.remove('no-shows');
  index.remove('never-added');
  expect([find('appointment'), index.has('no-shows'), index.size]).toEqual([[], false, 3]);
});

it('finds the documents that share the most key terms with one, but not the document itself', () => {
  const [deliverability, , perSeat] = DOCUMENTS;
  expect(perSeat && index.findSimilar(perSeat, 1)).toEqual(['retainer']);
  expect(deliverability && index.findSimilar(deliverability, 9)[0]).toBe('no-shows');
  expect(index.findSimilar(buildDocument('x', { text: 'zebra' }), 9)).toEqual([]);
});
