import type { Partner } from '../partners/partner.ts';
import type { Plans } from '../savings/plans.ts';
import type { Assessment } from './assessment.schema.ts';
import type { Claim } from './claim.schema.ts';
import type { Figures } from './figures.ts';
import type { Page } from './page.schema.ts';
import type { Site } from './site.schema.ts';

/** Everything operators edit apart from articles, parsed and cross-checked. */
export interface Content {
  readonly site: Site;
  readonly partners: ReadonlyMap<string, Partner>;
  readonly claims: ReadonlyMap<string, Claim>;
  readonly plans: Plans;
  /** Every figure that copy may name. */
  readonly figures: Figures;
  /** With the figures in their places. */
  readonly assessment: Assessment;
  /** Landing pages by path, for example `/template`. */
  readonly pages: ReadonlyMap<string, Page>;
}
