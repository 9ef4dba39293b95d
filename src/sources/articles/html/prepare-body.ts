import type { Parser } from 'htmlparser2';
import { Lexer, Marked, type Token } from 'marked';
import { buildSourceId, CITATION } from '../../../core/articles/citations.ts';
import type { FieldProblem } from '../../../core/articles/front-matter.schema.ts';
import {
  type ContentImage,
  DECORATION_MARK,
  findContentImage,
  type ImageCatalog,
  isContentReference,
} from '../../../core/pages/images/content-image.ts';
import { findMarkdownExcess, weighParagraph } from '../../../core/text/markdown-bounds.ts';
import { escapeHtml } from '../../../core/text/parse-text.ts';
import { parseHtml } from './html-text.ts';
import { createSanitizer, type SanitizePolicy } from './sanitize-html.ts';
import { type ArticleBody, structureBody } from './structure-body.ts';

/**
 * The body of an article as it was written. Markdown is CommonMark with tables, strikethrough, task lists and citations
 * (`[^2]`); it may refer to the images of the content folder.
 */
export type BodySource =
  | { readonly format: 'html'; readonly source: string }
  | { readonly format: 'markdown'; readonly source: string; readonly images: ImageCatalog };

const marked = new Marked({ gfm: true });

marked.use({
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
  renderer: {
    blockquote({ tokens }) {
      const html = this.parser.parse(tokens);
      const text = html.replace(CALLOUT, '<p>');
      return text === html ? false : `<div class="callout">\n${text}</div>\n`;
    },
  },
});

/** The mark that makes a quotation a callout, as GitHub writes them: `> [!note]`. */
const CALLOUT = /^<p>\[!(?:note|tip|important|warning|caution)\]\s*/i;

/** Renders Markdown to HTML that is not sanitized. Throws `RangeError` for what takes more than a moment. */
export function renderMarkdown(markdown: string): string {
  const excess = findBodyExcess(markdown);
  if (excess !== null) throw new RangeError(`it ${excess}`);
  return marked.parse(markdown, { async: false });
}

/** Weighs the paragraphs of a text, its cells and items as the parser divides it, before it looks for their marks. */
class WeighingLexer extends Lexer {
  work = 0;

  override inline(source: string, tokens?: Token[]): Token[] {
    this.work += weighParagraph(source);
    return super.inline(source, tokens);
  }
}

/** Why the Markdown of an article is not rendered, as the end of a sentence that begins with it; null when it is. */
export function findBodyExcess(markdown: string): string | null {
  return findMarkdownExcess(markdown, () => {
    const lexer = new WeighingLexer(marked.defaults);
    lexer.blockTokens(markdown, lexer.tokens);
    return lexer.work;
  });
}

/** Renders a body to HTML that is not sanitized, with the images of the content folder in place. */
export function renderBody(body: BodySource): string {
  if (body.format === 'html') return body.source;
  return placeImages(renderMarkdown(body.source), body.images).html;
}

/**
 * Creates the function that turns a body from anywhere into one that the site can show. Doing it twice changes
 * nothing.
 */
export function createBodyPreparer(policy: SanitizePolicy): (body: BodySource) => ArticleBody {
  const sanitize = createSanitizer(policy);
  return (body) => structureBody(sanitize(renderBody(body)));
}

export interface ImageProblem extends FieldProblem {
  /** How the image begins in Markdown; empty: it is not in the text. */
  readonly written: string;
  /** true: the next build makes it right. */
  readonly needsBuild: boolean;
}

/**
 * Replaces every `<img>` of an article body that refers to a content image by the files that the site serves, with
 * their size. `problems` has the images that do not exist, or have no alternative text and are more than decoration.
 */
export function placeImages(
  html: string,
  catalog: ImageCatalog,
): { readonly html: string; readonly problems: readonly ImageProblem[] } {
  const problems: ImageProblem[] = [];
  let placed = '';
  let end = 0;
  let parser: Parser | undefined;
  parseHtml(html, {
    onparserinit: (created) => {
      parser = created;
    },
    onopentag(name, { src = '', alt = '', title }) {
      if (parser === undefined || name !== 'img' || !isContentReference(src)) return;
      const found = findContentImage(src, catalog);
      const written = `![${alt}](${src}`;
      if ('problem' in found) {
        problems.push({ field: 'body', reason: found.problem, needsBuild: found.needsBuild, written });
      }
      if (alt.trim() === '' && !html.startsWith(DECORATION_MARK, parser.endIndex + 1)) {
        const reason = `has no alternative text for ${src}`;
        problems.push({ field: 'body', reason, needsBuild: false, written });
      }
      if ('problem' in found) return;
      placed += html.slice(end, parser.startIndex) + buildPicture(found.image, alt, title);
      end = parser.endIndex + 1;
    },
  });
  return { html: placed + html.slice(end), problems };
}

/** The sanitizer adds what all images of a body have: `sizes`, lazy loading. */
function buildPicture(image: ContentImage, alt: string, title: string | undefined): string {
  const { src, width, height, sources } = image;
  const titled = title === undefined ? '' : ` title="${escapeHtml(title)}"`;
  const img = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"${titled} width="${width}" height="${height}">`;
  if (sources.length === 0) return img;
  const list = sources.map(({ type, srcset }) => `<source type="${type}" srcset="${escapeHtml(srcset)}">`);
  return `<picture>${list.join('')}${img}</picture>`;
}
