import type { ComponentType } from 'react';
import type { SectionType } from '../core/content/sections/section.schema.ts';
import { ArticleTeasersSection } from './article-teasers.tsx';
import { AuthorSection } from './author.tsx';
import { BeforeAfterSection } from './before-after.tsx';
import { CallToActionSection } from './call-to-action.tsx';
import { CardsSection } from './cards.tsx';
import { ChartSection } from './chart.tsx';
import { ChecklistSection } from './checklist.tsx';
import { ComparisonTableSection } from './comparison-table.tsx';
import { ContactFormSection } from './contact-form.tsx';
import { DisclosureSection } from './disclosure.tsx';
import { FaqSection } from './faq.tsx';
import { FindingsSection } from './findings.tsx';
import { HeroSection } from './hero.tsx';
import { OutcomesSection } from './outcomes.tsx';
import { PricingPlansSection } from './pricing-plans.tsx';
import { ProsConsSection } from './pros-cons.tsx';
import { ProseSection } from './prose.tsx';
import { RatingsSection } from './ratings.tsx';
import { RecommendationSection } from './recommendation.tsx';
import { RoiCalculatorSection } from './roi-calculator.tsx';
import { SectionNavSection } from './section-nav.tsx';
import type { SectionProps } from './section-props.ts';
import { StatsSection } from './stats.tsx';
import { StepsSection } from './steps.tsx';
import { TestimonialsSection } from './testimonials.tsx';
import { TimelineSection } from './timeline.tsx';
import { TrialCalculatorSection } from './trial-calculator.tsx';
import { VideoSection } from './video.tsx';

/** Which component draws which type of section. */
export const views: { readonly [T in SectionType]: ComponentType<SectionProps<T>> } = {
  hero: HeroSection,
  'section-nav': SectionNavSection,
  stats: StatsSection,
  video: VideoSection,
  cards: CardsSection,
  'comparison-table': ComparisonTableSection,
  'before-after': BeforeAfterSection,
  'pricing-plans': PricingPlansSection,
  timeline: TimelineSection,
  outcomes: OutcomesSection,
  testimonials: TestimonialsSection,
  checklist: ChecklistSection,
  steps: StepsSection,
  faq: FaqSection,
  ratings: RatingsSection,
  'pros-cons': ProsConsSection,
  recommendation: RecommendationSection,
  author: AuthorSection,
  findings: FindingsSection,
  chart: ChartSection,
  prose: ProseSection,
  'article-teasers': ArticleTeasersSection,
  'call-to-action': CallToActionSection,
  'trial-calculator': TrialCalculatorSection,
  'roi-calculator': RoiCalculatorSection,
  disclosure: DisclosureSection,
  'contact-form': ContactFormSection,
};
