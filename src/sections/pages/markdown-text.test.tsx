import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Cta } from '../../core/outbound/cta.ts';
import { listHeadings, Markdown } from './markdown-text.tsx';

const render = (text: string) => renderToStaticMarkup(<Markdown text={text} cta={{} as Cta} />);

it('a heading in any script has an id that a list of contents can link to', () => {
  expect(render('## Preise für Teams')).toBe('<h2 id="preise-für-teams">Preise für Teams</h2>');
  expect(listHeadings('## 料金')).toEqual([{ id: '料金', text: '料金' }]);
});

it('a heading without letters and digits has no id', () => {
  expect(render('## …')).toBe('<h2>…</h2>');
  expect(listHeadings('## …')).toEqual([]);
});

it.each([
  ['## One\n### Part', '<h3 id="one">One</h3><h4 id="part">Part</h4>'],
  ['### One', '<h3 id="one">One</h3>'],
  ['# One\n\nText', '<h3 id="one">One</h3><p>Text</p>'],
])('below a heading, %j begins at level 3', (text, markup) => {
  expect(renderToStaticMarkup(<Markdown text={text} cta={{} as Cta} isBelowHeading />)).toBe(markup);
});

it.each([
  ['1. One\n2. Two', '<ol>'],
  ['4. Four\n5. Five', '<ol start="4">'],
  ['- One\n- Two', '<ul>'],
])('the list %j begins with %s', (text, start) => expect(render(text).slice(0, start.length)).toBe(start));

it('words with a hyphen and short code stay on one line', () => {
  expect(render('a ==14-day== trial')).toContain('<span class="whole">14-day</span>');
  expect(render('ends with `-trial`')).toContain('<code class="whole">-trial</code>');
  expect(render('`a long text with spaces`')).not.toContain('class=');
});
