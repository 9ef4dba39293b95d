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
 * hashes of what it has written beyond the whole sheets. After the sheet it writes the styles of the brand, and before it the
 * preload of the display font.
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
      return { css, bytes: Buffer.from(css), preload: Buffer.from(buildFontPreload(css)), parsed: null };
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

  /** @param html A page in UTF-8 whose first style element contains the number of its sheet. */
  function insertStyles(html: Buffer<ArrayBuffer>, isSelected: boolean, brand = ''): Buffer<ArrayBuffer> {
    const element = html.indexOf('<style');
    const from = html.indexOf('>', element) + 1;
    const to = html.indexOf('</style>', from);
    const number = to < 0 ? Number.NaN : Number(html.toString('latin1', from, to));
    const sheet = getSheets(brand)[number];
    if (sheet === undefined) return html;
    const css = isSelected ? selectStyles(sheet, html.toString('latin1')) : sheet.bytes;
    return Buffer.concat([
      html.subarray(0, element),
      sheet.preload,
      html.subarray(element, from),
      css,
      html.subarray(to),
    ]);
  }

  const hashes = { has: (hash: string) => selected.has(hash) || whole.has(hash) };
  return { insertStyles, hashes };
}

/** A style sheet of the build with the styles of one brand. */
interface SheetOfLook {
  readonly css: string;
  readonly bytes: Buffer;
  readonly preload: Buffer;
  /** null: no styles were selected from it yet. */
  parsed: StyleSheet | null;
}

const DISPLAY_FAMILY = /--font-display:\s*"?([\w -]+)/g;
const FONT_FILE = /@font-face\s*\{\s*font-family:\s*"?([^";]+)"?;\s*src:\s*url\("?([^")]+)/g;

/** The element that loads the file of the display font early, if the sheet has one: the last rule of each applies. */
function buildFontPreload(css: string): string {
  const family = [...css.matchAll(DISPLAY_FAMILY)].at(-1)?.[1];
  const address = [...css.matchAll(FONT_FILE)].findLast(([, name]) => name === family)?.[2];
  return address === undefined
    ? ''
    : `<link rel="preload" href="${address}" as="font" type="font/woff2" crossorigin>`;
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
