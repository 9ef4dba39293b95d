import { DAY_MS } from '../../clock.ts';
import { RecentMap } from '../../recent-map.ts';
import { addDays, getLocalDay, nameDay } from '../local-time.ts';
import type { LedgerEntry } from './build-ledger.ts';
import type { CommissionStatus } from './commission-fact.ts';
import { type CommissionTerms, DEFAULT_TERMS, type Payout } from './commission-terms.ts';

/**
 * Where the money of a commission is on its way to the operator:
 * - `payment overdue`, `approval overdue`: it should have been paid, or approved, more than a week ago;
 * - `not confirmed`: it should have been paid, by a program that has never reported a payment;
 * - `due`: it is to be paid on a day, pending money if it is approved in time, or as fast as usual;
 * - `carried over`: the balance is below the least that the program pays;
 * - `no date`: the terms do not say when it is paid;
 * - `paid`.
 */
export const PAYMENT_STATES = [
  'payment overdue',
  'approval overdue',
  'not confirmed',
  'due',
  'carried over',
  'no date',
  'paid',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Weekends, transfers and late reports: what is fewer days late is not overdue. */
export const GRACE_DAYS = 7;

/** What becomes of money, and when. */
interface PaymentDay {
  readonly state: PaymentState;
  /** When it was paid, is to be paid, or since when it is overdue; null without a date. */
  readonly day: string | null;
}

/** What the payment of a commission depends on. Days: numbers since 1970 in the program's time zone, -1 for none. */
export interface DueDays {
  readonly programDay: number;
  /** When it reached approval, or payment, and did not fall behind it again. */
  readonly settledDay: number;
  readonly paidDay: number;
  /** From the booking to the approval, of one that was pending; -1 for every other. */
  readonly settleDays: number;
  /** Whether a message has reported a payment. */
  readonly hasPayment: boolean;
}

/** Commissions of one account that are paid together: pending, approved or paid. `amount`: minor units. */
export interface Due extends DueDays {
  readonly partner: string;
  readonly account: string;
  readonly currency: string;
  readonly status: CommissionStatus;
  readonly amount: number;
  readonly count: number;
}

/** What was, is or will probably be paid. Days are `YYYY-MM-DD` in the program's time zone. */
export interface ScheduledDue extends Due, PaymentDay {
  /** By when a pending commission should be approved; null for every other, and where the terms do not say it. */
  readonly approvalDay: string | null;
  /** Share of the amount that will probably be paid: the approval rate while it is pending, else 1. */
  readonly rate: number;
}

/** What a schedule depends on besides the commissions. */
export interface ScheduleContext {
  /** By partner; one without terms has stated nothing. */
  readonly terms: ReadonlyMap<string, Pick<CommissionTerms, 'payments' | 'timeZone'>>;
  /** The share of pending money of a partner that is usually approved, from 0 to 1. */
  readonly getRate: (partner: string, currency: string) => number;
  /** ms since 1970. */
  readonly now: number;
}

/** The key of the due that a commission belongs to. */
export const buildDueKey = ({
  partner,
  account,
  currency,
  status,
  ...due
}: Omit<Due, 'amount' | 'count'>) => {
  const { programDay, settledDay, paidDay, settleDays, hasPayment } = due;
  const days = [programDay, settledDay, paidDay, settleDays, hasPayment];
  return JSON.stringify([partner, account, currency, status, ...days]);
};

/** Builds what the payment of a commission depends on. `getDay`: the day of a moment in the program's time zone. */
export function buildDueDays(
  entry: { readonly commission: LedgerEntry['commission']; readonly facts: LedgerEntry['facts'] },
  getDay: (time: number) => number,
): DueDays {
  const { commission, facts } = entry;
  const { status, eventTime } = commission;
  const settledAt = isSettled(status) ? findStatusTime(entry, isSettled) : null;
  const wasPending = facts.some((fact) => fact.status === 'pending');
  const settleDays = settledAt === null ? -1 : Math.ceil(Math.max(0, settledAt - eventTime) / DAY_MS);
  return {
    programDay: getDay(eventTime),
    settledDay: settledAt === null ? -1 : getDay(settledAt),
    paidDay: isPaid(status) ? getDay(findStatusTime(entry, isPaid)) : -1,
    settleDays: wasPending ? settleDays : -1,
    hasPayment: isPaid(status) || facts.some((fact) => isPaid(fact.status)),
  };
}

/** A day of a month, which may be counted beyond December; the last one of a shorter month. */
function buildMonthDay(year: number, month: number, day: number): string {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return nameDay(Date.UTC(year, month, Math.min(day, last)) / DAY_MS);
}

/**
 * Finds the first day on which a program pays a commission that was booked and approved on the given days. All days are
 * `YYYY-MM-DD`. Payouts that close with a month pay what was approved until their own day, the others what was approved
 * before.
 */
export function findPayoutDay(payout: Payout, booked: string, approved: string): string {
  switch (payout.rhythm) {
    case 'weekly': {
      const days = (payout.weekday - new Date(`${approved}T00:00:00Z`).getUTCDay() + 7) % 7;
      return addDays(approved, days === 0 ? 7 : days);
    }
    case 'month-days':
      return findMonthDay(approved, (year, month) =>
        payout.days.map((day) => buildMonthDay(year, month, day)).find((day) => day > approved),
      );
    case 'month-day':
    case 'net': {
      const basis = payout.by === 'booking' ? booked : approved;
      return findMonthDay(basis, (year, month) => {
        const day =
          payout.rhythm === 'net'
            ? addDays(buildMonthDay(year, month, 31), payout.days)
            : buildMonthDay(year, month + 1, payout.day);
        return day >= approved ? day : undefined;
      });
    }
  }
}

/** The first day that is found in the month of a day or a later one. */
function findMonthDay(day: string, find: (year: number, month: number) => string | undefined): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  for (let later = month - 1; ; later++) {
    const found = find(year, later);
    if (found !== undefined) return found;
  }
}

