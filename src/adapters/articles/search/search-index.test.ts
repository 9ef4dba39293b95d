import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchDocument } from './impacts.ts';
import { createSearchIndex, type SearchIndex } from './search-index.ts';

function document(slug: string, change: Partial<SearchDocument> = {}): SearchDocument {
  return {
    slug,
    title: 'Untitled',
    excerpt: '',
    categories: [],
    tags: [],
    publishedAt: '2026-01-01T00:00:00.000Z',
    text: '',
    ...change,
  };
}

const LIBRARY = [
  document('deliverability', {
    title: 'Warm up a sending domain',
    excerpt: 'Email deliverability in four weeks.',
    tags: ['email deliverability', 'dmarc'],
    text: 'Send email slowly. Email again. The mailbox providers watch bounce rates. Email.',
  }),
  document('no-shows', {
    title: 'Appointment reminders',
    categories: ['Automation'],
    text: 'A reminder by text and one by email reduces no-shows. Café owners know.',
  }),
  document('per-seat', {
    title: 'What per-seat pricing costs an agency of nine',
    categories: ['CRM Strategy', 'Pricing'],
    publishedAt: '2026-05-01T00:00:00.000Z',
    text: 'The bill is $1,492 a month. Agencies pay for seats. Größe counts.',
  }),
  document('retainer', {
    title: 'Pricing a CRM into your retainer',
    categories: ['Growth Tactics', 'Pricing'],
    publishedAt: '2026-06-01T00:00:00.000Z',
    text: 'What a client account costs. Seats are a detail here.',
  }),
];

let index: SearchIndex;
beforeEach(() => {
  index = createSearchIndex();
  for (const one of LIBRARY) index.add(one);
});
const find = (text: string, page = 1, limit = 10) => index.search({ text, page, limit }).slugs;

describe('search', () => {
  it.each([
    ['a title', 'appointment', ['no-shows']],
    ['an excerpt', 'weeks', ['deliverability']],
    ['a category', 'strategy', ['per-seat']],
    ['a tag', 'dmarc', ['deliverability']],
    ['a body', 'bounce', ['deliverability']],
    ['another case', 'APPOINTMENT', ['no-shows']],
    ['a beginning', 'appoint', ['no-shows']],
    ['a plural for a singular', 'reminder', ['no-shows']],
    ['a singular for a plural', 'agency', ['per-seat']],
    ['a plural in -ies', 'agencies', ['per-seat']],
    ['no diacritics', 'cafe', ['no-shows']],
    ['diacritics', 'dömain', ['deliverability']],
    ['ss for ß', 'grosse', ['per-seat']],
    ['a figure', '1,492', ['per-seat']],
    ['a figure without its comma', '1492', ['per-seat']],
    ['a letter too many', 'appointtment', ['no-shows']],
    ['a letter missing', 'apointment', ['no-shows']],
    ['a wrong letter', 'appointnent', ['no-shows']],
    ['two letters swapped', 'dmacr', ['deliverability']],
    ['two mistakes in a long word', 'delivarabilty', ['deliverability']],
    ['a hyphen', 'e-mail', ['deliverability', 'no-shows']],
    ['nothing like it', 'zzzzqqqq', []],
    ['a typo in a short word', 'xyz', []],
    ['no word at all', '"(*)" %', []],
  ])('finds by %s', (_, text, slugs) => {
    expect(find(text)).toEqual(slugs);
  });

  it('puts what stands in titles before what stands in bodies, often before seldom', () => {
    expect(find('seat')).toEqual(['per-seat', 'retainer']);
    expect(find('email')).toEqual(['deliverability', 'no-shows']);
  });

  it('puts what has all words first and drops what has few of them', () => {
    expect(find('pricing retainer')[0]).toBe('retainer');
    expect(find('sending domain warm email')).toEqual(['deliverability']);
  });

  it('puts the newer of two equals first', () => {
    index.add(document('old', { title: 'Zebra', publishedAt: '2020-01-01T00:00:00.000Z' }));
    index.add(document('new', { title: 'Zebra', publishedAt: '2021-01-01T00:00:00.000Z' }));
    expect(find('zebra')).toEqual(['new', 'old']);
  });

  it('pages through the results', () => {
    for (let count = 0; count < 7; count++) index.add(document(`zebra-${count}`, { title: 'Zebra' }));
    const pages = [1, 2, 3, 4].map((page) => index.search({ text: 'zebra', page, limit: 3 }));
    expect(pages.map(({ slugs, hasMore }) => [slugs.length, hasMore])).toEqual([
      [3, true],
      [3, true],
      [1, false],
      [0, false],
    ]);
    expect(new Set(pages.flatMap(({ slugs }) => slugs)).size).toBe(7);
  });

  it('says which words count as matches', () => {
    expect([...index.search({ text: 'reminder', page: 1, limit: 1 }).matches]).toEqual([
      'reminder',
      'reminders',
    ]);
    expect([...index.search({ text: 'apointment', page: 1, limit: 1 }).matches]).toEqual(['appointment']);
  });

  it('takes a query of 10,000 words', () => {
    expect(find('email '.repeat(10_000))).toEqual(['deliverability', 'no-shows']);
  });
});

describe('a changed library', () => {
  it('finds the new text of a replaced document and not the old', () => {
    index.add(document('no-shows', { title: 'Zebra' }));
    expect([find('appointment'), find('zebra'), index.size]).toEqual([[], ['no-shows'], 4]);
    expect(index.waste).toBeCloseTo(0.2);
  });

  it('does not find what was removed', () => {
    index.remove('no-shows');
    index.remove('never-there');
    expect([find('appointment'), index.has('no-shows'), index.size]).toEqual([[], false, 3]);
  });
});

describe('findSimilar', () => {
  it('finds what shares the most telling words, not itself', () => {
    const [first] = LIBRARY;
    const perSeat = LIBRARY[2] ?? document('x');
    expect(index.findSimilar(perSeat, 1)).toEqual(['retainer']);
    expect(first && index.findSimilar(first, 9)[0]).toBe('no-shows');
    expect(index.findSimilar(document('x', { text: 'zebra' }), 9)).toEqual([]);
  });
});
