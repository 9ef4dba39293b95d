import type { CreditModel } from '../../core/commissions/credit.ts';
import type { BreakdownRow } from '../figures/build-breakdown.ts';
import type { ConsoleSort } from '../figures/console-query.ts';
import type { ListPage } from '../figures/list-page.ts';

/** A campaign with the credit that both ends of the journey would give it; amounts in minor units. */
export interface CampaignRow extends BreakdownRow {
  readonly sessions: number | null;
  /** Approved and pending money under first and under last touch. */
  readonly first: number;
  readonly last: number;
  /** Its contents (`utm_content`) with clicks, most clicks first. */
  readonly contents: readonly { readonly name: string; readonly clicks: number }[];
}

/** Campaigns under a credit model. */
export interface CampaignsModel extends ListPage<CampaignRow> {
  readonly currency: string;
  readonly model: CreditModel;
  /** The highest credit under first or last touch, in minor units; the scale of all bars. */
  readonly highest: number;
  readonly sort: ConsoleSort;
  readonly areClicksCounted: boolean;
}
