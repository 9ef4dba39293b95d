import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { parseHtml } from '../sources/articles/html/html-text.ts';

/** Elements that draw, style or describe. Not among them: scripts, links, animation and foreign documents. */
const ELEMENTS = new Set(
  `svg g defs symbol use switch view title desc metadata style
  path rect circle ellipse line polyline polygon image text tspan textPath marker
  linearGradient radialGradient stop pattern clipPath mask filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);
const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const EMBEDDED_IMAGE = /^data:image\/(?:png|jpeg|webp|gif|avif);base64,/;
/** What CSS can load. A backslash counts, because it spells letters: `u\72l()` is `url()`. */
const EXTERNAL_STYLE = /url\((?!\s*["']?#)[^)]*\)?|@import[^;]*|image-set\([^)]*\)?|\\[\da-f]/i;

/** Elements in one another: programs write some twenty, and browsers draw them one inside the other. */
const MAX_DEPTH = 100;
const TOO_DEEP = `nests more than ${MAX_DEPTH} elements: ungroup the drawing, then export it again`;

/**
 * Checks that an SVG document only draws: opened by itself on the site's origin, it must neither run nor load
 * anything. Returns the first violation, as a predicate of the file; null when the file is valid.
 */
export function checkSvg(text: string): string | null {
  const problems: string[] = [];
  const open: string[] = [];
  let root: string | undefined;
  // Text arrives in pieces, split at entities for example.
  let style = '';
  const isWhole = parseHtml(
    text,
    {
      onopentag(name, attributes) {
        root ??= name;
        open.push(name);
        if (open.length > MAX_DEPTH) problems.push(TOO_DEEP);
        const element = name.replace(/^svg:/, '');
        // Elements of drawing programs, such as sodipodi:namedview, do nothing: their prefixes are not SVG or HTML.
        if (!element.includes(':') && !ELEMENTS.has(element)) problems.push(`has a <${name}> element`);
        for (const [attribute, value] of Object.entries(attributes)) {
          const problem = checkAttribute(attribute, value);
          if (problem !== null) problems.push(problem);
        }
      },
      onclosetag() {
        open.pop();
      },
      ontext(data) {
        if (open.at(-1)?.endsWith('style')) style += data;
      },
      onprocessinginstruction(name, data) {
        const problem = checkInstruction(name.toLowerCase(), data);
        if (problem !== null) problems.push(problem);
      },
    },
    { xmlMode: true },
    () => problems.length > 0,
  );
  const external = EXTERNAL_STYLE.exec(style)?.[0];
  if (external !== undefined) problems.push(`refers to ${external}`);
  if (root !== 'svg' && root !== 'svg:svg') return 'is not an SVG document in UTF-8';
  return problems[0] ?? (isWhole ? null : TOO_DEEP);
}

function checkAttribute(name: string, value: string): string | null {
  const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name];
  if (/^on/i.test(local ?? '')) return `has the event handler ${name}`;
  if (name === 'xmlns' && value !== SVG) return `has elements of ${value}`;
  if (prefix === 'xmlns' && (value === XHTML || (value === SVG && local !== 'svg'))) {
    return `gives ${value} the prefix ${local}`;
  }
  if (name === 'xml:base') return 'changes the base of its references with xml:base';
  if (local === 'href' && !/^\s*#/.test(value) && !EMBEDDED_IMAGE.test(value)) return `refers to ${value}`;
  const external = prefix === '' ? EXTERNAL_STYLE.exec(value)?.[0] : undefined;
  return external === undefined ? null : `refers to ${external}`;
}

function checkInstruction(name: string, data: string): string | null {
  if (name === '!doctype' && data.includes('[')) return 'defines entities in its DOCTYPE';
  if (name === '?xml-stylesheet') return 'loads a style sheet';
  // Read in another encoding, the file has markup where this check saw none.
  const encoding = /encoding\s*=\s*["']([^"']*)/.exec(data)?.[1] ?? 'utf-8';
  return name === '?xml' && !/^(?:utf-8|us-ascii)$/i.test(encoding)
    ? `is in ${encoding}, not in UTF-8`
    : null;
}

/** What an SVG document may repeat through references, with everything that these repeat. */
const MAX_DRAWN_ELEMENTS = 100_000;
const TOO_MANY = `draws more than ${MAX_DRAWN_ELEMENTS.toLocaleString('en')} elements`;
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';

/**
 * Writes an SVG document again with what draws alone: without scripts, event handlers, links, references to other
 * files, foreign elements, entities, comments and metadata. Returns it, or why that cannot be done, as a predicate of
 * the file.
 */
export function cleanSvg(text: string): { readonly text: string } | { readonly problem: string } {
  try {
    const { written, drawn } = new SvgWriter().write(text);
    if (drawn > MAX_DRAWN_ELEMENTS) return { problem: `${TOO_MANY} through references` };
    // The check of the build decides: what it refuses was not cleaned.
    const problem = checkSvg(written);
    return problem === null ? { text: written } : { problem };
  } catch (error) {
    if (error instanceof RefusedError) return { problem: error.message };
    // The first line says where and what; the parser quotes no more of the document than a name.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { problem: `is not an SVG document that can be read: ${message.slice(0, 200)}` };
  }
}

class RefusedError extends Error {}

/** An element that is being written, with what it draws: by itself, and by reference. */
interface OpenElement {
  readonly name: string;
  readonly id: string | null;
  elements: number;
  readonly references: string[];
}

/** Writes what an XML parser reads of an SVG document, element by element. */
class SvgWriter {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #parts: string[] = [];
  readonly #open: OpenElement[] = [];
  readonly #named = new Map<string, OpenElement>();
  #skipped = 0;
  #elements = 0;
  #root: OpenElement | null = null;
  #style = '';

  write(text: string): { readonly written: string; readonly drawn: number } {
    const parser = this.#parser;
    parser.on('opentag', (tag) => this.#openTag(tag));
    parser.on('closetag', () => this.#closeTag());
    parser.on('text', (data) => this.#addText(data));
    parser.on('cdata', (data) => this.#addText(data));
    parser.write(text.replace(/^\ufeff/, '')).close();
    if (this.#root === null) throw new Error('its first element is not <svg>');
    return { written: `${this.#parts.join('')}\n`, drawn: this.#countDrawn(this.#root, new Map()) };
  }

  #openTag({ local, uri, attributes }: SaxesTagNS): void {
    if (this.#open.length + this.#skipped >= MAX_DEPTH) throw new RefusedError(TOO_DEEP);
    const isDrawing = uri === SVG && ELEMENTS.has(local) && local !== 'metadata';
    if (this.#skipped > 0 || !isDrawing || (this.#root === null && local !== 'svg')) {
      this.#skipped += 1;
      return;
    }
    const written = new Map(Object.values(attributes).flatMap((attribute) => writeAttribute(attribute)));
    const element: OpenElement = { name: local, id: written.get('id') ?? null, elements: 1, references: [] };
    const reference = written.get('href')?.trim() ?? '';
    if (local === 'use' && reference.startsWith('#')) element.references.push(reference.slice(1));
    const all = this.#root === null ? [['xmlns', SVG] as const, ...written] : [...written];
    this.#root ??= element;
    if (element.id !== null) this.#named.set(element.id, element);
    this.#open.push(element);
    this.#elements += 1;
    if (this.#elements > MAX_DRAWN_ELEMENTS) throw new RefusedError(TOO_MANY);
    this.#parts.push(`<${local}${all.map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join('')}>`);
  }

  #closeTag(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const element = this.#open.pop();
    if (element === undefined) return;
    if (element.name === 'style') this.#parts.push(escapeXml(cleanStyle(this.#style)));
    if (element.name === 'style') this.#style = '';
    this.#parts.push(`</${element.name}>`);
    const around = this.#open.at(-1);
    if (around === undefined) return;
    around.elements += element.elements;
    for (const reference of element.references) around.references.push(reference);
  }

  #addText(data: string): void {
    if (this.#skipped > 0 || this.#open.length === 0) return;
    if (this.#open.at(-1)?.name === 'style') this.#style += data;
    else this.#parts.push(escapeXml(data));
  }

  /**
   * How many elements a browser draws of one, with those that it refers to; a circle, or a chain of more than a hundred
   * references, counts as more than allowed.
   */
  #countDrawn(element: OpenElement, counted: Map<OpenElement, number>, depth = 0): number {
    const known = counted.get(element);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    counted.set(element, Number.POSITIVE_INFINITY);
    let drawn = element.elements;
    for (const id of element.references) {
      const target = this.#named.get(id);
      if (target !== undefined) drawn += this.#countDrawn(target, counted, depth + 1);
    }
    counted.set(element, drawn);
    return drawn;
  }
}

/** The attribute as it is written; none when it does more than draw. */
function writeAttribute({ local, uri, value }: SaxesAttributeNS): readonly (readonly [string, string])[] {
  const isXlink = uri === XLINK && local === 'href';
  const isXml = uri === XML && (local === 'space' || local === 'lang');
  if (uri !== '' && !isXlink && !isXml) return [];
  const name = isXml ? `xml:${local}` : local;
  return name === 'xmlns' || checkAttribute(name, value) !== null ? [] : [[name, value]];
}

/** A style sheet without what loads; empty when that is written in a way that hides it. */
function cleanStyle(css: string): string {
  const cleaned = css.replace(new RegExp(EXTERNAL_STYLE, 'gi'), '');
  return EXTERNAL_STYLE.test(cleaned) ? '' : cleaned;
}

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
