import { CLAIM_NOTE_ID } from './claim-evidence.ts';
import type { Page } from './page.schema.ts';

/** The id of the part of every page that is not header or footer. */
const MAIN_ID = 'main';
const FENCE = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|(?![\s\S]))/gm;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/gm;

/** Builds the id of a Markdown heading from its source; empty when it has no letters or digits. */
export function buildHeadingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/** The ids of the `#` headings of a Markdown text. */
export function listHeadingIds(markdown: string): string[] {
  return [...markdown.replace(FENCE, '').matchAll(HEADING)].map(([, text = '']) => buildHeadingId(text));
}

/** Every id of a page that a link can lead to: its sections, the headings of its texts, and what all pages have. */
export function listAnchors({ sections }: Page): ReadonlySet<string> {
  const texts = sections.flatMap((section) => {
    if (section.type === 'prose') return [section.body];
    return section.type === 'faq' ? section.items.map(({ answer }) => answer) : [];
  });
  const ids = sections.flatMap(({ id }) => id ?? []);
  return new Set([MAIN_ID, CLAIM_NOTE_ID, ...ids, ...texts.flatMap(listHeadingIds)]);
}
