import { defineLanguageFacet, Language, LanguageSupport, languageDataProp } from '@codemirror/language';
import { GFM, type MarkdownConfig, parser } from '@lezer/markdown';

const FIGURE = /^\{[a-z]+:[\w.:-]+\}/;
const SOURCE = /^\[\^\d{1,2}\]/;
const SHORTCODE = /^[ \t]*\{\{\s*[a-z-]+(?:\s[^{}]*)?\}\}[ \t]*$/;
const LEFT_BRACE = 123;
const LEFT_BRACKET = 91;
/** More characters than the name of a figure has. */
const MAX_NAME = 120;

/** What the site adds to Markdown: `{product:kit}`, `[^1]`, and `{{product-box product="kit"}}` on a line of its own. */
const SITE_WORDS: MarkdownConfig = {
  defineNodes: [{ name: 'Figure' }, { name: 'Source' }, { name: 'Shortcode', block: true }],
  parseInline: [
    {
      name: 'Figure',
      before: 'Link',
      parse(text, next, at) {
        const [found] = (next === LEFT_BRACE ? FIGURE.exec(text.slice(at, at + MAX_NAME)) : null) ?? [];
        return found === undefined ? -1 : text.addElement(text.elt('Figure', at, at + found.length));
      },
    },
    {
      name: 'Source',
      before: 'Link',
      parse(text, next, at) {
        const [found] = (next === LEFT_BRACKET ? SOURCE.exec(text.slice(at, at + MAX_NAME)) : null) ?? [];
        return found === undefined ? -1 : text.addElement(text.elt('Source', at, at + found.length));
      },
    },
  ],
  parseBlock: [
    {
      name: 'Shortcode',
      before: 'HTMLBlock',
      parse(text, line) {
        if (!SHORTCODE.test(line.text)) return false;
        const from = text.lineStart;
        const to = from + line.text.length;
        text.nextLine();
        text.addElement(text.elt('Shortcode', from, to));
        return true;
      },
      endLeaf: (_, line) => SHORTCODE.test(line.text),
    },
  ],
};

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } });

/** The Markdown of articles. */
export const siteMarkdown = new LanguageSupport(
  new Language(
    data,
    parser.configure([GFM, SITE_WORDS, { props: [languageDataProp.add({ Document: data })] }]),
    [],
    'markdown',
  ),
);
