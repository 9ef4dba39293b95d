import { getSectionPosition, HEADER_POSITION } from '../outbound/placement.ts';
import { CLAIM_NOTE_ID } from './claims/claims.ts';
import type { Page } from './page.schema.ts';
import { hasPartnerLink } from './sections/section-traits.ts';

/** A part of a page from top to bottom. */
export interface PagePart {
  readonly name: string;
  /** The position of its links, or the beginning of theirs: plans add their name. */
  readonly position: string;
  /** The sources of its links to partners. */
  readonly sources: readonly string[];
}

/** Builds the parts of a page in their order: the header when it has a link, then every section. */
export function buildPageOutline({ header, cta, sections }: Pick<Page, 'header' | 'cta' | 'sections'>) {
  const fallback = cta?.source ?? '';
  const parts = sections.map((section): PagePart => {
    const sources = [...new Set(listSources(section, fallback))];
    const isOwn = sources.length === 0 && hasPartnerLink(section);
    return {
      name: readName(section),
      position: getSectionPosition(section),
      sources: isOwn ? [fallback] : sources,
    };
  });
  if (header !== 'landing' || cta === undefined) return parts;
  const top = { name: 'Header', position: HEADER_POSITION, sources: [cta.headerSource ?? cta.source] };
  return [top, ...parts];
}

/** Every object with a `partnerLink` is a link to a partner, whatever section has it. */
function listSources(value: unknown, fallback: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listSources(item, fallback));
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap((item) => listSources(item, fallback));
  if (!('partnerLink' in value) || typeof value.partnerLink !== 'string') return nested;
  return ['source' in value && typeof value.source === 'string' ? value.source : fallback, ...nested];
}

function readName(section: Page['sections'][number]): string {
  if (section.type === 'section-nav') return 'Page menu';
  const title =
    'title' in section && typeof section.title === 'string'
      ? section.title
      : section.type.replaceAll('-', ' ');
  // Marks of emphasis, claims and figures are for the page itself.
  const plain = title.replaceAll('==', '').replace(/\{[^}]*\}/g, '…');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The id of the part of every page that is not header or footer. */
const MAIN_ID = 'main';
const FENCE = /^(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^\1|(?![\s\S]))/gm;
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
