import type { LedgerEntry } from '../commissions/build-ledger.ts';
import { buildCampaignName } from '../commissions/credit.ts';
import { buildPageName } from '../events/page-name.ts';
import type { BreakdownRow } from './build-breakdown.ts';

/** A page in the league. */
export interface PageRow extends BreakdownRow {
  /** Null for a path that is no page of the site any more. */
  readonly title: string | null;
  /** Clicks by day, week or month. */
  readonly series: readonly number[];
}

/** A placement of a page, or anywhere. */
export interface PlacementRow extends BreakdownRow {
  readonly page: string;
  readonly title: string | null;
  readonly place: string;
}

/** Money of some journeys under one name; minor units. */
export interface JourneyShare {
  readonly name: string;
  readonly conversions: number;
  readonly amount: number;
}

/** What is known of one page. */
export interface PageDetail {
  readonly page: string;
  readonly title: string | null;
  /** By clicks. */
  readonly placements: readonly PlacementRow[];
  /** Of visits that began on the page and earned. */
  readonly entryCampaigns: readonly JourneyShare[];
  /** The page that earning visits read before this one; empty name: they began here. */
  readonly before: readonly JourneyShare[];
  /** The page from which earning visits that read this one clicked. */
  readonly after: readonly JourneyShare[];
}

/** The league of pages. */
export interface PagesModel {
  readonly currency: string;
  /** Those that can be ranked, or all when nothing is ranked. */
  readonly rows: readonly PageRow[];
  /** Those with too few clicks or conversions to be ranked. */
  readonly unknownRows: readonly PageRow[];
  readonly sort: { readonly column: string; readonly isDescending: boolean };
  readonly areClicksCounted: boolean;
  readonly isRanked: boolean;
  /** The highest end of an interval, in minor units; the scale of all of them. */
  readonly maxEpc: number;
  readonly detail: PageDetail | null;
}

const MAX_SHARES = 8;

/** Builds what journeys say about one page; amounts are approved and pending money. */
export function buildPageFlows(
  entries: readonly LedgerEntry[],
  page: string,
): Pick<PageDetail, 'entryCampaigns' | 'before' | 'after'> {
  const name = buildPageName(page);
  const [campaigns, before, after] = [newShares(), newShares(), newShares()];
  for (const { commission, journey } of entries) {
    if (journey === null) continue;
    const place = journey.pages.findIndex((other) => buildPageName(other) === name);
    const isEntry = buildPageName(journey.entryPage || journey.page) === name;
    if (isEntry) campaigns.add(buildCampaignName(journey.touches[0]?.campaign ?? {}), commission.amount);
    if (place < 0) continue;
    before.add(place === 0 ? '' : (journey.pages[place - 1] ?? ''), commission.amount);
    after.add(journey.page, commission.amount);
  }
  return { entryCampaigns: campaigns.list(), before: before.list(), after: after.list() };
}

function newShares() {
  const shares = new Map<string, { conversions: number; amount: number }>();
  return {
    add(name: string, amount: number) {
      if (amount === 0) return;
      const share = shares.get(name) ?? { conversions: 0, amount: 0 };
      shares.set(name, { conversions: share.conversions + 1, amount: share.amount + amount });
    },
    list: (): readonly JourneyShare[] =>
      [...shares]
        .map(([name, share]) => ({ name, ...share }))
        .sort((one, other) => other.amount - one.amount)
        .slice(0, MAX_SHARES),
  };
}
