import { LRUCache } from 'lru-cache';
import postcss from 'postcss';
import { hashInline } from '../../server/http/security-headers.ts';
import { StyleSheet } from './style-sheet.ts';

/** Classes (`.name`), elements, attributes (`[data-name]`) and custom properties that scripts add to pages. */
export interface ScriptNames {
  /** On any page. */
  readonly always: readonly string[];
  /** On pages with an island, by the name of its component. */
  readonly islands: Readonly<Record<string, readonly string[]>>;
}

/** Looks of the site in memory: the present one, and one that pages which are being rendered may have. */
const MAX_LOOKS = 2;

/** Hashes of selected styles in memory; a page needs its own between its rendering and its headers. */
const MAX_HASHES = 512;

/**
 * Creates a function that writes a style sheet, whole or reduced to the rules that the elements of the page use, and the
 * hashes of what it has written beyond the whole sheets. After the sheet it writes the styles of the brand.
 */
export function createStyleInserter(sheets: readonly string[], { always, islands }: ScriptNames) {
  const looks = new LRUCache<string, readonly SheetOfLook[]>({ max: MAX_LOOKS });
  const selected = new LRUCache<string, true>({ max: MAX_HASHES });
  const whole = new Set<string>();

  /** The sheets with the styles of a brand. */
  function getSheets(brand: string): readonly SheetOfLook[] {
    const known = looks.get(brand);
    if (known !== undefined) return known;
    const created = sheets.map((sheet): SheetOfLook => {
      const css = brand === '' ? sheet : `${sheet}\n${brand}`;
      if (brand !== '') whole.add(hashInline(css));
      return { css, bytes: Buffer.from(css), link: buildFontPreloads(css), parsed: null };
    });
    looks.set(brand, created);
    return created;
  }

  function selectStyles(sheet: SheetOfLook, page: string): Buffer {
    const used = readUsedNames(page, islands);
    for (const name of always) used.add(name);
    sheet.parsed ??= new StyleSheet(postcss.parse(sheet.css));
    const css = sheet.parsed.select(used);
    selected.set(hashInline(css), true);
    return Buffer.from(css);
  }

  /**
   * `link`: the header that preloads its fonts, if it has any.
   * @param html A page in UTF-8 whose first style element contains the number of its sheet.
   */
  function insertStyles(html: Buffer<ArrayBuffer>, isSelected: boolean, brand = ''): StyledPage {
    const from = html.indexOf('>', html.indexOf('<style')) + 1;
    const to = html.indexOf('</style>', from);
    const number = to < 0 ? Number.NaN : Number(html.toString('latin1', from, to));
    const sheet = getSheets(brand)[number];
    if (sheet === undefined) return { body: html, link: '' };
    const css = isSelected ? selectStyles(sheet, html.toString('latin1')) : sheet.bytes;
    return { body: Buffer.concat([html.subarray(0, from), css, html.subarray(to)]), link: sheet.link };
  }

  const hashes = { has: (hash: string) => selected.has(hash) || whole.has(hash) };
  return { insertStyles, hashes };
}

interface StyledPage {
  readonly body: Buffer<ArrayBuffer>;
  readonly link: string;
}

/** A style sheet of the build with the styles of one brand. */
interface SheetOfLook {
  readonly css: string;
  readonly bytes: Buffer;
  readonly link: string;
  /** null: no styles were selected from it yet. */
  parsed: StyleSheet | null;
}

const FAMILIES = [/--font-text:\s*"?([\w -]+)/g, /--font-display:\s*"?([\w -]+)/g];
/** The console has text in the font of the system. */
const FONT_OF_PAGE = /\bhtml[^{}]*\{[^}]*?font-family:([^;}]+)/g;
const FONT_FILE = /@font-face\s*\{\s*font-family:\s*"?([^";]+)"?;\s*src:\s*url\("?([^")]+)/g;

/**
 * The header that loads the files of the fonts of text and headings early, as far as the sheet has them: the last rule of
 * each applies. A browser lays out a page when it has parsed it, and again when a font arrives after that and before the
 * first paint: an element would be read 30 ms after the header.
 */
function buildFontPreloads(css: string): string {
  const files = [...css.matchAll(FONT_FILE)];
  const isOfSite = [...css.matchAll(FONT_OF_PAGE)].at(-1)?.[1]?.includes('--font-text') === true;
  const addresses = FAMILIES.slice(isOfSite ? 0 : 1).map((pattern) => {
    const family = [...css.matchAll(pattern)].at(-1)?.[1];
    return files.findLast(([, name]) => name === family)?.[2];
  });
  return [...new Set(addresses)]
    .filter((address) => address !== undefined)
    .map((address) => `<${address}>; rel=preload; as=font; type="font/woff2"; crossorigin`)
    .join(', ');
}

const TAG = /<([a-z][a-z0-9-]*)/g;
const DATA = / (data-[a-z-]+)/g;
const REFERENCE = /var\((--[\w-]+)/g;
const CLASSES = / class="([^"]*)"/g;
const ISLAND = / component-export="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&#x27;': "'" };

function readUsedNames(page: string, islands: ScriptNames['islands']): Set<string> {
  const used = new Set(listMatches(page, TAG));
  for (const name of listMatches(page, REFERENCE)) used.add(name);
  for (const name of listMatches(page, DATA)) used.add(`[${name}]`);
  for (const text of listMatches(page, CLASSES)) {
    const classes = text.replace(/&(?:amp|lt|gt|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
    for (const name of classes.split(/\s+/)) used.add(`.${name}`);
  }
  for (const island of listMatches(page, ISLAND)) for (const name of islands[island] ?? []) used.add(name);
  return used;
}

function listMatches(text: string, pattern: RegExp): Set<string> {
  const found = new Set<string>();
  for (const [, match = ''] of text.matchAll(pattern)) found.add(match);
  return found;
}
