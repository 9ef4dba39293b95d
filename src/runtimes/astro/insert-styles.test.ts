import { expect, it } from 'vitest';
import { hashInline } from '../../server/http/security-headers.ts';
import { createStyleInserter } from './insert-styles.ts';

const CSS = '.used{margin:0}.\\[\\&\\>p\\]\\:mt-2>p{margin:1px}.unused{color:red}.bar{top:0}.panel{left:0}';
const NAMES = { always: ['.bar'], islands: { Calculator: ['.panel'] } };
const insert = (body: string, isSelected = true) => {
  const { insertStyles, hashes } = createStyleInserter(['.other{top:0}', CSS], NAMES);
  const html = insertStyles(Buffer.from(`<html><style>1</style>${body}</html>`), isSelected).body.toString();
  return { css: /<style>(.*)<\/style>/.exec(html)?.[1] ?? '', html, hashes };
};

it('writes the styles that the elements of a page use, and no others', () => {
  const { css, html } = insert('<p class="used [&amp;>p]:mt-2">é</p>');
  expect(css).toBe('.used{margin:0}.\\[\\&\\>p\\]\\:mt-2>p{margin:1px}.bar{top:0}');
  expect(html).toContain('<p class="used [&amp;>p]:mt-2">é</p>');
});

it('keeps the classes that an island of the page may show later', () =>
  expect(insert('<astro-island component-export="Calculator"></astro-island>').css).toBe(
    '.bar{top:0}.panel{left:0}',
  ));

it('lists the hashes of the styles that it has written', () => {
  const { css, hashes } = insert('<p class="used"></p>');
  expect(hashes.has(hashInline(css))).toBe(true);
  expect(hashes.has(hashInline(CSS))).toBe(false);
});

it('writes the whole sheet when it shall not select', () => {
  const { html } = insert('<p class="used">é</p>', false);
  expect(html).toBe(`<html><style>${CSS}</style><p class="used">é</p></html>`);
});

it.each([
  ['the fonts of text and headings', '', ['/fonts/t.woff2', '/fonts/a.woff2']],
  [
    "the operator's font",
    '@font-face{font-family:Brand;src:url(/_astro/own.woff2)format("woff2")}:root{--font-display:"Brand"}',
    ['/fonts/t.woff2', '/_astro/own.woff2'],
  ],
  ['one font once', ':root{--font-display:"Text"}', ['/fonts/t.woff2']],
  ['no font of the system', ':root{--font-text:system-ui;--font-display:var(--font-text)}', []],
  ['no font that text does not have', 'html{font-family:system-ui}', ['/fonts/a.woff2']],
])('preloads %s', (_, brand, addresses) => {
  const font =
    '@font-face{font-family:Text;src:url(/fonts/t.woff2)format("woff2")}' +
    '@font-face{font-family:Site;src:url(/fonts/a.woff2)format("woff2")}' +
    ':root{--font-text:"Text", sans-serif;--font-display:"Site", sans-serif}html{font-family:var(--font-text)}';
  const { insertStyles } = createStyleInserter([font + brand], NAMES);
  const { body, link } = insertStyles(Buffer.from('<html><style>0</style></html>'), false);
  const preloads = addresses.map(
    (address) => `<${address}>; rel=preload; as=font; type="font/woff2"; crossorigin`,
  );
  expect(link).toBe(preloads.join(', '));
  expect(body.toString()).toBe(`<html><style>${font}${brand}</style></html>`);
});

it('leaves a page without the number of a sheet as it is', () => {
  const { insertStyles } = createStyleInserter([CSS], NAMES);
  for (const text of ['<html><p class="used"></p></html>', '<html><style>p{}</style></html>']) {
    const page = Buffer.from(text);
    expect(insertStyles(page, true)).toEqual({ body: page, link: '' });
  }
});
