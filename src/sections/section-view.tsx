import type { ComponentType, ReactNode } from 'react';
import type { PageContext } from '../core/content/page-context.ts';
import type { PageSection } from '../core/content/sections/section.schema.ts';
import { views } from './views.ts';

interface AnyProps {
  readonly section: PageSection;
  readonly context: PageContext;
  readonly children?: ReactNode;
}

/** Draws one section of a page document. Children are its island, when its type has one. */
export function SectionView(props: AnyProps) {
  // The map pairs each type with the component for that type; TypeScript cannot follow the pair through a lookup.
  const View = views[props.section.type] as ComponentType<AnyProps>;
  return <View {...props} />;
}
