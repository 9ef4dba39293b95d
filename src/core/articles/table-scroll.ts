import { readHeadings } from './headings.ts';
import { escapeHtml, type HtmlTag, readTags, readText } from './html-tags.ts';

/**
 * Wraps every outermost table in a region that scrolls by itself and takes the focus, so that a wide table
 * can be read on a phone and with the keyboard. The region is named after the caption or the heading above.
 */
export function wrapTables(html: string): string {
  const headings = readHeadings(html);
  let above = -1;
  let result = '';
  let last = 0;
  readOutermostTables(html).forEach(({ start, end }, index) => {
    while ((headings[above + 1]?.end ?? html.length) <= start) above += 1;
    const label = buildLabel(html.slice(start, end), headings[above]?.text ?? '', index + 1);
    const open = `<div class="table-scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`;
    result += `${html.slice(last, start)}${open}${html.slice(start, end)}</div>`;
    last = end;
  });
  return result + html.slice(last);
}

function buildLabel(table: string, heading: string, count: number): string {
  const caption = /<caption(?: [^<>]*)?>(.*?)<\/caption>/s.exec(table)?.[1] ?? '';
  const name = readText(caption) || heading;
  return name ? `Table ${count}: ${name}` : `Table ${count}`;
}

function readOutermostTables(html: string): readonly { readonly start: number; readonly end: number }[] {
  const tables: { start: number; end: number }[] = [];
  let open: HtmlTag | null = null;
  for (const tag of readTags(html)) {
    if (tag.name !== 'table') continue;
    if (tag.kind === 'open') open ??= tag;
    else if (open && tag.depth === open.depth) {
      tables.push({ start: open.start, end: tag.end });
      open = null;
    }
  }
  return tables;
}
