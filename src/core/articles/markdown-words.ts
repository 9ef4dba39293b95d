import type { MarkedExtension } from 'marked';
import { buildSourceId, CITATION } from './citations.ts';

/** What the site adds to the words of Markdown, for its pages and for the desk alike: citations such as `[^2]`. */
export const SITE_MARKDOWN: MarkedExtension = {
  gfm: true,
  extensions: [
    {
      name: 'citation',
      level: 'inline',
      start: (text) => text.indexOf('[^'),
      tokenizer: (text) => {
        const [raw, number] = CITATION.exec(text) ?? [];
        return raw === undefined ? undefined : { type: 'citation', raw, number };
      },
      renderer: ({ number }) => `<sup><a href="#${buildSourceId(number)}">${number}</a></sup>`,
    },
  ],
};

/** A pattern of what makes a quotation a callout at its start, as GitHub writes it: `> [!note]`. */
export const CALLOUT_MARK = String.raw`\[!(note|tip|important|warning|caution)\]\s*`;

/** A figure of the site in a text, such as `{product:kit.price}`. */
export const FIGURE_WORD = /\{[a-z]+:[\w.:-]+\}/;

/** After an image in the text of an article: it is only decoration, which no description helps. */
export const DECORATION_MARK = '<!-- decoration -->';

/** A section of the site, alone in its paragraph: `{{product-box product="kit"}}`. */
export const SHORTCODE_PARAGRAPH = /^\{\{\s*[a-z-]+(?:\s[^{}]*)?\}\}$/;
