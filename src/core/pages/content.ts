import type { Author } from '../articles/author.schema.ts';
import type { Assessment } from '../assessment/assessment.schema.ts';
import type { Partner } from '../outbound/partner.ts';
import type { Plans } from '../savings/plans.schema.ts';
import type { Brand } from './brand/brand.schema.ts';
import type { Claim } from './claim.schema.ts';
import type { ImageCatalog } from './content-image.ts';
import type { Figures } from './figures.ts';
import type { Page } from './page.schema.ts';
import type { Site } from './site.schema.ts';

/** Everything operators edit apart from articles, parsed and cross-checked. */
export interface Content {
  readonly site: Site;
  readonly partners: ReadonlyMap<string, Partner>;
  /** Who signs articles and reviews, by key. */
  readonly authors: ReadonlyMap<string, Author>;
  /** How the site looks. */
  readonly brand: Brand;
  readonly claims: ReadonlyMap<string, Claim>;
  readonly plans: Plans;
  /** Every figure that copy may name. */
  readonly figures: Figures;
  /** With the figures in their places. */
  readonly assessment: Assessment;
  /** The images that pages and articles may refer to. */
  readonly images: ImageCatalog;
  /** Landing pages by path, for example `/template`. */
  readonly pages: ReadonlyMap<string, Page>;
}
