import { type PaymentTerms, type Payout, WEEKDAYS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildDueKey,
  buildPaymentSchedule,
  buildPayments,
  type Due,
  type Payment,
  type PaymentState,
  type ScheduledDue,
} from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { SummedCommissions } from '../../stores/commission-sums.ts';
import type { ConsoleSite } from '../console-site.ts';
import { type Column, CURRENCY, column, exported, formatAmountCell } from './columns.ts';
import { formatDay, formatMoney, formatShortMoney } from './format.ts';
import { buildApprovalRates, listCurrencies } from './period-figures.ts';
import type { ConsoleFilter, ConsoleQuery } from './query.ts';
import { addDays } from './range.ts';
import { passesFilters } from './select-entries.ts';

/** How many days ahead payments are foreseen, and how many days back they are shown next to them, today included. */
const OUTLOOK_DAYS = 60;

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

/** What was paid in the last 60 days, and what will probably be paid in the next 60; minor units of one currency. */
export type PaymentOutlook = ReturnType<typeof buildPaymentOutlook>;
/** Open money; minor units. */
export type OtherMoney = ReturnType<typeof sumOthers>;

/** Builds the outlook of one currency from all of its payments. `today`: `YYYY-MM-DD` in the site's time zone. */
export function buildPaymentOutlook(payments: readonly Payment[], currency: string, today: string) {
  const own = payments.filter((payment) => payment.currency === currency);
  const [from, to] = [addDays(today, 1 - OUTLOOK_DAYS), addDays(today, OUTLOOK_DAYS - 1)];
  const getDueDay = ({ day }: Payment) => (day === null || day < today ? today : day);
  const isSoon = (payment: Payment) => payment.state === 'due' && getDueDay(payment) <= to;
  const paidDays = buildOutlookDays(
    own.filter(({ state, day }) => state === 'paid' && day !== null && day >= from && day <= today),
    ({ day }) => day ?? today,
  );
  const dueDays = buildOutlookDays(own.filter(isSoon), getDueDay);
  const others = Map.groupBy(
    own.filter((payment) => payment.state !== 'paid' && !isSoon(payment)),
    ({ state }) => state,
  );
  return {
    currency,
    from,
    today,
    to,
    paidDays,
    dueDays,
    paid: sumOf(paidDays, ({ paid }) => paid),
    /** Of the next 60 days: approved, and pending by the approval rates. */
    expected: sumOf(dueDays, ({ expected }) => expected),
    /** What is open and not among the next 60 days, by its state; what is due later is `due`. */
    others: new Map([...others].map(([state, group]) => [state, sumOthers(group)])),
  };
}

function buildOutlookDays(payments: readonly Payment[], getDay: (payment: Payment) => string) {
  const groups = [...Map.groupBy(payments, getDay)].sort(([one], [other]) => (one < other ? -1 : 1));
  return groups.map(([day, group]) => ({
    /** `YYYY-MM-DD`; what is due and a few days late is expected today. */
    day,
    /** In the order of the partners. */
    payments: group,
    paid: sumOf(group, ({ paid }) => paid),
    approved: sumOf(group, ({ approved }) => approved),
    expected: sumOf(group, ({ expected }) => expected),
  }));
}

const sumOthers = (payments: readonly Payment[]) => ({
  approved: sumOf(payments, ({ approved }) => approved),
  pending: sumOf(payments, ({ pending }) => pending),
  partners: [...new Set(payments.map(({ partner }) => partner))],
});

/** Adds up one amount of each of some rows. */
export function sumOf<Row>(rows: readonly Row[], getAmount: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + getAmount(row), 0);
}

/**
 * Reads the outlook of payments that pass the filters of a query, in the currency of its totals, with what other currencies
 * have. The period does not matter.
 */
export async function readPaymentOutlook(site: ConsoleSite, query: ConsoleQuery) {
  const { periods, clock, settings } = site;
  const own = await readSelectedSchedule(site, { ...query, currency: null });
  const counted = own.map((due) => ({ ...due, reversedAmount: 0 }));
  const payments = buildPayments(await periods.convert(query, counted, ({ programDay }) => programDay));
  const { currency } = await periods.readCurrency(query);
  const today = getLocalDay(clock.now(), settings.TIME_ZONE);
  const others = new Set(payments.map((payment) => payment.currency).filter((code) => code !== currency));
  return {
    outlook: buildPaymentOutlook(payments, currency ?? 'USD', today),
    otherCurrencies: [...others].flatMap((code) => {
      const { paid, expected, others: rest } = buildPaymentOutlook(payments, code, today);
      // Not among the next 60 days.
      const open = sumOf([...rest.values()], ({ approved, pending }) => approved + pending);
      return paid === 0 && expected === 0 && open === 0 ? [] : [{ currency: code, paid, expected, open }];
    }),
  };
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

/** What the terms of a program say, one phrase each; empty when they say nothing. */
export function describePaymentTerms({
  approvalDays,
  payout,
  minimum,
  method,
}: PaymentTerms): readonly string[] {
  return [
    ...(approvalDays === null ? [] : [`approves within ${approvalDays} days`]),
    ...(payout === null ? [] : [`pays ${describePayout(payout)}`]),
    ...(minimum === null ? [] : [`from ${formatMoney(minimum.amount, minimum.currency)}`]),
    ...(method === null ? [] : [`by ${method}`]),
  ];
}

/** How much is expected, from whom and when first, next to what was paid. */
export function buildPaymentFinding(outlook: PaymentOutlook, names: ReadonlyMap<string, string>): string {
  const { currency, today, dueDays, expected, paid } = outlook;
  const money = (amount: number) => formatShortMoney(amount, currency);
  const before = paid > 0 ? `${money(paid)} was paid in the last 60.` : 'Nothing was paid in the last 60.';
  const [next] = dueDays;
  if (next === undefined) return `No payment has a date in the next 60 days. ${before}`;
  const from = [...new Set(next.payments.map(({ partner }) => names.get(partner) ?? partner))];
  const day = next.day === today ? 'today' : `on ${formatDay(next.day, today)}`;
  return (
    `${money(expected)} is expected in the next 60 days, ` +
    `the first ${money(next.expected)} from ${LIST.format(from)} ${day}. ${before}`
  );
}
