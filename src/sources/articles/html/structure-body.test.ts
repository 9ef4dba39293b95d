import { expect, it } from 'vitest';
import { structureBody } from './structure-body.ts';

const structure = (html: string) => structureBody(html).content;
const getIds = (html: string) => [...structure(html).matchAll(/<h\d id="([^"]*)"/g)].map((match) => match[1]);

it('gives headings ids made of their words, different from all ids of the body', () => {
  const html = '<h2>The sum</h2><h3>The sum</h3><h2 id="s-the-sum-2">x</h2><h2>東京</h2>';
  expect(getIds(html)).toEqual(['s-the-sum', 's-the-sum-3', 's-the-sum-2', 's-東京']);
});

it('leaves the markup of headings as it is', () =>
  expect(structure('<p>a</p><h2>A <em>b</em></h2>')).toBe('<p>a</p><h2 id="s-a-b">A <em>b</em></h2>'));

it('lists second-level headings with their third-level headings as the table of contents', () => {
  const html = '<h3>Early</h3><h2>One</h2><h3>One a</h3><h4>deep</h4><h2>Two &amp; three</h2>';
  expect(structureBody(html).contents).toEqual([
    { id: 's-one', text: 'One', children: [{ id: 's-one-a', text: 'One a' }] },
    { id: 's-two-three', text: 'Two & three', children: [] },
  ]);
});

it('removes an id that another element has already, and an anchor that was nothing but this id', () =>
  expect(structure('<p id="s-a">1</p><p id="s-a">2</p><a id="s-a">3</a>')).toBe(
    '<p id="s-a">1</p><p>2</p>3',
  ));

it.each(['<p> </p>', '<h2></h2>', '<p><strong>\n</strong></p>'])(
  'replaces %j, which has no content, by a space',
  (html) => expect(structure(`<p>a</p>${html}<p>b</p>`)).toBe('<p>a</p> <p>b</p>'),
);

const TABLE = '<table><tbody><tr><td>1</td></tr></tbody></table>';
const name = (label: string, table = TABLE) => table.replace('<table>', `<table aria-label="${label}">`);
const wrap = (label: string, table = name(label)) =>
  `<div class="table-scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;

it('wraps tables in regions, and names both after the heading above', () =>
  expect(structure(`${TABLE}<h2 id="s-a">A "b"</h2>${TABLE}<p>x</p>`)).toBe(
    `${wrap('Table 1')}<h2 id="s-a">A "b"</h2>${wrap('Table 2: A &quot;b&quot;')}<p>x</p>`,
  ));

it('names the region of a table after its caption, which names the table', () => {
  const captioned = TABLE.replace('<table>', '<table><caption>Cost <b>a month</b></caption>');
  expect(structure(`<h2 id="s-sum">Sum</h2>${captioned}`)).toBe(
    `<h2 id="s-sum">Sum</h2>${wrap('Table 1: Cost a month', captioned)}`,
  );
});

it('wraps a table inside a table once, and names both', () => {
  const nested = TABLE.replace('1', TABLE);
  const named = name('Table 1').replace('>1<', `>${name('Table 2')}<`);
  expect(structure(nested)).toBe(wrap('Table 1', named));
  const captioned = nested.replace('<td><table>', '<td><table><caption>In</caption>');
  expect(structure(captioned)).toContain('<table><caption>In</caption>');
});

it.each([
  ['<figure data-video="abcdefghijk" title="The &quot;tour&quot;">x</figure>', 'The "tour"'],
  ['<figure data-video="abcdefghijk"><p>The</p><p>tour</p></figure>', 'The tour'],
  ['<figure data-video="abcdefghijk"></figure>', 'Watch the video on YouTube'],
])('replaces the content of %j by a link with the text %j', (html, text) => {
  const { content, text: words } = structureBody(html);
  expect(content).toContain(
    '<figure data-video="abcdefghijk"><a href="https://www.youtube.com/watch?v=abcdefghijk"',
  );
  expect(words).toBe(text);
});

const WORDS = '<p>word word word word</p>';

it('lists the first 300 headings of a body with thousands', () => {
  const { contents } = structureBody('<h2>a</h2><h3>b</h3>'.repeat(3_000));
  expect(contents.length + contents.flatMap(({ children }) => children).length).toBe(300);
});

it('splits the body before the second-level heading nearest to the middle', () => {
  const html = `${WORDS}<h2 id="s-a">a</h2>${WORDS}<h2 id="s-b">b</h2>${WORDS}<h2 id="s-c">c</h2>${WORDS}`;
  const { content, splitAt } = structureBody(html);
  expect(content).toBe(html);
  expect(content.slice(splitAt)).toMatch(/^<h2 id="s-b">/);
});

it.each([
  ['no heading', WORDS],
  ['headings near its ends only', `<h2>a</h2>${WORDS.repeat(9)}<h2>b</h2>${WORDS}`],
  ['a heading inside another element', `${WORDS}<blockquote><h2>a</h2></blockquote>${WORDS}`],
  ['nothing', ''],
])('does not split a body with %s', (_, html) => {
  const { content, splitAt } = structureBody(html);
  expect(splitAt).toBe(content.length);
});
