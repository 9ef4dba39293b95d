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

/** Style sheets in memory: the build has one for each kind of page. */
const MAX_SHEETS = 16;
/** Hashes of selected styles in memory; a page needs its own between its rendering and its headers. */
const MAX_HASHES = 512;

/**
 * Creates a function that reduces the inline styles of a rendered page to the rules that its elements use, and the list
 * of hashes of styles that it has written.
 */
export function createStyleSelector({ always, islands }: ScriptNames) {
  const sheets = new LRUCache<string, StyleSheet>({
    max: MAX_SHEETS,
    memoMethod: (css) => new StyleSheet(postcss.parse(css)),
  });
  const hashes = new LRUCache<string, true>({ max: MAX_HASHES });

  /** @param html A page in UTF-8. */
  function selectStyles(html: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    const start = html.indexOf('<style');
    const from = html.indexOf('>', start) + 1;
    const to = html.indexOf('</style>', from);
    if (start < 0 || to < 0) return html;
    const used = readUsedNames(html.toString('latin1', 0, start) + html.toString('latin1', to), islands);
    for (const name of always) used.add(name);
    const css = sheets.memo(html.toString('utf8', from, to)).select(used);
    hashes.set(hashInline(css), true);
    return Buffer.concat([html.subarray(0, from), Buffer.from(css), html.subarray(to)]);
  }

  return { selectStyles, hashes: hashes as Pick<ReadonlySet<string>, 'has'> };
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

/** The different texts of the first group of a pattern. */
function listMatches(text: string, pattern: RegExp): Set<string> {
  const found = new Set<string>();
  for (const [, match = ''] of text.matchAll(pattern)) found.add(match);
  return found;
}
