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

it('keeps the classes that an island of the page may show later', () => {
  expect(insert('<astro-island component-export="Calculator"></astro-island>').css).toBe(
    '.bar{top:0}.panel{left:0}',
  );
});

it('lists the hashes of the styles that it has written', () => {
  const { css, hashes } = insert('<p class="used"></p>');
  expect(hashes.has(hashInline(css))).toBe(true);
  expect(hashes.has(hashInline(CSS))).toBe(false);
});

it('writes the whole sheet when it shall not select', () => {
  const { html } = insert('<p class="used">é</p>', false);
  expect(html).toBe(`<html><style>${CSS}</style><p class="used">é</p></html>`);
});

it('leaves a page without the number of a sheet as it is', () => {
  const { insertStyles } = createStyleInserter([CSS], NAMES);
  for (const text of ['<html><p class="used"></p></html>', '<html><style>p{}</style></html>']) {
    const page = Buffer.from(text);
    expect(insertStyles(page, true)).toBe(page);
  }
});
