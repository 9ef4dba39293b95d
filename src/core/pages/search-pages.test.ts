import { expect, it } from 'vitest';
import { type Page, pageSchema } from './page.schema.ts';
import { searchPages } from './search-pages.ts';

const build = (title: string, lead: string, change: object = {}): Page =>
  pageSchema.parse({
    title,
    description: `A description of fifty characters, and of nothing else at all.`,
    sections: [{ type: 'prose', title: 'How it is done', lead, body: 'Giraffes are mentioned.' }],
    ...change,
  });

const NOW = Date.UTC(2026, 5, 1);
const PAGES = new Map([
  ['/kitchen', build('Kitchen planner', 'Plan cupboards by the centimeter.')],
  ['/kit', build('A review', 'The kit for creators. Compare it.')],
  ['/prices', build('Desk prices compared', 'What each desk costs in five years.')],
  ['/hidden', build('Desk prices for later', 'Desks.', { draft: true })],
  ['/later', build('Desk prices next year', 'Desks.', { publishedAt: '2027-01-01' })],
  ['/private', build('Desk prices for partners', 'Desks.', { index: false })],
]);
const find = (text: string) => searchPages(PAGES, text, NOW).map(({ href }) => href);

it.each([
  ['a word of the title', 'kitchen', ['/kitchen']],
  ['a word of a lead', 'creators', ['/kit']],
  ['a short word that is known, without the words that it begins', 'kit', ['/kit']],
  ['the beginning of a word', 'centim', ['/kitchen']],
  ['singular and plural', 'desks price', ['/prices']],
  ['whole words before beginnings', 'compare', ['/kit', '/prices']],
  ['a word with a typing mistake', 'kitchne', ['/kitchen']],
  ['nothing for what a page mentions in passing', 'giraffes', []],
  ['nothing for an unknown word', 'zzqxv', []],
  ['nothing for a text without words', ' "(*)" ', []],
])('finds %s', (_, text, expected) => expect(find(text)).toEqual(expected));

it('returns title, description and address, of at most four pages', () => {
  const many = new Map(Array.from({ length: 9 }, (_, at) => [`/p${at}`, build(`Lamp ${at}`, 'Light.')]));
  expect(searchPages(many, 'lamp', NOW)).toHaveLength(4);
  const [page] = searchPages(PAGES, 'kitchen', NOW);
  expect(page).toEqual({
    href: '/kitchen',
    title: 'Kitchen planner',
    description: PAGES.get('/kitchen')?.description,
  });
});

it('compares a long query with many words in a moment', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => `misspeled${at}`).join(' ');
  expect(find(text)).toEqual([]);
});
