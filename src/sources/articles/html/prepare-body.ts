import type { Parser } from 'htmlparser2';
import { Lexer, Marked, type Token, type Tokens } from 'marked';
import type { FieldProblem } from '../../../core/articles/front-matter.schema.ts';
import { CALLOUT_MARK, DECORATION_MARK, SITE_MARKDOWN } from '../../../core/articles/markdown-words.ts';
import {
  type ContentImage,
  findContentImage,
  type ImageCatalog,
  isContentReference,
} from '../../../core/pages/images/content-image.ts';
import { findMarkdownExcess, weighParagraph } from '../../../core/text/markdown-bounds.ts';
import { escapeHtml } from '../../../core/text/parse-text.ts';
import { parseHtml } from './html-text.ts';
import { ALLOWED_TAGS, createSanitizer, type SanitizePolicy } from './sanitize-html.ts';
import { type ArticleBody, structureBody } from './structure-body.ts';

/**
 * The body of an article as it was written. Markdown is CommonMark with tables, strikethrough, task lists and citations
 * (`[^2]`); it may refer to the images of the content folder.
 */
export type BodySource =
  | { readonly format: 'html'; readonly source: string }
  | { readonly format: 'markdown'; readonly source: string; readonly images: ImageCatalog };

const marked = new Marked(SITE_MARKDOWN);

marked.use({
  renderer: {
    // A form of its own would be removed.
    checkbox: ({ checked }) => (checked ? '\u2611 ' : '\u2610 '),
    blockquote({ tokens }) {
      const html = this.parser.parse(tokens);
      const text = html.replace(CALLOUT, '<p>');
      return text === html ? false : `<div class="callout">\n${text}</div>\n`;
    },
  },
});

const CALLOUT = new RegExp(`^<p>${CALLOUT_MARK}`, 'i');

/** Renders Markdown to HTML that is not sanitized. Throws `RangeError` for what takes more than a moment. */
export function renderMarkdown(markdown: string): string {
  const excess = findBodyExcess(markdown);
  if (excess !== null) throw new RangeError(`it ${excess}`);
  const tokens = marked.lexer(markdown);
  const tags: Tokens.HTML[] = [];
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'html') tags.push(token as Tokens.HTML);
  });
  showLooseTags(tags);
  return marked.parser(tokens);
}

/** Elements that are text to a browser, as GitHub has them: in Markdown their tags are always words of a sentence. */
const SHOWN = ['title', 'textarea', 'xmp', 'noembed', 'noframes', 'plaintext'];
/** Elements that the site leaves out without a word of them; every other name in angle brackets is one. */
const KNOWN = new Set(
  [
    'h1 html body main article aside header footer nav address hgroup search menu dialog slot data label fieldset legend',
    'output progress meter map area param track base link meta embed input center font big tt strike acronym dir nobr',
    'frame basefont bgsound blink image isindex keygen listing nextid rb rtc spacer',
    ...ALLOWED_TAGS,
  ].flatMap((names) => names.split(' ')),
);
const MARK = /<(\/?)([a-z][\w-]*)(?=[\s/>])|<!--|<\?|<!\[CDATA\[/gi;
const ENDS = Object.entries({ '<!--': '-->', '<?': '?>', '<![CDATA[': ']]>' });

/** Writes tags and marks that would take the words after them away as text: `<title>` in a sentence is a word of it. */
function showLooseTags(tokens: readonly Tokens.HTML[]): void {
  const open = new Map<string, { readonly token: number; readonly at: number }[]>();
  const loose = tokens.map(() => new Set<number>());
  for (const [token, { text }] of tokens.entries()) {
    const ends = new Map(ENDS.map(([mark, end]) => [mark, text.lastIndexOf(end)]));
    for (const { 0: mark, 1: slash, 2: name = '', index: at } of text.matchAll(MARK)) {
      const key = name.toLowerCase();
      const end = ends.get(mark.toUpperCase());
      if (end !== undefined) {
        if (end < at + mark.length) loose[token]?.add(at);
      } else if (SHOWN.includes(key)) loose[token]?.add(at);
      else if (KNOWN.has(key)) continue;
      else if (slash === '/') open.get(key)?.pop();
      else {
        const list = open.get(key) ?? [];
        list.push({ token, at });
        open.set(key, list);
      }
    }
  }
  for (const { token, at } of [...open.values()].flat()) loose[token]?.add(at);
  for (const [index, token] of tokens.entries())
    token.text = token.text.replace(/</g, (sign, at: number) => (loose[index]?.has(at) ? '&lt;' : sign));
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
