import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { buildCommissionKey } from '../../core/commissions/ledger/commission-fact.ts';
import { type PaymentTerms, type Payout, WEEKDAYS } from '../../core/commissions/ledger/commission-terms.ts';
import {
  buildPaymentSchedule,
  buildPayments,
  type Payment,
  type PaymentState,
  type ScheduledCommission,
} from '../../core/commissions/ledger/due-date.ts';
import { getLocalDay } from '../../core/commissions/local-time.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import type { ConsoleSite } from '../console-site.ts';
import { type Column, CURRENCY, column, exported, formatAmountCell } from './columns.ts';
import { formatDay, formatMoney } from './format.ts';
import { buildApprovalRates, listCurrencies } from './period-figures.ts';
import type { ConsoleQuery } from './query.ts';
import { addDays } from './range.ts';
import { passesFilters } from './select-entries.ts';

/** How many days ahead payments are foreseen, and how many days back they are shown next to them, today included. */
export const OUTLOOK_DAYS = 60;

/** Schedules the money of all commissions by the terms of the partners and their historic approval rates. */
export function buildSchedule(
  entries: readonly LedgerEntry[],
  partners: ReadonlyMap<string, Partner>,
  now: number,
): readonly ScheduledCommission[] {
  const rates = new Map(
    listCurrencies(entries).map((currency) => [currency, buildApprovalRates(entries, currency)]),
  );
  return buildPaymentSchedule(entries, {
    terms: new Map([...partners].map(([key, { terms }]) => [key, terms])),
    getRate: (partner, currency) => rates.get(currency)?.get(partner) ?? 1,
    now,
  });
}

/** Days begin at full quarters of an hour in every time zone. */
const QUARTER_MS = 900_000;

/** What becomes of the money of all commissions, and its sums. */
interface Schedule {
  readonly scheduled: readonly ScheduledCommission[];
  readonly payments: readonly Payment[];
}

/** The schedule of the newest list of commissions, which every view needs that shows payments. */
const schedules = new WeakMap<readonly LedgerEntry[], Schedule & { readonly quarter: number }>();

/** Reads when the money of every commission is paid; it is computed once while the ledger does not change. */
export async function readSchedule(site: ConsoleSite): Promise<Schedule> {
  const { clock } = site;
  const { commissions } = site.money;
  const content = site.content.read();
  const entries = await commissions.readEntries();
  const now = clock.now();
  const quarter = Math.floor(now / QUARTER_MS);
  const cached = schedules.get(entries);
  if (cached?.quarter === quarter) return cached;
  const scheduled = buildSchedule(entries, content.partners, now);
  const schedule = { quarter, scheduled, payments: buildPayments(scheduled) };
  schedules.set(entries, schedule);
  return schedule;
}

/** Payments of one day, and what they sum to. */
export type OutlookDay = ReturnType<typeof buildOutlookDays>[number];
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
    ...{ currency, from, today, to, paidDays, dueDays },
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
 * Reads the outlook of payments that pass the filters of a query, in the currency in which `all` commissions are counted,
 * with what other currencies have. The period does not matter.
 */
export async function readPaymentOutlook(
  site: ConsoleSite,
  query: ConsoleQuery,
  { all, currency }: { readonly all: readonly LedgerEntry[]; readonly currency: string },
) {
  const { scheduled, payments } = countSchedule(await readSchedule(site), all);
  const selected =
    query.filters.length === 0
      ? payments
      : buildPayments(scheduled.filter(({ entry }) => passesFilters(entry, query)));
  const today = getLocalDay(site.clock.now(), site.settings.TIME_ZONE);
  const others = new Set(selected.map((payment) => payment.currency).filter((code) => code !== currency));
  return {
    outlook: buildPaymentOutlook(selected, currency, today),
    otherCurrencies: [...others].flatMap((code) => {
      const { paid, expected, others: rest } = buildPaymentOutlook(selected, code, today);
      // Not among the next 60 days.
      const open = sumOf([...rest.values()], ({ approved, pending }) => approved + pending);
      return paid === 0 && expected === 0 && open === 0 ? [] : [{ currency: code, paid, expected, open }];
    }),
  };
}

/** Schedules by the list whose amounts they have. */
const countedSchedules = new WeakMap<readonly LedgerEntry[], Schedule & { readonly source: Schedule }>();

/** The same schedule with the amounts of a list that counts some commissions in another currency. */
function countSchedule(source: Schedule, all: readonly LedgerEntry[]): Schedule {
  const cached = countedSchedules.get(all);
  if (cached?.source === source) return cached;
  const isSame = schedules.get(all) === source;
  const counted = { ...(isSame ? source : buildCountedSchedule(source.scheduled, all)), source };
  countedSchedules.set(all, counted);
  return counted;
}

function buildCountedSchedule(
  scheduled: readonly ScheduledCommission[],
  all: readonly LedgerEntry[],
): Schedule {
  const entries = new Map(all.map((entry) => [buildCommissionKey(entry.commission), entry]));
  const counted = scheduled.map((one) => {
    const entry = entries.get(buildCommissionKey(one.entry.commission));
    return entry === undefined ? one : { ...one, entry };
  });
  return { scheduled: counted, payments: buildPayments(counted) };
}

/** The same commissions by their keys. */
const schedulesByKey = new WeakMap<
  readonly ScheduledCommission[],
  ReadonlyMap<string, ScheduledCommission>
>();

/** Reads what becomes of the money of single commissions, by `buildCommissionKey`. */
export async function readScheduledByKey(
  site: Parameters<typeof readSchedule>[0],
): Promise<ReadonlyMap<string, ScheduledCommission>> {
  const { scheduled } = await readSchedule(site);
  const known =
    schedulesByKey.get(scheduled) ??
    new Map(scheduled.map((one) => [buildCommissionKey(one.entry.commission), one]));
  schedulesByKey.set(scheduled, known);
  return known;
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
    ...{ isNumeric: true, figure, format: 'money' },
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
export function describeSchedule({ entry, state, approvalDay }: ScheduledCommission, today: string): string {
  if (state === 'due') {
    if (entry.commission.status === 'approved') return 'payment';
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
