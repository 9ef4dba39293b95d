import type { Page } from './page.schema.ts';

/** A part of a page from top to bottom, with the places (`source`) of its links to partners. */
export interface PagePart {
  readonly name: string;
  readonly places: readonly string[];
}

/** Builds the parts of a page in their order: the header when it has a link, then every section. */
export function buildPageOutline({ header, cta, sections }: Pick<Page, 'header' | 'cta' | 'sections'>) {
  const fallback = cta?.source ?? '';
  const parts: PagePart[] = sections.map((section) => ({
    name: readName(section),
    places: [...new Set(listPlaces(section, fallback))],
  }));
  const top = header === 'landing' && cta !== undefined ? [cta.headerSource ?? cta.source] : [];
  return top.length === 0 ? parts : [{ name: 'Header', places: top }, ...parts];
}

/** Every object with a `partnerLink` is a link to a partner, whatever section has it. */
function listPlaces(value: unknown, fallback: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listPlaces(item, fallback));
  if (typeof value !== 'object' || value === null) return [];
  const nested = Object.values(value).flatMap((item) => listPlaces(item, fallback));
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
