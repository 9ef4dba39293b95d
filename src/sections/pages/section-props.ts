import type { ReactNode } from 'react';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { SectionOf, SectionType } from '../../core/pages/sections/section.schema.ts';

/** What a section's component gets: its part of the document, the page around it, and its island, if it has one. */
export interface SectionProps<T extends SectionType> {
  readonly section: SectionOf<T>;
  readonly context: PageContext;
  readonly children?: ReactNode;
}
