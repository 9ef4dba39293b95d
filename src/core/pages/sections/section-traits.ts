import { QUANTITIES } from '../../products/product.ts';
import type { SavingsSettings } from '../../savings/calculators.schema.ts';
import { hasPartnerTarget } from '../partner-link-check.ts';
import type { PageSection, SectionOf, SectionType } from './section.schema.ts';

/** A parameter of a page's address that changes what the page shows. */
export interface PageParameter {
  readonly name: string;
  /** Whether an empty value says something else than a missing one. */
  readonly isEmptyMeaningful?: boolean;
}

/** What a table of prices by volume reads, also in an article. `part` asks for the table alone. */
export const VOLUME_PARAMETERS: readonly PageParameter[] = [...QUANTITIES, 'budget', 'sort', 'part'].map(
  (name) => ({ name, isEmptyMeaningful: true }),
);

/** What the site has to know of a section beyond its document. */
interface SectionTraits<T extends SectionType> {
  /** Parameters that the section reads from the address of its page. */
  readonly parameters?: (savings: SavingsSettings, section: SectionOf<T>) => readonly PageParameter[];
  /** Has a link to a partner of its own, besides its actions and texts. */
  readonly hasPartnerLink?: (section: SectionOf<T>) => boolean;
  /** Has a video that can be played. */
  readonly hasVideo?: (section: SectionOf<T>) => boolean;
}

const TRAITS: { readonly [T in SectionType]?: SectionTraits<T> } = {
  'contact-form': { parameters: () => [{ name: 'topic' }, { name: 'sent' }] },
  hero: {
    parameters: (savings, { figure }) =>
      figure?.kind === 'calculator' ? listCalculatorParameters(savings, figure.calculator) : [],
    hasVideo: ({ figure }) =>
      (figure?.kind === 'video' && figure.youtube !== undefined) ||
      (figure?.kind === 'calendar' && figure.video?.youtube !== undefined),
    hasPartnerLink: ({ figure }) => figure?.kind === 'calculator',
  },
  'picks-table': { hasPartnerLink: () => true },
  'product-box': { hasPartnerLink: () => true },
  'product-comparison': { hasPartnerLink: () => true },
  roundup: { hasPartnerLink: () => true },
  versus: { hasPartnerLink: () => true },
  newsletter: { parameters: () => [{ name: 'subscribed' }] },
  'savings-calculator': {
    parameters: (savings, { calculator }) => listCalculatorParameters(savings, calculator),
    hasPartnerLink: () => true,
  },
  'volume-prices': { parameters: () => VOLUME_PARAMETERS, hasPartnerLink: () => true },
  video: { hasVideo: ({ youtube }) => youtube !== undefined },
};

/** An emptied field counts as 0, a missing one as its default. */
function listCalculatorParameters(
  { calculators }: SavingsSettings,
  calculator: string,
): readonly PageParameter[] {
  return calculators[calculator]?.fields.map(({ name }) => ({ name, isEmptyMeaningful: true })) ?? [];
}

function getTraits<T extends SectionType>({ type }: { readonly type: T }): SectionTraits<T> {
  return TRAITS[type] ?? {};
}

/** The parameters that a section reads from the address of its page. */
export function listSectionParameters(
  section: PageSection,
  savings: SavingsSettings,
): readonly PageParameter[] {
  return getTraits<SectionType>(section).parameters?.(savings, section) ?? [];
}

/** Whether a section has a video that can be played. */
export function hasPlayableVideo(section: PageSection): boolean {
  return getTraits<SectionType>(section).hasVideo?.(section) ?? false;
}

/** Whether a section leads to a partner: by a button, a text link or a link of its own. */
export function hasPartnerLink(section: PageSection): boolean {
  const isOwn = getTraits<SectionType>(section).hasPartnerLink?.(section) ?? false;
  return isOwn || hasPartnerTarget(section);
}
