import type { Page } from './page.schema.ts';

/** Whether the page has a video that can be played, in a section or in its hero. */
export function hasVideo({ sections }: Page): boolean {
  return sections.some((section) => {
    if (section.type === 'video') return section.youtube !== undefined;
    return (
      section.type === 'hero' && section.figure?.kind === 'video' && section.figure.youtube !== undefined
    );
  });
}
