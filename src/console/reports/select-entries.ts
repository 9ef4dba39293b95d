import { isConversion } from '../../core/commissions/credit/commission-report.ts';
import { buildCredit, buildLastCampaignName } from '../../core/commissions/credit/credit.ts';
import { getReportedMoney } from '../../core/commissions/exchange-rates.ts';
import {
  type CommissionConflict,
  findConflicts,
  type LedgerEntry,
  type UnmatchedReason,
} from '../../core/commissions/ledger/build-ledger.ts';
import type { CommissionKind, CommissionStatus } from '../../core/commissions/ledger/commission-fact.ts';
import { toUtc } from '../../core/commissions/local-time.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { type ConsoleDimension, type ConsoleFilter, type ConsoleQuery, NO_VALUE } from './query.ts';
import type { DayRange } from './range.ts';
import { addDays } from './range.ts';

/** A period in ms since 1970, from inclusive to exclusive. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The period of a query's days in a time zone. */
export function getPeriod({ from, to }: DayRange, timeZone: string): Period {
  return { from: toUtc(Date.parse(from), timeZone), to: toUtc(Date.parse(addDays(to, 1)), timeZone) };
}

/** The time that decides whether a commission is in a period: that of its click, if it has one, or its booking. */
export function getEntryTime({ commission, journey }: LedgerEntry, clock: ConsoleQuery['clock']): number {
  return clock === 'click' && journey !== null ? journey.clickTime : commission.eventTime;
}

/** The commissions of a query's period that pass its filters and its currency, dismissed ones included. */
export function selectEntries(
  entries: readonly LedgerEntry[],
  query: Pick<ConsoleQuery, 'from' | 'to' | 'clock' | 'model' | 'currency' | 'filters'>,
  timeZone: string,
): LedgerEntry[] {
  const { from, to } = getPeriod(query, timeZone);
  return entries.filter((entry) => {
    const time = getEntryTime(entry, query.clock);
    const isInCurrency = query.currency === null || entry.commission.currency === query.currency;
    return time >= from && time < to && isInCurrency && passesFilters(entry, query);
  });
}

/**
 * Whether something passes filters: in each dimension it has one of the values that are asked for, if any are, and
 * none of the excluded ones. `has` says whether it has the value of a filter.
 */
export function passesValues(
  filters: readonly ConsoleFilter[],
  has: (filter: ConsoleFilter) => boolean,
): boolean {
  const wanted = new Map<ConsoleDimension, boolean>();
  for (const filter of filters) {
    const isFound = has(filter);
    if (filter.isNot && isFound) return false;
    if (!filter.isNot) wanted.set(filter.dimension, isFound || wanted.get(filter.dimension) === true);
  }
  return [...wanted.values()].every((isFound) => isFound);
}

/** Whether a commission passes all filters: one of the values asked for in each dimension, and no excluded one. */
export function passesFilters(
  entry: LedgerEntry,
  query: { readonly model: ConsoleQuery['model']; readonly filters: ConsoleQuery['filters'] },
): boolean {
  return passesValues(query.filters, ({ dimension, value }) => hasValue(entry, dimension, value, query));
}

function hasValue(
  entry: LedgerEntry,
  dimension: ConsoleFilter['dimension'],
  value: string,
  query: { readonly model: ConsoleQuery['model'] },
): boolean {
  const values = listValues(entry, dimension, query);
  // Credit by entry page or by all pages names pages as events do.
  return values.includes(value) || (dimension === 'page' && values.includes(buildPageName(value)));
}

/** The values that a commission has in a dimension. Those of a page, a campaign or a source follow the credit model. */
function listValues(
  entry: LedgerEntry,
  dimension: ConsoleFilter['dimension'],
  { model }: { readonly model: ConsoleQuery['model'] },
): readonly string[] {
  const { commission, journey } = entry;
  if (dimension === 'partner') return [commission.partner];
  if (dimension === 'status') return [commission.status];
  if (journey === null) return [NO_VALUE];
  switch (dimension) {
    case 'page': {
      const isPageModel = model === 'entryPage' || model === 'linearPages';
      return isPageModel ? buildCredit(0, journey, model).map(({ touch }) => touch) : [journey.page];
    }
    case 'placement':
      return [`${journey.page} ${journey.placement || '(none)'}`];
    case 'campaign': {
      const isCampaignModel = ['first', 'last', 'lastPaid', 'linear'].includes(model);
      return isCampaignModel
        ? buildCredit(0, journey, model).map(({ touch }) => touch)
        : [buildLastCampaignName(journey)];
    }
    case 'source':
      return buildCredit(0, journey, model, 'source').map(({ touch }) => touch);
    case 'answer':
      if (Object.keys(journey.answers).length === 0) return [NO_VALUE];
      return Object.entries(journey.answers).flatMap(([field, codes]) =>
        codes.split(',').flatMap((code) => [code, `${field} ${code}`]),
      );
  }
}

/** What a commission is worth in the currency of the totals, in minor units, and the rate. */
export interface ConvertedMoney {
  readonly amount: number;
  readonly reversedAmount: number;
  readonly currency: string;
  /** Price of one unit of the commission's own currency: `1.0832`. */
  readonly rate: string;
  /** Day of the rate, `YYYY-MM-DD`. */
  readonly day: string;
}

/** A commission as a row of a list. Amounts are what was reported, in minor units; times ms since 1970. */
export interface CommissionRow {
  readonly partner: string;
  readonly account: string;
  readonly id: string;
  readonly kind: CommissionKind;
  readonly status: CommissionStatus;
  readonly amount: number;
  /** What it was worth before it was reversed; 0 when it is not. */
  readonly reversedAmount: number;
  readonly currency: string;
  /** In the currency of the totals; null when it is in that already, or nothing is converted. */
  readonly converted: ConvertedMoney | 'no-rate' | null;
  readonly bookedAt: number;
  readonly changedAt: number;
  /** Null while no click is known, as `page`, `placement` and `campaign`. */
  readonly clickedAt: number | null;
  readonly page: string | null;
  readonly placement: string | null;
  /** The last campaign before the click. */
  readonly campaign: string | null;
  readonly reason: UnmatchedReason | null;
  /** False for test messages, dismissed commissions, and reports that another source has priority over. */
  readonly isCounted: boolean;
  readonly isDismissed: boolean;
  /** Whether it counts as the conversion of its click. */
  readonly isConversion: boolean;
  readonly conflicts: readonly CommissionConflict[];
}

/** Builds the row of a commission. */
export function buildCommissionRow(entry: LedgerEntry): CommissionRow {
  const { commission, journey, reason, isCounted } = entry;
  return {
    partner: commission.partner,
    account: commission.account,
    id: commission.nativeId,
    kind: commission.kind,
    status: commission.status,
    ...getReportedMoney(entry),
    converted: getConvertedMoney(entry),
    bookedAt: commission.eventTime,
    changedAt: commission.changeTime,
    clickedAt: journey?.clickTime ?? null,
    page: journey?.page ?? null,
    placement: journey?.placement ?? null,
    campaign: journey === null ? null : buildLastCampaignName(journey),
    reason,
    isCounted,
    isDismissed: commission.isDismissed,
    isConversion: isCounted && isConversion(entry),
    conflicts: findConflicts(entry),
  };
}

function getConvertedMoney({ commission, original }: LedgerEntry): CommissionRow['converted'] {
  if (original === undefined) return null;
  if (original === null) return 'no-rate';
  const { amount, reversedAmount, currency } = commission;
  return { amount, reversedAmount, currency, rate: original.rate.format(), day: original.rate.day };
}
