import { buildSlug } from './article-slug.ts';
import { findClose, readTags, readText } from './html-tags.ts';

/** Every id inside an article begins with this, so that none can stand in for an id of the page around it. */
export const ID_PREFIX = 's-';

/** One heading of an article body. */
export interface ArticleHeading {
  /** 2 to 6. */
  readonly level: number;
  readonly id: string;
  readonly text: string;
  /** Offset of the heading's `<`. */
  readonly start: number;
  /** Offset past the heading's closing tag. */
  readonly end: number;
  /** How many elements are open around it; 0: it stands in the flow of the article. */
  readonly depth: number;
}

/** Reads the headings of a sanitised body in order. */
export function readHeadings(html: string): readonly ArticleHeading[] {
  const headings: ArticleHeading[] = [];
  const tags = readTags(html);
  tags.forEach((tag, index) => {
    if (tag.kind !== 'open' || !/^h[2-6]$/.test(tag.name)) return;
    const close = findClose(tags, index);
    if (!close) return;
    headings.push({
      level: Number(tag.name.slice(1)),
      id: / id="([^"]*)"/.exec(tag.attributes)?.[1] ?? '',
      text: readText(html.slice(tag.end, close.start)),
      start: tag.start,
      end: close.end,
      depth: tag.depth,
    });
  });
  return headings;
}

/** Takes an id away from every element but the first that has it. */
export function dropRepeatedIds(html: string): string {
  const taken = new Set<string>();
  const unique = html.replace(/ id="([^"]*)"/g, (attribute, id: string) => {
    if (taken.has(id)) return '';
    taken.add(id);
    return attribute;
  });
  return dropEmptyAnchors(unique);
}

/** Takes away the tags of anchors that say nothing: without its id, an anchor that was only an id is one. */
function dropEmptyAnchors(html: string): string {
  const open: boolean[] = [];
  let kept = '';
  let last = 0;
  for (const { name, kind, start, end, attributes } of readTags(html)) {
    if (name !== 'a') continue;
    if (kind === 'open') open.push(attributes === '');
    const isEmpty = kind === 'open' ? attributes === '' : open.pop() === true;
    if (!isEmpty) continue;
    kept += html.slice(last, start);
    last = end;
  }
  return kept + html.slice(last);
}

/** Gives an id made of its words to every heading that has none; ids stay unique in the body. */
export function addHeadingIds(html: string): string {
  const taken = new Set([...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1] ?? ''));
  const counts = new Map<string, number>();
  let result = '';
  let last = 0;
  for (const heading of readHeadings(html)) {
    if (heading.id) continue;
    const id = buildFreeId(heading.text, taken, counts);
    result += `${html.slice(last, heading.start)}<h${heading.level} id="${id}"`;
    last = heading.start + 3;
  }
  return result + html.slice(last);
}

/** One line of a table of contents. */
export interface ContentsEntry {
  readonly id: string;
  readonly text: string;
  readonly children: readonly Omit<ContentsEntry, 'children'>[];
}

/** Builds the table of contents: second-level headings, each with its third-level ones. */
export function buildContents(html: string): readonly ContentsEntry[] {
  const entries: { id: string; text: string; children: { id: string; text: string }[] }[] = [];
  for (const { level, id, text } of readHeadings(html)) {
    if (!id || !text) continue;
    if (level === 2) entries.push({ id, text, children: [] });
    if (level === 3) entries.at(-1)?.children.push({ id, text });
  }
  return entries;
}

function buildFreeId(text: string, taken: Set<string>, counts: Map<string, number>): string {
  const base = `${ID_PREFIX}${buildSlug(text).slice(0, 60).replace(/-$/, '') || 'section'}`;
  let count = counts.get(base) ?? 1;
  let id = count === 1 ? base : `${base}-${count}`;
  while (taken.has(id)) {
    count += 1;
    id = `${base}-${count}`;
  }
  counts.set(base, count);
  taken.add(id);
  return id;
}
