import { isConversion, isPayment } from '../../core/commissions/credit/commission-report.ts';
import {
  buildCreditPath,
  buildLastCampaignName,
  type CreditPath,
  getCredited,
} from '../../core/commissions/credit/credit.ts';
import { getReportedMoney } from '../../core/commissions/exchange-rates.ts';
import {
  type CommissionConflict,
  findConflicts,
  type LedgerEntry,
  type UnmatchedReason,
} from '../../core/commissions/ledger/build-ledger.ts';
import {
  buildCommissionKey,
  type CommissionKind,
  type CommissionStatus,
} from '../../core/commissions/ledger/commission-fact.ts';
import { createDayCounter, toUtc } from '../../core/commissions/local-time.ts';
import { buildPageName } from '../../core/events/site-path.ts';
import { type CommissionCell, STATES } from '../../stores/commission-sums.ts';
import { type ConsoleDimension, type ConsoleFilter, type ConsoleQuery, NO_VALUE } from './query.ts';
import { addDays, type DayRange } from './range.ts';

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

/** Single commissions that count, with everything that their journeys say; the days are those of a clock. */
export function buildCells(
  entries: readonly LedgerEntry[],
  timeZone: string,
  clock: ConsoleQuery['clock'],
): readonly CommissionCell[] {
  const before = new Map<string, { decided: number; pending: number }>();
  const counted = entries.filter(({ isCounted }) => isCounted);
  const ordered = counted.toSorted(
    ({ commission: one }, { commission: other }) =>
      one.eventTime - other.eventTime || (buildCommissionKey(one) < buildCommissionKey(other) ? -1 : 1),
  );
  const cells = ordered.map((entry) => {
    const { status, amount, currency } = entry.commission;
    const cell = buildCell(entry, timeZone, clock);
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
function buildCell(entry: LedgerEntry, timeZone: string, clock: ConsoleQuery['clock']): CommissionCell {
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
    day: getDay(getEntryTime(entry, clock)),
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

/** The values of commissions in a dimension. Those of a page, a campaign or a source follow the credit model. */
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
    case 'page':
      return [path.page];
    case 'placement':
      return [`${path.page} ${path.placement || '(none)'}`];
    case 'campaign':
      return [getCredited(path, model === 'first' ? 'first' : 'last')];
    case 'source':
      return [getCredited(path, model, 'source')];
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
