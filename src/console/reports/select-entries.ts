import { isConversion, isPayment } from '../../core/commissions/credit/commission-report.ts';
import {
  buildCreditPath,
  buildLastCampaignName,
  type CreditPath,
  getCampaign,
  getSource,
} from '../../core/commissions/credit/credit.ts';
import { getReportedMoney } from '../../core/commissions/exchange-rates.ts';
import { findConflicts, type LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { buildCommissionKey } from '../../core/commissions/ledger/commission-fact.ts';
import { createDayCounter } from '../../core/commissions/local-time.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { getPageSite } from '../../core/outbound/beside.schema.ts';
import { type CommissionCell, STATES } from '../../stores/commission-sums.ts';
import { type ConsoleDimension, type ConsoleFilter, type ConsoleQuery, NO_VALUE } from './query.ts';

/** The time that decides whether a commission is in a period: that of its click, if it has one, or its booking. */
export function getEntryTime({ commission, journey }: LedgerEntry): number {
  return journey?.clickTime ?? commission.eventTime;
}

/** Single commissions that count, with everything that their journeys say. */
export function buildCells(entries: readonly LedgerEntry[], timeZone: string): readonly CommissionCell[] {
  const before = new Map<string, { decided: number; pending: number }>();
  const counted = entries.filter(({ isCounted }) => isCounted);
  const ordered = counted.toSorted(
    ({ commission: one }, { commission: other }) =>
      one.eventTime - other.eventTime || (buildCommissionKey(one) < buildCommissionKey(other) ? -1 : 1),
  );
  const cells = ordered.map((entry) => {
    const { status, amount, currency } = entry.commission;
    const cell = buildCell(entry, timeZone);
    if (entry.journey === null) return cell;
    const key = `${entry.journey.clickId} ${currency}`;
    const { decided, pending } = before.get(key) ?? { decided: 0, pending: 0 };
    const isDecided = status === 'approved' || status === 'paid';
    before.set(key, {
      decided: decided + (isDecided ? amount : 0),
      pending: pending + (status === 'pending' ? amount : 0),
    });
    return { ...cell, decided: amount * decided, pending: amount * pending };
  });
  const places = new Map(ordered.map((entry, index) => [entry, cells[index]]));
  return counted.flatMap((entry) => places.get(entry) ?? []);
}

/** One commission as a cell, without what its click has brought before. */
function buildCell(entry: LedgerEntry, timeZone: string): CommissionCell {
  const { commission, journey, labelled } = entry;
  const { partner, currency, status, amount, reversedAmount } = commission;
  const getDay = counters.get(timeZone) ?? createDayCounter(timeZone);
  counters.set(timeZone, getDay);
  const matched = isConversion(entry)
    ? STATES.conversion
    : isPayment(entry)
      ? STATES.payment
      : STATES.matched;
  return {
    state: journey !== null ? matched : labelled === undefined ? STATES.unmatched : STATES.labelled,
    path: journey === null ? null : buildCreditPath(journey),
    partner,
    currency,
    status,
    count: 1,
    amount,
    reversedAmount,
    ...(entry.original !== undefined && { original: entry.original }),
    day: getDay(getEntryTime(entry)),
    squares: amount ** 2,
    decided: 0,
    pending: 0,
  };
}

const counters = new Map<string, ReturnType<typeof createDayCounter>>();

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

/** What filters ask of commissions. */
type Filtered = Pick<CommissionCell, 'path' | 'partner' | 'status'>;

/** Whether commissions pass all filters: one of the values asked for in each dimension, and no excluded one. */
export function passesFilters(
  cell: Filtered,
  query: { readonly model: ConsoleQuery['model']; readonly filters: ConsoleQuery['filters'] },
): boolean {
  return passesValues(query.filters, ({ dimension, value }) => {
    const values = listValues(cell, dimension, query);
    // Some addresses name pages as events do.
    return values.includes(value) || (dimension === 'page' && values.includes(buildPageName(value)));
  });
}

/** The values of commissions in a dimension. A campaign is the first or the last one before the click. */
function listValues(
  { path, partner, status }: Filtered,
  dimension: ConsoleFilter['dimension'],
  { model }: { readonly model: ConsoleQuery['model'] },
): readonly string[] {
  if (dimension === 'partner') return [partner];
  if (dimension === 'status') return [status];
  // What has no known click has no journey either.
  if (dimension === 'journey') return ['all', path === null || path.isFree ? 'without' : 'with'];
  if (path === null) return [NO_VALUE];
  switch (dimension) {
    case 'site':
      return [getPageSite(path.page)];
    case 'page':
      return [path.page];
    case 'placement':
      return [`${path.page} ${path.placement || '(none)'}`];
    case 'campaign':
      return [getCampaign(path, model)];
    case 'source':
      return [getSource(path)];
    case 'answer':
      return listAnswers(path);
  }
}

function listAnswers({ answers }: CreditPath): readonly string[] {
  if (Object.keys(answers).length === 0) return [NO_VALUE];
  return Object.entries(answers).flatMap(([field, codes]) =>
    codes.split(',').flatMap((code) => [code, `${field} ${code}`]),
  );
}

/** A commission as a row of a list. Amounts are what was reported, in minor units; times ms since 1970. */
export type CommissionRow = Readonly<ReturnType<typeof buildCommissionRow>>;
/** What a commission is worth in the currency of the totals, in minor units, and the rate. */
export type ConvertedMoney = Exclude<CommissionRow['converted'], string | null>;

/** Builds the row of a commission. */
export function buildCommissionRow(entry: LedgerEntry) {
  const { commission, journey, reason, isCounted } = entry;
  return {
    partner: commission.partner,
    account: commission.account,
    id: commission.nativeId,
    kind: commission.kind,
    status: commission.status,
    ...getReportedMoney(entry),
    /** In the currency of the totals; null when it is in that already, or nothing is converted. */
    converted: getConvertedMoney(entry),
    bookedAt: commission.eventTime,
    /** Null while no click is known, as `page`, `placement` and `campaign`. */
    clickedAt: journey?.clickTime ?? null,
    page: journey?.page ?? null,
    placement: journey?.placement ?? null,
    /** The last campaign before the click. */
    campaign: journey === null ? null : buildLastCampaignName(journey),
    reason,
    /** False for test messages, dismissed commissions, and reports that another source has priority over. */
    isCounted,
    isDismissed: commission.isDismissed,
    /** Whether it counts as the conversion of its click. */
    isConversion: isCounted && isConversion(entry),
    conflicts: findConflicts(entry),
  };
}

function getConvertedMoney({ commission, original }: LedgerEntry) {
  if (original === undefined) return null;
  if (original === null) return 'no-rate' as const;
  const { amount, reversedAmount, currency } = commission;
  /** `rate`: the price of one unit of the commission's own currency, `1.0832`; `day`: of the rate, `YYYY-MM-DD`. */
  return { amount, reversedAmount, currency, rate: original.rate.format(), day: original.rate.day };
}
