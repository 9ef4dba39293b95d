import { expect, it } from 'vitest';
import { hashInline } from '../../server/http/security-headers.ts';
import { createStyleInserter } from './insert-styles.ts';

const CSS = '.used{margin:0}.\\[\\&\\>p\\]\\:mt-2>p{margin:1px}.unused{color:red}.bar{top:0}.panel{left:0}';
const NAMES = { always: ['.bar'], islands: { Calculator: ['.panel'] } };
const insert = (body: string, isSelected = true) => {
  const { insertStyles, hashes } = createStyleInserter(['.other{top:0}', CSS], NAMES);
  const html = insertStyles(Buffer.from(`<html><style>1</style>${body}</html>`), isSelected).toString();
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
  ['the display font', '', '/fonts/a.woff2'],
  [
    "the operator's font",
    '@font-face{font-family:Brand;src:url(/_astro/own.woff2)format("woff2")}:root{--font-display:"Brand"}',
    '/_astro/own.woff2',
  ],
  ['no font of the system', ':root{--font-display:var(--font-text)}', null],
])('preloads %s', (_, brand, address) => {
  const font =
    '@font-face{font-family:Site;src:url(/fonts/a.woff2)format("woff2")}:root{--font-display:"Site", sans-serif}';
  const { insertStyles } = createStyleInserter([font + brand], NAMES);
  const html = insertStyles(Buffer.from('<html><style>0</style></html>'), false).toString();
  const preload = address && `<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`;
  expect(html).toBe(`<html>${preload ?? ''}<style>${font}${brand}</style></html>`);
});

it('leaves a page without the number of a sheet as it is', () => {
  const { insertStyles } = createStyleInserter([CSS], NAMES);
  for (const text of ['<html><p class="used"></p></html>', '<html><style>p{}</style></html>']) {
    const page = Buffer.from(text);
    expect(insertStyles(page, true)).toBe(page);
  }
});
