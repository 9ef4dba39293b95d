import { readHeadings } from './headings.ts';
import { countText } from './html-tags.ts';

/** How far from the middle the split may be, as a share of the text. */
const REACH = 0.25;

/**
 * Splits a sanitised body in two at the second-level heading nearest to the middle of its text, for a call
 * to action in the flow. Without such a heading in the middle half the second part is empty.
 */
export function splitBody(html: string): readonly [before: string, after: string] {
  const total = countText(html);
  let best = { distance: REACH, start: html.length };
  let before = 0;
  let last = 0;
  for (const heading of readHeadings(html)) {
    before += countText(html.slice(last, heading.start));
    last = heading.start;
    if (heading.level !== 2 || heading.depth !== 0) continue;
    const distance = Math.abs(before / total - 0.5);
    if (distance < best.distance) best = { distance, start: heading.start };
  }
  return [html.slice(0, best.start), html.slice(best.start)];
}
