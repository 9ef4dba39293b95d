import { describe, expect, it } from 'vitest';
import { buildResultExcerpt, markWords } from './marked-text.ts';

const show = (parts: readonly { text: string; match: boolean }[]) =>
  parts.map(({ text, match }) => (match ? `[${text}]` : text)).join('');
const is =
  (...words: string[]) =>
  (word: string) =>
    words.includes(word);

describe('markWords', () => {
  it.each([
    ['A CRM, a crm; CRMs.', 'A [CRM], a [crm]; CRMs.'],
    ['Crm', '[Crm]'],
    ['nothing', 'nothing'],
    ['', ''],
    ['<b>crm</b> & "crm"', '<b>[crm]</b> & "[crm]"'],
  ])('%j', (text, shown) => {
    expect(show(markWords(text, is('crm')))).toBe(shown);
    expect(
      markWords(text, is('crm'))
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('buildResultExcerpt', () => {
  const body = `${'before '.repeat(40)}the Größe counts ${'after '.repeat(60)}`;

  it('is the excerpt when a word is in it', () => {
    expect(show(buildResultExcerpt('About size.', body, is('size', 'grosse')))).toBe('About [size].');
  });

  it('is the piece of the body around the first match otherwise, cut at words', () => {
    const shown = show(buildResultExcerpt('About it.', body, is('grosse')));
    expect(shown).toMatch(/^… (before )+the \[Größe\] counts (after )+…$/);
    expect(shown.length).toBeLessThan(200);
  });

  it('starts at the start when the match is near it', () => {
    expect(show(buildResultExcerpt('x', 'Seats cost.', is('seats')))).toBe('[Seats] cost.');
  });

  it('is the excerpt when nothing matches anywhere', () => {
    expect(show(buildResultExcerpt('About it.', body, is('zebra')))).toBe('About it.');
  });

  it('survives a body without a space', () => {
    expect(show(buildResultExcerpt('x', `${'y'.repeat(300)}-crm-${'z'.repeat(300)}`, is('crm')))).toContain(
      '[crm]',
    );
  });
});
