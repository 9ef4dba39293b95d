import type { ReactNode } from 'react';
import type { Cta } from '../../core/outbound/cta.ts';
import type { PageContext } from '../../core/pages/page-context.ts';
import type { HeroFigure, HeroFigureOf } from '../../core/pages/sections/hero.schema.ts';
import type { SectionOf, SectionType } from '../../core/pages/sections/section.schema.ts';

/** What a section's component gets: its part of the document, the page around it, and its island, if it has one. */
export interface SectionProps<T extends SectionType> {
  readonly section: SectionOf<T>;
  readonly context: PageContext;
  readonly children?: ReactNode;
}

/** What the component of one composition of a hero gets. */
export interface HeroFigureProps<K extends HeroFigure['kind']> {
  readonly figure: HeroFigureOf<K>;
  readonly cta: Cta;
}