/** What the commissions of one account of a program have in common. */
interface AccountContext {
  readonly payments: CommissionTerms['payments'];
  readonly rate: number;
  readonly today: string;
  /** What was due before this day is overdue. */
  readonly graceDay: string;
  /** Whether the network has ever reported a payment to the account. */
  readonly reportsPayments: boolean;
  /** Days from the booking to the approval in half of the cases, where the terms do not say them; null with few cases. */
  readonly usualDays: number | null;
}

/**
 * Schedules all money that counts and is pending, approved or paid: each due is in exactly one state. A payout that would be
 * smaller than the program's minimum, or not above 0 because of corrections, is carried over to the one with which the balance
 * is large enough. `dues` has to have all of them, so that balances are known.
 */
export function buildPaymentSchedule(
  dues: readonly Due[],
  { terms, getRate, now }: ScheduleContext,
): readonly ScheduledDue[] {
  const getAccount = ({ partner, account }: Due) => `${partner} ${account}`;
  const reporting = new Set(dues.filter(({ hasPayment }) => hasPayment).map(getAccount));
  const groups = Map.groupBy(dues, (due) => `${getAccount(due)} ${due.currency}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { partner, currency } = first;
    const { payments, timeZone } = terms.get(partner) ?? DEFAULT_TERMS;
    const today = getLocalDay(now, timeZone);
    return scheduleAccount(group, {
      payments,
      today,
      graceDay: addDays(today, -GRACE_DAYS),
      rate: getRate(partner, currency),
      reportsPayments: reporting.has(getAccount(first)),
      usualDays: payments.approvalDays === null ? findUsualDays(group) : null,
    });
  });
}

/** With fewer approvals it is not known how long they take. */
const MIN_APPROVALS = 5;

/** Days from the booking to the approval in half of the cases; null with few. */
function findUsualDays(dues: readonly Due[]): number | null {
  const settled = dues.filter(({ settleDays }) => settleDays >= 0);
  const count = settled.reduce((sum, due) => sum + due.count, 0);
  if (count < MIN_APPROVALS) return null;
  let passed = 0;
  for (const due of settled.sort((one, other) => one.settleDays - other.settleDays)) {
    passed += due.count;
    if (passed > Math.floor(count / 2)) return due.settleDays;
  }
  return null;
}

const isSettled = (status: CommissionStatus) => status === 'approved' || status === 'paid';
const isPaid = (status: CommissionStatus) => status === 'paid';

/** Of three years with decisions after up to a month. */
const MAX_PAYOUTS = 40_000;
/** The payouts of each rule by the days of booking and approval: there are many commissions to a day. */
const payouts = new WeakMap<Payout, RecentMap<string>>();

/** Schedules the commissions of one account in one currency. */
function scheduleAccount(dues: readonly Due[], context: AccountContext): ScheduledDue[] {
  const { payout } = context.payments;
  const known = (payout && payouts.get(payout)) ?? new RecentMap<string>(MAX_PAYOUTS);
  if (payout !== null) payouts.set(payout, known);
  const findPayable = (booked: string, approved: string) => {
    if (payout === null) return null;
    const key = booked + approved;
    const day = known.get(key) ?? findPayoutDay(payout, booked, approved);
    known.set(key, day);
    return day;
  };
  const placed = dues.map((due) => placeDue(due, context, findPayable));
  const { minimum } = context.payments;
  const currency = dues[0]?.currency;
  const days = findDueDays(placed, minimum?.currency === currency ? (minimum?.amount ?? 0) : 0);
  return placed.map((place) => {
    const { due, approvalDay, rate } = place;
    return { ...due, approvalDay, rate, ...findState(place, days.get(place), context) };
  });
}

/**
 * Finds what the terms alone say, before the balance of the payout is known. `payable`: the first payout that can contain it, null
 * without one; `paidDay`: null while it is not paid.
 */
function placeDue(
  due: Due,
  { payments, rate, today, graceDay, usualDays }: AccountContext,
  findPayable: (booked: string, approved: string) => string | null,
) {
  const { approvalDays } = payments;
  const booked = nameDay(due.programDay);
  if (due.status !== 'pending') {
    const paidDay = due.paidDay < 0 ? null : nameDay(due.paidDay);
    const payable = findPayable(booked, nameDay(due.settledDay));
    return { due, approvalDay: null, rate: 1, payable, paidDay, isApprovalOverdue: false };
  }
  const approvalDay = approvalDays === null ? null : addDays(booked, approvalDays);
  const isApprovalOverdue = approvalDay !== null && approvalDay < graceDay;
  const usual = approvalDay ?? (usualDays === null ? null : addDays(booked, usualDays));
  // What is late and not overdue is expected from today on.
  const approved = usual !== null && usual < today ? today : usual;
  const payable = approved === null || isApprovalOverdue ? null : findPayable(booked, approved);
  return { due, approvalDay, rate, payable, paidDay: null, isApprovalOverdue };
}

type PlacedDue = ReturnType<typeof placeDue>;

/** When a commission reached one of some statuses and did not fall behind them again; ms since 1970. */
function findStatusTime(
  { commission, facts }: Parameters<typeof buildDueDays>[0],
  isWanted: (status: CommissionStatus) => boolean,
): number {
  const conflicts = new Set(commission.conflicts.map(({ sequence }) => sequence));
  const applied = facts.filter(({ sequence }) => !conflicts.has(sequence));
  let before = Number.NEGATIVE_INFINITY;
  for (const { status, changeTime, arrivedAt } of applied) {
    if (!isWanted(status)) before = Math.max(before, Math.min(changeTime, arrivedAt));
  }
  let since = Number.POSITIVE_INFINITY;
  for (const { status, changeTime, arrivedAt } of applied) {
    const time = Math.min(changeTime, arrivedAt);
    if (time >= before && isWanted(status)) since = Math.min(since, time);
  }
  return Number.isFinite(since) ? since : commission.changeTime;
}

/**
 * Finds the payouts that contain commissions: all that wait are paid together, once their balance is `minimum` (minor
 * units) and above 0. What was paid before a payout does not wait for it.
 */
function findDueDays(placed: readonly PlacedDue[], minimum: number): ReadonlyMap<PlacedDue, string> {
  const dues = new Map<PlacedDue, string>();
  const byDay = Map.groupBy(
    placed.filter(({ payable }) => payable !== null),
    ({ payable }) => payable ?? '',
  );
  let waiting: PlacedDue[] = [];
  for (const [day, joining] of [...byDay].sort(([one], [other]) => (one < other ? -1 : 1))) {
    waiting = [...waiting, ...joining].filter(({ paidDay }) => paidDay === null || paidDay >= day);
    const balance = waiting.reduce((sum, { due, rate }) => sum + due.amount * rate, 0);
    if (Math.round(balance) < Math.max(1, minimum)) continue;
    for (const place of waiting) dues.set(place, day);
    waiting = [];
  }
  return dues;
}

function findState(
  { due, payable, paidDay, approvalDay, isApprovalOverdue }: PlacedDue,
  day: string | undefined,
  { graceDay, reportsPayments }: AccountContext,
): PaymentDay {
  if (paidDay !== null) return { state: 'paid', day: paidDay };
  if (isApprovalOverdue) return { state: 'approval overdue', day: approvalDay };
  if (payable === null) return { state: 'no date', day: null };
  if (day === undefined) return { state: 'carried over', day: null };
  if (due.status === 'pending' || day >= graceDay) return { state: 'due', day };
  return { state: reportsPayments ? 'payment overdue' : 'not confirmed', day };
}

/** Money of one account of a partner in one currency and one state, on one day; amounts in minor units. */
export type Payment = Readonly<ReturnType<typeof buildPayments>[number]>;

/**
 * Sums what is scheduled by state, day, partner, account and currency, in the order of `PAYMENT_STATES` and of the
 * days. What is expected of pending money sums to the rounded total of each partner and currency.
 */
export function buildPayments(scheduled: readonly ScheduledDue[]) {
  const getKey = ({ state, day, partner, account, currency }: ScheduledDue) => {
    return `${PAYMENT_STATES.indexOf(state)} ${day ?? ''} ${partner} ${account} ${currency}`;
  };
  const groups = [...Map.groupBy(scheduled, getKey)].sort(([one], [other]) => (one < other ? -1 : 1));
  const probableSums = new Map<string, number>();
  return groups.flatMap(([, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { state, day, partner, account, currency } = first;
    const sums = { paid: 0, approved: 0, pending: 0 };
    const pendingByRate = new Map<number, number>();
    for (const { status, amount, rate } of group) {
      if (status === 'paid' || status === 'approved' || status === 'pending') sums[status] += amount;
      if (status === 'pending') pendingByRate.set(rate, (pendingByRate.get(rate) ?? 0) + amount);
    }
    const { paid, approved, pending } = sums;
    const before = probableSums.get(`${partner} ${currency}`) ?? 0;
    const after = [...pendingByRate].reduce((sum, [rate, amount]) => sum + amount * rate, before);
    probableSums.set(`${partner} ${currency}`, after);
    const probable = Math.round(after) - Math.round(before);
    const payment = {
      state,
      day,
      partner,
      account,
      currency,
      paid,
      /** Approved and not paid. */
      approved,
      pending,
      /** What will probably be paid: approved, and pending by the approval rate of the partner. */
      expected: approved + probable,
      /** Commissions. */
      count: group.reduce((sum, due) => sum + due.count, 0),
    };
    return [payment];
  });
}
