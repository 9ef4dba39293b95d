import { DAY_MS } from '../../clock.ts';
import { createDayLookup } from '../local-time.ts';
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

/** A commission that was, is or will probably be paid. Days are `YYYY-MM-DD` in the program's time zone. */
export interface ScheduledCommission extends PaymentDay {
  readonly entry: LedgerEntry;
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

const formatDay = (time: number) => new Date(time).toISOString().slice(0, 10);

const addDays = (day: string, days: number) => formatDay(Date.parse(day) + days * DAY_MS);

/** A day of a month, which may be counted beyond December; the last one of a shorter month. */
function buildMonthDay(year: number, month: number, day: number): string {
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return formatDay(Date.UTC(year, month, Math.min(day, last)));
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

/** What the terms alone say of a commission, before the balance of its payout is known. */
interface PlacedCommission extends Pick<ScheduledCommission, 'entry' | 'approvalDay' | 'rate'> {
  /** The first payout that can contain it; null without one. */
  readonly payable: string | null;
  /** Null while it is not paid. */
  readonly paidDay: string | null;
  readonly isApprovalOverdue: boolean;
}

/** What the commissions of one account of a program have in common. */
interface AccountContext {
  readonly payments: CommissionTerms['payments'];
  readonly rate: number;
  readonly today: string;
  /** What was due before this day is overdue. */
  readonly graceDay: string;
  readonly getDay: (time: number) => string;
  /** Whether the network has ever reported a payment to the account. */
  readonly reportsPayments: boolean;
  /** Days from the booking to the approval in half of the cases, where the terms do not say them; null with few cases. */
  readonly usualDays: number | null;
}

const isOpenOrPaid = ({ isCounted, commission: { status, amount } }: LedgerEntry) =>
  isCounted && amount !== 0 && (status === 'pending' || status === 'approved' || status === 'paid');

/**
 * Schedules the money of all commissions that count and are pending, approved or paid: each is in exactly one state. A
 * payout that would be smaller than the program's minimum, or not above 0 because of corrections, is carried over to the
 * one with which the balance is large enough. `entries` has to have all commissions, so that balances are known.
 */
export function buildPaymentSchedule(
  entries: readonly LedgerEntry[],
  { terms, getRate, now }: ScheduleContext,
): readonly ScheduledCommission[] {
  const known = entries.filter(isOpenOrPaid);
  const start = known.reduce((first, { commission }) => Math.min(first, commission.eventTime), now);
  const lookups = new Map<string, (time: number) => string>();
  const findLookup = (timeZone: string) => {
    const lookup = lookups.get(timeZone) ?? createDayLookup(start, now + DAY_MS, timeZone);
    lookups.set(timeZone, lookup);
    return lookup;
  };
  const getAccount = ({ commission: { partner, account } }: LedgerEntry) => `${partner} ${account}`;
  const reporting = new Set(known.filter(hasPayment).map(getAccount));
  const groups = Map.groupBy(known, (entry) => `${getAccount(entry)} ${entry.commission.currency}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { partner, currency } = first.commission;
    const { payments, timeZone } = terms.get(partner) ?? DEFAULT_TERMS;
    const getDay = findLookup(timeZone);
    const today = getDay(now);
    return scheduleAccount(group, {
      ...{ payments, getDay, today, graceDay: addDays(today, -GRACE_DAYS), rate: getRate(partner, currency) },
      reportsPayments: reporting.has(getAccount(first)),
      usualDays: payments.approvalDays === null ? findUsualDays(group) : null,
    });
  });
}

/** With fewer approvals it is not known how long they take. */
const MIN_APPROVALS = 5;

function findUsualDays(entries: readonly LedgerEntry[]): number | null {
  const times = entries
    .filter(({ commission, facts }) => {
      return commission.status !== 'pending' && facts.some(({ status }) => status === 'pending');
    })
    .map((entry) => findStatusTime(entry, isSettled) - entry.commission.eventTime)
    .sort((one, other) => one - other);
  if (times.length < MIN_APPROVALS) return null;
  return Math.ceil(Math.max(0, times[Math.floor(times.length / 2)] ?? 0) / DAY_MS);
}

const isSettled = (status: CommissionStatus) => status === 'approved' || status === 'paid';
const isPaid = (status: CommissionStatus) => status === 'paid';

const hasPayment = ({ commission, facts }: LedgerEntry) =>
  isPaid(commission.status) || facts.some(({ status }) => isPaid(status));

/** Schedules the commissions of one account in one currency. */
function scheduleAccount(entries: readonly LedgerEntry[], context: AccountContext): ScheduledCommission[] {
  const { payout } = context.payments;
  // There are many commissions to a day.
  const known = new Map<string, string>();
  const findPayable = (booked: string, approved: string) => {
    if (payout === null) return null;
    const key = booked + approved;
    const day = known.get(key) ?? findPayoutDay(payout, booked, approved);
    known.set(key, day);
    return day;
  };
  const placed = entries.map((entry) => placeCommission(entry, context, findPayable));
  const { minimum } = context.payments;
  const currency = entries[0]?.commission.currency;
  const dues = findDueDays(placed, minimum?.currency === currency ? (minimum?.amount ?? 0) : 0);
  return placed.map((place) => {
    const { entry, approvalDay, rate } = place;
    return { entry, approvalDay, rate, ...findState(place, dues.get(place), context) };
  });
}

function placeCommission(
  entry: LedgerEntry,
  { payments, rate, today, graceDay, getDay, usualDays }: AccountContext,
  findPayable: (booked: string, approved: string) => string | null,
): PlacedCommission {
  const { approvalDays } = payments;
  const { status, eventTime } = entry.commission;
  const booked = getDay(eventTime);
  if (status !== 'pending') {
    const approved = getDay(findStatusTime(entry, isSettled));
    const paidDay = status === 'paid' ? getDay(findStatusTime(entry, isPaid)) : null;
    const payable = findPayable(booked, approved);
    return { entry, approvalDay: null, rate: 1, payable, paidDay, isApprovalOverdue: false };
  }
  const approvalDay = approvalDays === null ? null : addDays(booked, approvalDays);
  const isApprovalOverdue = approvalDay !== null && approvalDay < graceDay;
  const usual = approvalDay ?? (usualDays === null ? null : addDays(booked, usualDays));
  // What is late and not overdue is expected from today on.
  const approved = usual !== null && usual < today ? today : usual;
  const payable = approved === null || isApprovalOverdue ? null : findPayable(booked, approved);
  return { entry, approvalDay, rate, payable, paidDay: null, isApprovalOverdue };
}

/** When a commission reached one of some statuses and did not fall behind them again; ms since 1970. */
function findStatusTime(
  { commission, facts }: LedgerEntry,
  isWanted: (status: CommissionStatus) => boolean,
): number {
  const { conflicts } = commission;
  const applied = conflicts.length === 0 ? facts : facts.filter((fact) => !conflicts.includes(fact));
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
function findDueDays(
  placed: readonly PlacedCommission[],
  minimum: number,
): ReadonlyMap<PlacedCommission, string> {
  const dues = new Map<PlacedCommission, string>();
  const byDay = Map.groupBy(
    placed.filter(({ payable }) => payable !== null),
    ({ payable }) => payable ?? '',
  );
  let waiting: PlacedCommission[] = [];
  for (const [day, joining] of [...byDay].sort(([one], [other]) => (one < other ? -1 : 1))) {
    waiting = [...waiting, ...joining].filter(({ paidDay }) => paidDay === null || paidDay >= day);
    const balance = waiting.reduce((sum, { entry, rate }) => sum + entry.commission.amount * rate, 0);
    if (Math.round(balance) < Math.max(1, minimum)) continue;
    for (const place of waiting) dues.set(place, day);
    waiting = [];
  }
  return dues;
}

function findState(
  { entry, payable, paidDay, approvalDay, isApprovalOverdue }: PlacedCommission,
  due: string | undefined,
  { graceDay, reportsPayments }: AccountContext,
): PaymentDay {
  if (paidDay !== null) return { state: 'paid', day: paidDay };
  if (isApprovalOverdue) return { state: 'approval overdue', day: approvalDay };
  if (payable === null) return { state: 'no date', day: null };
  if (due === undefined) return { state: 'carried over', day: null };
  if (entry.commission.status === 'pending' || due >= graceDay) return { state: 'due', day: due };
  return { state: reportsPayments ? 'payment overdue' : 'not confirmed', day: due };
}

/** Money of one account of a partner in one currency and one state, on one day; amounts in minor units. */
export interface Payment extends PaymentDay {
  readonly partner: string;
  readonly account: string;
  readonly currency: string;
  readonly paid: number;
  /** Approved and not paid. */
  readonly approved: number;
  readonly pending: number;
  /** What will probably be paid: approved, and pending by the approval rate of the partner. */
  readonly expected: number;
  /** Commissions. */
  readonly count: number;
}

/**
 * Sums scheduled commissions by state, day, partner, account and currency, in the order of `PAYMENT_STATES` and of the
 * days. What is expected of pending money sums to the rounded total of each partner and currency.
 */
export function buildPayments(scheduled: readonly ScheduledCommission[]): readonly Payment[] {
  const getKey = ({ state, day, entry: { commission } }: ScheduledCommission) => {
    const { partner, account, currency } = commission;
    return `${PAYMENT_STATES.indexOf(state)} ${day ?? ''} ${partner} ${account} ${currency}`;
  };
  const groups = [...Map.groupBy(scheduled, getKey)].sort(([one], [other]) => (one < other ? -1 : 1));
  const probableSums = new Map<string, number>();
  return groups.flatMap(([, group]): Payment[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { state, day } = first;
    const { partner, account, currency } = first.entry.commission;
    const sums = { paid: 0, approved: 0, pending: 0 };
    const pendingByRate = new Map<number, number>();
    for (const { entry, rate } of group) {
      const { status, amount } = entry.commission;
      if (status === 'paid' || status === 'approved' || status === 'pending') sums[status] += amount;
      if (status === 'pending') pendingByRate.set(rate, (pendingByRate.get(rate) ?? 0) + amount);
    }
    const { paid, approved, pending } = sums;
    const before = probableSums.get(`${partner} ${currency}`) ?? 0;
    const after = [...pendingByRate].reduce((sum, [rate, amount]) => sum + amount * rate, before);
    probableSums.set(`${partner} ${currency}`, after);
    const probable = Math.round(after) - Math.round(before);
    const money = { paid, approved, pending, expected: approved + probable };
    return [{ state, day, partner, account, currency, ...money, count: group.length }];
  });
}
