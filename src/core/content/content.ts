import type { Partner } from '../partners/partner.ts';
import type { Claim } from './claim.schema.ts';
import type { Site } from './site.schema.ts';

/** Everything operators edit apart from articles, parsed and cross-checked. */
export interface Content {
  readonly site: Site;
  readonly partners: ReadonlyMap<string, Partner>;
  readonly claims: ReadonlyMap<string, Claim>;
}
