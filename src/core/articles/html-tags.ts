/** One tag of sanitised HTML. */
export interface HtmlTag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'void';
  /** Offset of `<` and the offset past `>`. */
  readonly start: number;
  readonly end: number;
  /** How many elements are open around it. */
  readonly depth: number;
  readonly attributes: string;
}

const VOID = new Set(['br', 'col', 'hr', 'img', 'wbr']);
const TAG = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g;

/**
 * Reads the tags of sanitised HTML in order. Only for what `createSanitiser` made: there `<` and `>`
 * stand in tags alone, names are lower case, and every element that was opened is closed.
 */
export function readTags(html: string): readonly HtmlTag[] {
  const tags: HtmlTag[] = [];
  let depth = 0;
  for (const match of html.matchAll(TAG)) {
    const name = match[2] ?? '';
    const kind = match[1] ? 'close' : VOID.has(name) ? 'void' : 'open';
    if (kind === 'close') depth -= 1;
    tags.push({
      name,
      kind,
      start: match.index,
      end: match.index + match[0].length,
      depth,
      attributes: match[3] ?? '',
    });
    if (kind === 'open') depth += 1;
  }
  return tags;
}

/** Finds the tag that closes the element which `tags[index]` opens. */
export function findClose(tags: readonly HtmlTag[], index: number): HtmlTag | null {
  const depth = tags[index]?.depth;
  for (let at = index + 1; at < tags.length; at++) {
    const tag = tags[at];
    if (tag?.kind === 'close' && tag.depth === depth) return tag;
  }
  return null;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Reads the words of sanitised HTML: no tags, entities decoded, blocks apart from each other. */
export function readText(html: string): string {
  return html
    .replace(
      /<\/?(?:a|abbr|b|bdi|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)(?: [^<>]*)?>/g,
      '',
    )
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Counts the characters of sanitised HTML that stand outside of tags. */
export function countText(html: string): number {
  let count = 0;
  let last = 0;
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', last)) {
    count += start - last;
    const end = html.indexOf('>', start);
    if (end < 0) return count;
    last = end + 1;
  }
  return count + html.length - last;
}

/** Escapes a text for an attribute or between tags. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
