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

// The rules of the search are in test/contract/article-finder.ts, which every search has to pass.

it('returns the words that count as matches', () => {
  const getMatches = (text: string) => [...index.search({ text, page: 1, limit: 1 }).matches];
  expect(getMatches('reminder')).toEqual(['reminder', 'reminders']);
  expect(getMatches('apointment')).toEqual(['appointment']);
});
