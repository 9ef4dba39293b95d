import type { ComponentType } from 'react';
import type { SectionType } from '../core/content/sections/section.schema.ts';
import { CallToActionSection } from './call-to-action.tsx';
import { CardsSection } from './cards.tsx';
import { DisclosureSection } from './disclosure.tsx';
import { FaqSection } from './faq.tsx';
import { HeroSection } from './hero.tsx';
import { ProseSection } from './prose.tsx';
import type { SectionProps } from './section-props.ts';

/** Which component draws which type of section. */
export const views: { readonly [T in SectionType]?: ComponentType<SectionProps<T>> } = {
  hero: HeroSection,
  prose: ProseSection,
  cards: CardsSection,
  faq: FaqSection,
  'call-to-action': CallToActionSection,
  disclosure: DisclosureSection,
};
