import { buildCampaignName } from '../credit/credit.ts';
import { allocateAmount, formatDecimalAmount } from '../money.ts';

/** The advertising platforms whose exports are read. */
export const AD_PLATFORMS = ['google', 'microsoft', 'meta'] as const;
export type AdPlatform = (typeof AD_PLATFORMS)[number];

/** Where a cost is from: the export of a platform, or typed in. */
export const COST_PLATFORMS = [...AD_PLATFORMS, 'typed'] as const;
export type CostPlatform = (typeof COST_PLATFORMS)[number];

/** What messages call them. */
export const PLATFORM_NAMES: Readonly<Record<CostPlatform, string>> = {
  google: 'Google Ads',
  microsoft: 'Microsoft Ads',
  meta: 'Meta Ads',
  typed: 'typed in',
};

/** What one campaign of a platform cost on a day (`2026-11-20`) or in a month (`2026-11`). */
export interface CostRow {
  readonly platform: CostPlatform;
  /** As the platform calls the campaign; as the reports do for amounts that were typed in. */
  readonly name: string;
  readonly period: string;
  /** Minor units of `currency`. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A cost that counts. */
export interface CampaignCost extends CostRow {
  /** The campaign of the reports. */
  readonly campaign: string;
  /** The file or the typed amount that it came with. */
  readonly entry: string;
}

/** First and last day, `YYYY-MM-DD`, both inclusive. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** What is known of the campaign of a platform, to find the campaign of the reports. */
export interface NamedCampaign {
  readonly platform: CostPlatform;
  readonly name: string;
  /** The platform's number; empty when it is not known. */
  readonly id: string;
  /** The campaign that the address of its ads names; null without one. */
  readonly tagged: string | null;
}

/** How visits of a platform are named without tags of their own: source and medium. */
const PLATFORM_TAGS: Readonly<Record<AdPlatform, readonly [source: string, medium: string]>> = {
  google: ['google', 'cpc'],
  microsoft: ['bing', 'cpc'],
  meta: ['facebook', 'paid_social'],
};

const PLATFORM_SOURCES: Readonly<Record<AdPlatform, RegExp>> = {
  google: /google|adwords|youtube/i,
  microsoft: /bing|microsoft|msn/i,
  meta: /facebook|instagram|meta|^fb$|^ig$/i,
};

/** The campaign that counts the cost while no campaign of the reports is known: `google / cpc / NAME`. */
export function buildDefaultCampaign(platform: CostPlatform, name: string): string {
  if (platform === 'typed') return name;
  const [utm_source, utm_medium] = PLATFORM_TAGS[platform];
  return buildCampaignName({ utm_source, utm_medium, utm_campaign: name });
}

/**
 * Finds the campaign of the reports: that of the ads' address, else the only one whose name (`utm_campaign`) is the name
 * or the number of the platform's campaign; of several, the only one with a source of the platform. Null without one.
 */
export function matchCampaign(
  { platform, name, id, tagged }: NamedCampaign,
  reported: readonly string[],
): string | null {
  if (platform === 'typed') return name;
  if (tagged !== null) return tagged;
  const wanted = new Set([name, id].map(simplify).filter((text) => text !== ''));
  const same = reported.filter((campaign) => {
    const [, , ...rest] = campaign.split(' / ');
    return rest.length > 0 && wanted.has(simplify(rest.join(' / ')));
  });
  const own = same.filter((campaign) => PLATFORM_SOURCES[platform].test(campaign.split(' / ')[0] ?? ''));
  const found = own.length > 0 ? own : same;
  return found.length === 1 ? (found[0] ?? null) : null;
}

const simplify = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ');

/** Whether a text is a day or a month that exists, `2026-11-20` or `2026-11`. */
export function isCostPeriod(text: string): boolean {
  const day = text.length === 7 ? `${text}-01` : text;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day;
}

const isMonth = (period: string) => period.length === 7;

/** The days of a month. */
function listMonthDays(month: string): readonly string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/**
 * Divides a cost among its days within a range. A month's is divided equally among all of its days, the first ones with
 * what cannot be divided, so that the days of a month sum to it exactly.
 */
export function listCostDays(
  { period, amount }: { readonly period: CostRow['period']; readonly amount: CostRow['amount'] },
  { from, to }: Days,
): readonly { readonly day: string; readonly amount: number }[] {
  if (!isMonth(period)) return period < from || period > to ? [] : [{ day: period, amount }];
  const days = listMonthDays(period);
  const parts = allocateAmount(
    amount,
    days.map(() => 1),
  );
  return days.flatMap((day, index) => (day < from || day > to ? [] : [{ day, amount: parts[index] ?? 0 }]));
}

/** A cost that is about to be stored, with its campaign of the reports. */
export type PlannedCost = Omit<CampaignCost, 'entry'>;

/**
 * Says which costs would count twice, one sentence each: a month and days of it, or an amount that was typed in and one of
 * a file. A cost of the same platform, name and period is replaced and no conflict. `stored` are those that count.
 */
export function findCostConflicts(
  stored: readonly CampaignCost[],
  planned: readonly PlannedCost[],
): readonly string[] {
  const byCampaign = Map.groupBy(stored, ({ campaign }) => campaign);
  const found = new Map<string, string>();
  for (const cost of planned) {
    const other = byCampaign.get(cost.campaign)?.find((known) => isCountedTwice(known, cost));
    if (other === undefined) continue;
    const month = cost.period.slice(0, 7);
    const key = `${cost.campaign} ${month} ${other.entry}`;
    if (found.has(key)) continue;
    const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: other.currency }).format(
      Number(formatDecimalAmount(other.amount, other.currency)),
    );
    const origin = other.platform === 'typed' ? 'typed in' : `from ${PLATFORM_NAMES[other.platform]}`;
    found.set(
      key,
      `${cost.campaign} already has ${amount} for ${other.period}, ${origin}: both would count. ` +
        `Undo ${other.entry} first, or leave ${month} out.`,
    );
  }
  return [...found.values()];
}

function isCountedTwice(one: PlannedCost, other: PlannedCost): boolean {
  const isSameSource = one.platform === other.platform && one.name === other.name;
  if (isSameSource && one.period === other.period) return false;
  const isOverlapping = one.period.startsWith(other.period) || other.period.startsWith(one.period);
  return isOverlapping && (isSameSource || one.platform === 'typed' || other.platform === 'typed');
}
