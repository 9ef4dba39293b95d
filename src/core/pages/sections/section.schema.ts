import { z } from 'zod';
import { findNearest } from '../../text/find-nearest.ts';
import { SECTION_SCHEMAS } from './section-schemas.ts';

/** One section of a page document. */
export const sectionSchema = z.discriminatedUnion('type', SECTION_SCHEMAS, {
  error: ({ input }) => describeUnknownType(typeof input === 'object' && input !== null ? input : {}),
});

function describeUnknownType({ type }: { readonly type?: unknown }): string {
  const types = SECTION_SCHEMAS.flatMap(({ shape }) => [...shape.type.values]);
  if (typeof type !== 'string') return 'every section needs a `type`, see docs/recipes/section.md';
  const nearest = findNearest(type, types);
  return nearest === null
    ? `there is no section type \`${type}\`, see docs/recipes/section.md`
    : `there is no section type \`${type}\`; did you mean \`${nearest}\`?`;
}

export type PageSection = z.infer<typeof sectionSchema>;
export type SectionType = PageSection['type'];
/** One section by its type. */
export type SectionOf<T extends SectionType> = Extract<PageSection, { type: T }>;
