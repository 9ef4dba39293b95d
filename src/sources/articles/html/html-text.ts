import { type Handler, Parser, type ParserOptions, type parseDocument } from 'htmlparser2';
import type { InspectedBody } from '../../../core/articles/check-article.ts';

/** A node of a parsed document, and an element with its attributes and children. */
export type HtmlNode = ReturnType<typeof parseDocument>['children'][number];
export type HtmlElement = Extract<HtmlNode, { readonly attribs: object }>;

/** Elements that do not separate words: `per<em>cent</em>` is one word, `<td>1</td><td>2</td>` are two. */
const INLINE = new Set(
  'a abbr b bdi cite code del dfn em i ins kbd mark q ruby s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);

/** Elements whose content is not text for readers. */
const NOT_TEXT = new Set(['script', 'style', 'template', 'title', 'noscript']);

/** Whether an element starts a line or a cell, so that its text does not continue the text before it. */
export function isBlock(name: string): boolean {
  return !INLINE.has(name);
}

/** Characters that are parsed before the depth, and the length of what is wanted, are looked at. */
const CHUNK_LENGTH = 10_000;
/** Open elements. Browsers nest 512 of them, and the parser takes longer for each the more are open. */
const MAX_DEPTH = 1_000;

/**
 * Parses HTML, or with `options.xmlMode` XML, up to where more than a thousand elements are open, or until `isEnough`;
 * returns whether all of it was parsed. What is open then is closed.
 */
export function parseHtml(
  html: string,
  handler: Partial<Handler>,
  options: ParserOptions = {},
  isEnough: () => boolean = () => false,
): boolean {
  let depth = 0;
  const counted: Partial<Handler> = {
    ...handler,
    onopentagname(name) {
      depth += 1;
      handler.onopentagname?.(name);
    },
    onclosetag(name, isImplied) {
      depth -= 1;
      handler.onclosetag?.(name, isImplied);
    },
  };
  const parser = new Parser(counted, options);
  let at = 0;
  for (; at < html.length && depth <= MAX_DEPTH && !isEnough(); at += CHUNK_LENGTH)
    parser.write(html.slice(at, at + CHUNK_LENGTH));
  const isWhole = at >= html.length && depth <= MAX_DEPTH;
  parser.end();
  return isWhole;
}

/** Throws `RangeError` for HTML that nests more than a thousand elements: what builds a tree of it takes minutes. */
export function refuseDeepHtml(html: string): void {
  if (!parseHtml(html, {})) throw new RangeError(`it nests more than ${MAX_DEPTH} elements`);
}

/**
 * Extracts the words of any HTML: entities decoded, scripts and styles left out, one space between blocks. What comes
 * after `maxLength` characters is not parsed.
 */
export function extractText(html: string, maxLength = Number.POSITIVE_INFINITY): string {
  let text = '';
  let hidden = 0;
  const separate = (name: string) => {
    if (isBlock(name)) text += ' ';
  };
  const handler: Partial<Handler> = {
    ontext: (piece) => {
      if (hidden === 0) text += piece;
    },
    onopentagname: (name) => {
      if (NOT_TEXT.has(name)) hidden += 1;
      separate(name);
    },
    onclosetag: (name) => {
      if (NOT_TEXT.has(name)) hidden -= 1;
      separate(name);
    },
  };
  parseHtml(html, handler, {}, () => text.length >= maxLength);
  return collapseSpaces(text.length > maxLength ? text.slice(0, maxLength) : text);
}

/** Replaces every run of white space with one space, and trims. */
export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Replaces the entities that the sanitizer and `escapeHtml` write with their characters. */
export function unescapeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** The attributes of a tag, by name. */
type Attributes = Readonly<Record<string, string>>;

/** Where scripts of WordPress that load images and frames lazily have their addresses. */
const LAZY = ['data-lazy-src', 'data-src', 'data-original', 'data-litespeed-src'];

/** Lists where an image or frame may come from: what its page would load lazily, then what it has meanwhile. */
export function listSources(attributes: Attributes): readonly string[] {
  return [...LAZY, 'src'].flatMap((name) => attributes[name]?.trim() || []);
}

/** Inspects what the HTML of an article refers to and which elements it has, before it is sanitized. */
export function inspectHtml(html: string): InspectedBody {
  const images: { src: string; alt: string | null; isSized: boolean }[] = [];
  const links: string[] = [];
  const frames: string[] = [];
  const elements = new Set<string>();
  parseHtml(html, {
    onopentag: (name, attributes) => {
      const { alt = null, width, height, href, data } = attributes;
      const [src = ''] = listSources(attributes);
      elements.add(name);
      if (name === 'iframe' || name === 'embed') frames.push(src);
      if (name === 'object' && data !== undefined) frames.push(data);
      if (name === 'img') images.push({ src, alt, isSized: width !== undefined && height !== undefined });
      if (name === 'a' && href !== undefined) links.push(href);
    },
  });
  return { images, links, frames, elements: [...elements] };
}
