import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findStrangeHtml } from '../../../../test/support/article-html.ts';
import { POLICY } from '../../../../test/support/article-setup.ts';
import { forAll } from '../../../../test/support/for-all.ts';
import { extractText } from './html-text.ts';
import { createBodyPreparer } from './prepare-body.ts';
import { createSanitizer } from './sanitize-html.ts';
import { structureBody } from './structure-body.ts';

const prepare = createBodyPreparer(POLICY);
const sanitize = createSanitizer(POLICY);

const PIECES = [
  ...`
  <p> </p> <b> </b> <h2> </h2> <table> <tr> <td> </td> </table> </a> <br> <script> </script> <style>
  </style> <svg> </svg> <math> </math> <noscript> <template> </iframe> <figure> </figure> <div> </div>
  <textarea> <select> <!-- --> <![CDATA[ ]]> < > " ' & &lt; &#x3C; text
  `
    .trim()
    .split(/\s+/),
  '<h2 id=a>',
  '<a href="#x">',
  '<a name=x>',
  '<a href=//e.example>',
  '<img src=/a.png>',
  '<img src=x onerror=1>',
  '<iframe src="https://www.youtube.com/embed/abcdefghijk" title="t">',
  '<figure data-video="abcdefghijk">',
  '<div class=table-scroll>',
  '\0',
  '\u202E',
  ' ',
  '<x y=z>',
];

const html = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 30 })
    .map((pieces) => pieces.join('')),
);

const EXAMPLES: [string][] = [
  ['<a name=x><a name=x><iframe src="https://www.youtube.com/embed/abcdefghijk" title="t">'],
  ['<a name=x>one</a><a name=x>two <a href="/terms">three</a> four</a>'],
  ['<p><a name=x><a name=x><h2 id=a>'],
  ['<p><strong> </strong></p>text<h2></h2>'],
  ['<table><caption>a</caption><tr><td><table><caption>b</caption></table></table>'],
];

it('returns only the HTML of an article, with every element closed, for any input', () =>
  forAll(
    1,
    [html],
    (input) => {
      const { content, contents } = prepare({ format: 'html', source: input });
      expect(findStrangeHtml(content, ['images.example'])).toEqual([]);
      for (const { id } of contents) expect(content).toContain(` id="${id}"`);
    },
    EXAMPLES,
  ));

it('returns the same body when it is prepared twice', () =>
  forAll(
    1,
    [html],
    (input) => {
      const once = prepare({ format: 'html', source: input });
      expect(prepare({ format: 'html', source: once.content })).toEqual(once);
      expect(structureBody(once.content)).toEqual(once);
    },
    EXAMPLES,
  ));

it('loses no text in the pass over the DOM', () =>
  forAll(
    1,
    [html],
    (input) => {
      // The link to a frame takes the place of its content, and of what is for readers without scripts, images stay.
      const sanitized = sanitize(input.replace(/data-video|<iframe[^<>]*>|<noscript>/g, ''));
      const { content, text } = structureBody(sanitized);
      expect(text).toBe(extractText(sanitized));
      expect(extractText(content)).toBe(text);
    },
    EXAMPLES,
  ));
