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

/** Hashes of selected styles in memory; a page needs its own between its rendering and its headers. */
const MAX_HASHES = 512;

/**
 * Creates a function that writes a style sheet, whole or reduced to the rules that the elements of the page use, and the
 * list of hashes of reduced ones that it has written. Before the sheet it writes the preload of its display font.
 */
export function createStyleInserter(sheets: readonly string[], { always, islands }: ScriptNames) {
  const whole = sheets.map((css) => Buffer.from(css));
  const preloads = sheets.map((css) => Buffer.from(buildFontPreload(css)));
  const parsed: StyleSheet[] = [];
  const hashes = new LRUCache<string, true>({ max: MAX_HASHES });

  function selectStyles(number: number, page: string): Buffer {
    const used = readUsedNames(page, islands);
    for (const name of always) used.add(name);
    parsed[number] ??= new StyleSheet(postcss.parse(sheets[number] ?? ''));
    const css = parsed[number].select(used);
    hashes.set(hashInline(css), true);
    return Buffer.from(css);
  }

  /** @param html A page in UTF-8 whose first style element contains the number of its sheet. */
  function insertStyles(html: Buffer<ArrayBuffer>, isSelected: boolean): Buffer<ArrayBuffer> {
    const element = html.indexOf('<style');
    const from = html.indexOf('>', element) + 1;
    const to = html.indexOf('</style>', from);
    const number = to < 0 ? Number.NaN : Number(html.toString('latin1', from, to));
    const [sheet, preload] = [whole[number], preloads[number]];
    if (sheet === undefined || preload === undefined) return html;
    const css = isSelected ? selectStyles(number, html.toString('latin1')) : sheet;
    return Buffer.concat([
      html.subarray(0, element),
      preload,
      html.subarray(element, from),
      css,
      html.subarray(to),
    ]);
  }

  return { insertStyles, hashes: hashes as Pick<ReadonlySet<string>, 'has'> };
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
