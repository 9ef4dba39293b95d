import { expect, it } from 'vitest';
import { buildResultExcerpt, markWords } from './mark-words.ts';

const show = (parts: readonly { text: string; match: boolean }[]) =>
  parts.map(({ text, match }) => (match ? `[${text}]` : text)).join('');
const is =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word);

it.each([
  ['A CRM, a crm; CRMs.', 'A [CRM], a [crm]; CRMs.'],
  ['Crm', '[Crm]'],
  ['nothing', 'nothing'],
  ['', ''],
  ['<b>crm</b> & "crm"', '<b>[crm]</b> & "[crm]"'],
])('marks the matching words of %j', (text, shown) => {
  expect(show(markWords(text, is('crm')))).toBe(shown);
  expect(
    markWords(text, is('crm'))
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

const body = `${'before '.repeat(40)}the Größe counts ${'after '.repeat(60)}`;

it('returns the excerpt when it has a match', () =>
  expect(show(buildResultExcerpt('About size.', body, is('size', 'grosse')))).toBe('About [size].'));

it('returns the part of the body around the first match otherwise, cut at words', () => {
  const shown = show(buildResultExcerpt('About it.', body, is('grosse')));
  expect(shown).toMatch(/^… (before )+the \[Größe\] counts (after )+…$/);
  expect(shown.length).toBeLessThan(200);
});

it('returns the start of the body when the match is near it', () =>
  expect(show(buildResultExcerpt('x', 'Seats cost.', is('seats')))).toBe('[Seats] cost.'));

it('returns the excerpt when nothing matches', () =>
  expect(show(buildResultExcerpt('About it.', body, is('zebra')))).toBe('About it.'));

it('accepts a body without spaces', () =>
  expect(show(buildResultExcerpt('x', `${'y'.repeat(300)}-crm-${'z'.repeat(300)}`, is('crm')))).toContain(
    '[crm]',
  ));
