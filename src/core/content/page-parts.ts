import type { Page } from './page.schema.ts';
import type { PageSection } from './sections/section.schema.ts';

/** Whether a section of the page is an island in the browser. */
export function hasIsland({ sections }: Page): boolean {
  return sections.some(({ type }) => ISLANDS.has(type));
}

const ISLANDS: ReadonlySet<string> = new Set<PageSection['type']>([
  'chart',
  'trial-calculator',
  'roi-calculator',
]);

/** Whether the page has a video that can be played, in a section or in its hero. */
export function hasVideo({ sections }: Page): boolean {
  return sections.some((section) => {
    if (section.type === 'video') return section.youtube !== undefined;
    return (
      section.type === 'hero' && section.figure?.kind === 'video' && section.figure.youtube !== undefined
    );
  });
}
