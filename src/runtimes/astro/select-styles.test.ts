import { expect, it } from 'vitest';
import { hashInline } from '../../server/http/security-headers.ts';
import { createStyleSelector } from './select-styles.ts';

const CSS = '.used{margin:0}.\\[\\&\\>p\\]\\:mt-2>p{margin:1px}.unused{color:red}.bar{top:0}.panel{left:0}';
const NAMES = { always: ['.bar'], islands: { Calculator: ['.panel'] } };
const select = (body: string) => {
  const { selectStyles, hashes } = createStyleSelector(NAMES);
  const html = selectStyles(Buffer.from(`<html><style>${CSS}</style>${body}</html>`)).toString();
  return { css: /<style>(.*)<\/style>/.exec(html)?.[1] ?? '', html, hashes };
};

it('writes the styles that the elements of a page use, and no others', () => {
  const { css, html } = select('<p class="used [&amp;>p]:mt-2">é</p>');
  expect(css).toBe('.used{margin:0}.\\[\\&\\>p\\]\\:mt-2>p{margin:1px}.bar{top:0}');
  expect(html).toContain('<p class="used [&amp;>p]:mt-2">é</p>');
});

it('keeps the classes that an island of the page may show later', () => {
  expect(select('<astro-island component-export="Calculator"></astro-island>').css).toBe(
    '.bar{top:0}.panel{left:0}',
  );
});

it('lists the hashes of the styles that it has written', () => {
  const { css, hashes } = select('<p class="used"></p>');
  expect(hashes.has(hashInline(css))).toBe(true);
  expect(hashes.has(hashInline(CSS))).toBe(false);
});

it('leaves a page without styles as it is', () => {
  const { selectStyles } = createStyleSelector(NAMES);
  const page = Buffer.from('<html><p class="used"></p></html>');
  expect(selectStyles(page)).toBe(page);
});
