import { getSectionPosition, HEADER_POSITION } from '../outbound/position.ts';
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
  const title =
    'title' in section && typeof section.title === 'string'
      ? section.title
      : section.type.replaceAll('-', ' ');
  // Marks of emphasis, claims and figures are for the page itself.
  const plain = title.replaceAll('==', '').replace(/\{[^}]*\}/g, '…');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
