import { expect, it } from 'vitest';
import { readSampleProducts } from '../../../test/support/sample-content.ts';
import { parseShortcode } from '../pages/sections/shortcode.schema.ts';
import { describeShortcodes, fillHtml, listShortcodes, splitShortcodes } from './shortcodes.ts';

const BOX = { type: 'product-box', fields: { product: 'kit', badge: 'Best & free' } };
const products = readSampleProducts();

it.each([
  ['plain quotes', '<p>{{product-box product="kit" badge="Best &amp; free"}}</p>'],
  ['escaped quotes', '<p>{{product-box product=&quot;kit&quot; badge=&quot;Best &amp; free&quot;}}</p>'],
  [
    'automatic typography',
    '<p class="x"> {{product-box product=&#8221;kit&#8221; badge=“Best &amp; free”}} </p>',
  ],
])('finds a shortcode alone in a paragraph with %s', (_, paragraph) => {
  expect(splitShortcodes(`<p>a</p>${paragraph}<p>b</p>`)).toEqual([
    { html: '<p>a</p>' },
    BOX,
    { html: '<p>b</p>' },
  ]);
  expect(describeShortcodes(`<p>a</p>${paragraph}`, new Map(), 'html')).toBe('<p>a</p>');
});

it('reads a link in a value as Markdown, and no other element', () => {
  const write = (consent: string) =>
    `<p>{{newsletter consent=&quot;${consent}&quot; button=&quot;Go&quot;}}</p>`;
  const html = write('Yes. <a href="/privacy" rel="noopener">Privacy</a> &amp; more');
  const fields = { consent: 'Yes. [Privacy](/privacy) & more', button: 'Go' };
  expect(splitShortcodes(html)).toEqual([{ type: 'newsletter', fields }]);
  expect(splitShortcodes(write('<em>Yes</em>'))).toEqual([{ html: write('<em>Yes</em>') }]);
});

it.each([
  '<p>Write {{product-box product="kit"}} here.</p>',
  '<pre><code>{{product-box product="kit"}}</code></pre>',
  '<p>{{unknown product="kit"}}</p>',
  '<p>{{product-box product="<b>"}}</p>',
])('leaves %s as text', (html) => expect(splitShortcodes(html)).toEqual([{ html }]));

it('lists the shortcodes of Markdown, each on a line of its own', () => {
  const markdown =
    'Text.\n\n{{product-box product="kit" badge="Best & free"}}\n\n`{{versus products="a, b"}}`\n';
  expect(listShortcodes(markdown)).toEqual([BOX]);
});

it.each([
  ['product-box', { product: 'kit' }, { type: 'product-box', product: 'kit' }],
  ['product-comparison', { products: 'kit, hubspot' }, { products: ['kit', 'hubspot'], scores: false }],
  [
    'roundup',
    { products: 'kit, hubspot', basis: 'By price.', order: 'price' },
    { order: 'price', items: [{ product: 'kit' }, { product: 'hubspot' }] },
  ],
  ['picks-table', { products: 'kit, hubspot', basis: 'By need.' }, { items: [{ product: 'kit' }, {}] }],
  ['versus', { products: 'kit, hubspot', verdict: 'Kit for lists.' }, { products: ['kit', 'hubspot'] }],
  ['newsletter', { consent: 'Yes.', button: 'Go', thanks: 'Thanks.' }, { consent: 'Yes.' }],
])('%s becomes the section of the same name', (type, fields, expected) => {
  expect(parseShortcode({ type, fields }, products)).toMatchObject(expected);
});

it.each([
  ['an unknown product', { product: 'tik' }, 'no product is called "tik"'],
  ['an unknown offer', { product: 'kit', offer: 'gold' }, 'has no offer "gold"'],
  ['an unknown field', { product: 'kit', color: 'red' }, 'color'],
])('%s is an error', (_, fields, problem) => {
  expect(parseShortcode({ type: 'product-box', fields: { ...fields } }, products)).toContain(problem);
});

it('a form without the words that visitors agree to is an error', () =>
  expect(parseShortcode({ type: 'newsletter', fields: { button: 'Go', thanks: 'Thanks.' } }, products)).toBe(
    '{{newsletter}}: consent is missing',
  ));

it('fills figures of products into HTML, escaped, and leaves other braces', () => {
  const figures = new Map([
    ['product:a', 'A & B <x>'],
    ['product:a.source', '[Page](https://a.example)'],
    ['claim:users', '9'],
  ]);
  const html = '<p>{product:a} {product:a.source} {claim:users} {product:b}</p>';
  expect(fillHtml(html, figures)).toBe(
    '<p>A &amp; B &lt;x&gt; {product:a.source} {claim:users} {product:b}</p>',
  );
});
