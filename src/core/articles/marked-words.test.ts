import { expect, it } from 'vitest';
import { splitAtWords } from './marked-words.ts';

const show = (text: string, query: string) =>
  splitAtWords(text, query)
    .map((piece) => (piece.match ? `[${piece.text}]` : piece.text))
    .join('');

it.each([
  ['Clean the CRM first', 'crm', 'Clean the [CRM] first'],
  ['Automations that stop', 'automation', '[Automations] that stop'],
  ['A pipeline for pipelines', 'pipelnie', 'A [pipeline] for pipelines'],
  ['Café prices in Zürich', 'cafe zurich', '[Café] prices in [Zürich]'],
  ['Résumé', 'resume', '[Résumé]'],
  ['The cost of the seat', 'the cost of', '[The] [cost] of [the] seat'],
  ['Go to it', 'to', 'Go [to] it'],
  ['Seats, contacts', '"seats"', '[Seats], contacts'],
  ['Nothing here', 'webinar', 'Nothing here'],
  ['Nothing here', '', 'Nothing here'],
  ['Nothing here', '%% --', 'Nothing here'],
  ['', 'crm', ''],
])('%j searched for %j shows %j', (text, query, shown) => {
  expect(show(text, query)).toBe(shown);
});

it('a hostile query is not a pattern', () => {
  expect(show('a(b)c', '(.*)+$')).toBe('a(b)c');
});
