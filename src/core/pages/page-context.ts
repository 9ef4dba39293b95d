import type { ArticleSummary } from '../articles/article.ts';
import type { Author } from '../articles/author.schema.ts';
import type { Cta, PartnerLinkAttributes } from '../outbound/cta.ts';
import type { Product } from '../products/product.ts';
import type { SavingsSettings } from '../savings/calculators.schema.ts';
import type { ImageCatalog } from './images/content-image.ts';
import type { SiteDetails } from './site.schema.ts';

/** What sections may need besides their own document. */
export interface PageContext {
  /** Path of the page. */
  readonly path: string;
  /** Origin of the site, for addresses on paper. */
  readonly siteUrl: string;
  readonly site: SiteDetails;
  /** Whether samples are shown at the address of the site. */
  readonly samples: boolean;
  readonly savings: SavingsSettings;
  readonly products: ReadonlyMap<string, Product>;
  /** ms since 1970, by which prices are too old to be shown. */
  readonly now: number;
  readonly authors: ReadonlyMap<string, Author>;
  /** The images that the page's document may refer to. */
  readonly images: ImageCatalog;
  /** What links to partners carry unless they say otherwise. */
  readonly cta: Cta;
  readonly hasPartnerLinks: boolean;
  /** The button of the landing header; undefined with another header. */
  readonly headerButton: HeaderButton | undefined;
  /** Articles by slug that a section of the page shows, in the order in which it shows them. */
  readonly teasers: readonly ArticleSummary[];
  /** The headings that the page's list of contents leads to; empty without such a list. */
  readonly contents: readonly Heading[];
  /** What was typed into the page's form and what became of it; null when nothing was sent. */
  readonly form: ContactFormState | null;
  /** The newsletter form of the page; null without one. */
  readonly newsletter: NewsletterFormState | null;
}

/** A heading with the anchor that leads to it. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** A link to a partner in the header, with its words. */
export interface HeaderButton {
  readonly label: string;
  readonly link: PartnerLinkAttributes;
  /** Whether it is shown once the same button in the text has left the screen. */
  readonly isLate?: boolean;
}

/** A form as it is shown, at first or again. */
export interface FormState {
  readonly sent: boolean;
  /** What is wrong, by field; the key `form` is about the whole. */
  readonly errors: Readonly<Record<string, string>>;
  /** Signed time at which the form was made. */
  readonly token: string;
}

export interface ContactFormState extends FormState {
  /** The topic that is chosen at first. */
  readonly topic: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface NewsletterFormState extends FormState {
  readonly email: string;
  readonly hasConsent: boolean;
}
