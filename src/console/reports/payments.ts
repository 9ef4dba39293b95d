import { type Payout, WEEKDAYS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildDueKey,
  buildPaymentSchedule,
  type Due,
  type Payment,
  type PaymentState,
  type ScheduledDue,
} from '../../core/commissions/ledger/due-date.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { SummedCommissions } from '../../stores/commission-sums.ts';
import type { ConsoleSite } from '../console-site.ts';
import { type Column, CURRENCY, column, exported, formatAmountCell } from './columns.ts';
import { formatDay } from './format.ts';
import { buildApprovalRates, listCurrencies } from './period-figures.ts';
import type { ConsoleFilter, ConsoleQuery } from './query.ts';
import { passesFilters } from './select-entries.ts';

/** Days begin at full quarters of an hour in every time zone. */
const QUARTER_MS = 900_000;

/** The schedule of what the table has, which every view needs that shows payments. */
const schedules = new WeakMap<
  readonly Due[],
  { readonly quarter: number; readonly scheduled: readonly ScheduledDue[] }
>();

/** Reads when all money is paid, by the terms of the partners and their historic approval rates. */
export async function readSchedule(site: ConsoleSite): Promise<readonly ScheduledDue[]> {
  const { clock, money } = site;
  const { partners } = site.content.read();
  const dues = await money.commissions.table.readDues(null);
  const now = clock.now();
  const quarter = Math.floor(now / QUARTER_MS);
  const cached = schedules.get(dues);
  if (cached?.quarter === quarter) return cached.scheduled;
  const scheduled = buildSchedule(dues, await money.commissions.table.readCohorts(null), partners, now);
  schedules.set(dues, { quarter, scheduled });
  return scheduled;
}

/** Schedules all money by the terms of the partners and the historic approval rates of all commissions. */
export function buildSchedule(
  dues: readonly Due[],
  all: readonly SummedCommissions[],
  partners: ReadonlyMap<string, Partner>,
  now: number,
): readonly ScheduledDue[] {
  const rates = new Map(listCurrencies(all).map((currency) => [currency, buildApprovalRates(all, currency)]));
  return buildPaymentSchedule(dues, {
    terms: new Map([...partners].map(([key, { terms }]) => [key, terms])),
    getRate: (partner, currency) => rates.get(currency)?.get(partner) ?? 1,
    now,
  });
}

/** Reads when the money of a query's filters and currency is paid, of all time. */
export async function readSelectedSchedule(
  site: ConsoleSite,
  query: ConsoleQuery,
): Promise<readonly ScheduledDue[]> {
  const scheduled = await readSchedule(site);
  const passes = (due: Due) =>
    (query.currency === null || due.currency === query.currency) &&
    passesFilters({ path: null, ...due }, { ...query, filters: query.filters.filter(isOfDue) });
  if (query.filters.every(isOfDue)) return scheduled.filter(passes);
  // What becomes of a part of the money is decided by all of it.
  const known = new Map(scheduled.map((due) => [buildDueKey(due), due]));
  const { money, periods } = site;
  const own = await money.commissions.table.readDues(await periods.findPaths(query));
  return own.flatMap((due) => {
    const whole = known.get(buildDueKey(due));
    return whole === undefined || !passes(due) ? [] : [{ ...whole, amount: due.amount, count: due.count }];
  });
}

const isOfDue = ({ dimension }: ConsoleFilter) => dimension === 'partner' || dimension === 'status';

/** Adds up one amount of each of some rows. */
export function sumOf<Row>(rows: readonly Row[], getAmount: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + getAmount(row), 0);
}

/** Columns of the exported payments, on screen and for the command line. */
export const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  column('day', 'Day', ({ day }) => day),
  column('state', 'State', ({ state }) => state),
  column('partner', 'Partner', ({ partner }) => partner),
  exported('account', ({ account }) => account),
  CURRENCY,
  amount('paid', 'Paid', ({ paid }) => paid),
  amount('approved', 'Approved', ({ approved }) => approved),
  amount('pending', 'Pending', ({ pending }) => pending),
  amount('expected', 'Expected', ({ expected }) => expected),
  column('commissions', 'Commissions', ({ count }) => count, { isNumeric: true }),
];

/** Money of one payment or day has no definition of its own: that of a period is another sum. */
function amount(key: string, name: string, figure: (payment: Payment) => number): Column<Payment> {
  return column(key, name, (payment) => formatAmountCell(figure(payment), payment.currency), {
    isNumeric: true,
    figure,
    format: 'money',
    currency: ({ currency }) => currency,
  });
}

const ORDINALS = new Intl.PluralRules('en-US', { type: 'ordinal' });
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const formatOrdinal = (day: number) => `${day}${SUFFIXES[ORDINALS.select(day)] ?? 'th'}`;
const LIST = new Intl.ListFormat('en-US');

/** Says on which days a program pays: `on the 15th, for the months before`. */
export function describePayout(payout: Payout): string {
  switch (payout.rhythm) {
    case 'month-day': {
      const what =
        payout.by === 'booking' ? 'for commissions of earlier months' : 'for approvals of earlier months';
      return `on the ${formatOrdinal(payout.day)}, ${what}`;
    }
    case 'month-days':
      return `on the ${LIST.format(payout.days.map(formatOrdinal))}`;
    case 'net': {
      const what = payout.by === 'booking' ? 'of the commission' : 'of the approval';
      return `${payout.days} days after the end of the month ${what}`;
    }
    case 'weekly': {
      const weekday = WEEKDAYS[payout.weekday] ?? '';
      return `every ${weekday.slice(0, 1).toUpperCase()}${weekday.slice(1)}`;
    }
  }
}

/** Says what becomes of the money of a commission, in a few words beside its day. */
export function describeSchedule({ status, state, approvalDay }: ScheduledDue, today: string): string {
  if (state === 'due') {
    if (status === 'approved') return 'payment';
    const condition = approvalDay === null ? 'as fast as usual' : `by ${formatDay(approvalDay, today)}`;
    return `if approved ${condition}`;
  }
  if (state === 'no date' && approvalDay !== null) return 'approval; no payout day is stated';
  return SCHEDULE_TEXTS[state];
}

const SCHEDULE_TEXTS: Readonly<Record<Exclude<PaymentState, 'due'>, string>> = {
  'approval overdue': 'approval overdue',
  'payment overdue': 'payment overdue',
  'not confirmed': 'payments are not reported',
  'carried over': 'below the minimum',
  'no date': 'the terms name no day',
  paid: 'paid',
};
