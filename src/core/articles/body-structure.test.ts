import { describe, expect, it } from 'vitest';
import { addHeadingIds, buildContents, readHeadings } from './headings.ts';
import { escapeHtml, readText } from './html-tags.ts';
import { splitBody } from './split-body.ts';
import { wrapTables } from './table-scroll.ts';

describe('readText', () => {
  it.each([
    ['<p>One</p><p>two</p>', 'One two'],
    ['<p>per<em>centage</em></p>', 'percentage'],
    ['<p>a &lt;b&gt; &amp;amp; &quot;c&quot;</p>', 'a <b> &amp; "c"'],
    ['<td>1</td><td>2</td>', '1 2'],
    ['a<br>b', 'a b'],
  ])('reads %j as %j', (html, text) => {
    expect(readText(html)).toBe(text);
  });

  it('gives back what was escaped', () => {
    const text = '<img src="x"> & &lt;';
    expect(readText(escapeHtml(text))).toBe(text);
  });
});

describe('headings', () => {
  it('get ids made of their words, unique, in the article’s own name space', () => {
    const html = '<h2>The sum</h2><h3>The sum</h3><h2 id="s-the-sum-2">x</h2><h2>東京</h2>';
    expect(readHeadings(addHeadingIds(html)).map(({ id }) => id)).toEqual([
      's-the-sum',
      's-the-sum-3',
      's-the-sum-2',
      's-section',
    ]);
  });

  it('keep their markup', () => {
    expect(addHeadingIds('<p>a</p><h2>A <em>b</em></h2>')).toBe('<p>a</p><h2 id="s-a-b">A <em>b</em></h2>');
  });

  it('make a table of contents of two levels', () => {
    const html = addHeadingIds(
      '<h3>Early</h3><h2>One</h2><h3>One a</h3><h4>deep</h4><h2>Two &amp; three</h2>',
    );
    expect(buildContents(html)).toEqual([
      { id: 's-one', text: 'One', children: [{ id: 's-one-a', text: 'One a' }] },
      { id: 's-two-three', text: 'Two & three', children: [] },
    ]);
  });
});

describe('wrapTables', () => {
  const table = '<table><tbody><tr><td>1</td></tr></tbody></table>';
  const wrapped = (label: string, inner = table) =>
    `<div class="table-scroll" role="region" tabindex="0" aria-label="${label}">${inner}</div>`;

  it('names the region after the heading above', () => {
    expect(wrapTables(`${table}<h2>A "b"</h2>${table}<p>x</p>`)).toBe(
      `${wrapped('Table 1')}<h2>A "b"</h2>${wrapped('Table 2: A &quot;b&quot;')}<p>x</p>`,
    );
  });

  it('names it after the caption when there is one', () => {
    const captioned = table.replace('<table>', '<table><caption>Cost <b>a month</b></caption>');
    expect(wrapTables(`<h2>Sum</h2>${captioned}`)).toBe(
      `<h2>Sum</h2>${wrapped('Table 1: Cost a month', captioned)}`,
    );
  });

  it('wraps a table in a table once', () => {
    const nested = table.replace('1', table);
    expect(wrapTables(nested)).toBe(wrapped('Table 1', nested));
  });
});

describe('splitBody', () => {
  const words = '<p>word word word word</p>';

  it('splits at the second-level heading nearest to the middle', () => {
    const html = `${words}<h2>a</h2>${words}<h2>b</h2>${words}<h2>c</h2>${words}`;
    expect(splitBody(html)[1].startsWith('<h2>b')).toBe(true);
    expect(splitBody(html).join('')).toBe(html);
  });

  it.each([
    ['no heading', words],
    ['headings at the ends only', `<h2>a</h2>${words.repeat(9)}<h2>b</h2>${words}`],
    ['a heading inside another element', `${words}<blockquote><h2>a</h2></blockquote>${words}`],
    ['nothing', ''],
  ])('does not split with %s', (_, html) => {
    expect(splitBody(html)).toEqual([html, '']);
  });
});
