import { DAY_MS } from '../clock.ts';
import type { ArrivedPayment } from './ledger/stored-money.schema.ts';

/** Money that a partner paid or owes on a day. */
export interface DatedPayment {
  readonly partner: string;
  readonly account: string;
  readonly currency: string;
  readonly day: string | null;
  readonly amount: number;
}

/** A payment is reported at most so many days before or after the day on which it was due. */
const BEFORE_DAYS = 14;
const AFTER_DAYS = 45;

/**
 * Takes what has arrived away from what partners report as paid and, what of it they have not reported yet, from what they owe.
 * Each list is returned in its order with what is left of its amounts; arrived money is never taken away twice.
 */
export function takeArrived<Paid extends DatedPayment, Owed extends DatedPayment>(
  reported: readonly Paid[],
  owed: readonly Owed[],
  arrivals: readonly ArrivedPayment[],
): { readonly reported: readonly Paid[]; readonly owed: readonly Owed[] } {
  const open = arrivals.map((arrival) => ({ arrival, left: arrival.covers }));
  const byAccount = Map.groupBy(open, ({ arrival }) => getAccount(arrival));
  const take = (
    payments: readonly DatedPayment[],
    amounts: number[],
    isOf: (payment: DatedPayment, arrival: ArrivedPayment) => boolean,
  ) => {
    const places = payments.map((_, place) => place);
    places.sort((one, other) => ((payments[one]?.day ?? '9') < (payments[other]?.day ?? '9') ? -1 : 1));
    for (const place of places) {
      const payment = payments[place];
      if (payment === undefined) continue;
      for (const own of byAccount.get(getAccount(payment)) ?? []) {
        const part = Math.min(own.left, Math.max(0, amounts[place] ?? 0));
        if (part <= 0 || !isOf(payment, own.arrival)) continue;
        own.left -= part;
        amounts[place] = (amounts[place] ?? 0) - part;
      }
    }
  };
  const [paid, left] = [reported.map(({ amount }) => amount), owed.map(({ amount }) => amount)];
  for (const isOf of [isSameDay, isNear]) take(reported, paid, isOf);
  for (const isOf of [isSameDay, isNear]) take(owed, left, isOf);
  return {
    reported: reported.map((payment, place) => ({ ...payment, amount: paid[place] ?? 0 })),
    owed: owed.map((payment, place) => ({ ...payment, amount: left[place] ?? 0 })),
  };
}

const getAccount = ({ partner, account, currency }: Omit<DatedPayment, 'day' | 'amount'>) =>
  JSON.stringify([partner, account, currency]);
const isSameDay = ({ day }: DatedPayment, { dueDay }: ArrivedPayment) => day === dueDay;

function isNear({ day }: DatedPayment, { dueDay }: ArrivedPayment): boolean {
  const days = day === null ? Number.NaN : (Date.parse(day) - Date.parse(dueDay)) / DAY_MS;
  return days >= -BEFORE_DAYS && days <= AFTER_DAYS;
}

/** A decision of a partner about commissions that were pending. */
export interface Decision {
  readonly isApproved: boolean;
  /** Days from the booking. */
  readonly age: number;
  readonly count: number;
  /** Minor units, before a reversal. */
  readonly amount: number;
}

/** With fewer decisions of a partner, nothing is said of what is pending. */
const MIN_DECISIONS = 20;
/** What waits longer than so much of the decisions took is not counted as likely. */
const LAST_SHARE = 0.95;

/** Money that a partner has not decided about. */
export interface Waiting {
  /** Days from the booking. */
  readonly age: number;
  /** Minor units. */
  readonly amount: number;
}

/**
 * What decisions of a partner in one currency say of what is pending; null below 20. What waits counts as undecided up to its age
 * (the estimator of Aalen and Johansen): a partner that never decides about a part approves less of the rest.
 */
export function learnDecisions(decisions: readonly Decision[], waiting: readonly Waiting[]) {
  const all = decisions.reduce((sum, { count }) => sum + count, 0);
  if (all < MIN_DECISIONS) return null;
  const sorted = decisions.toSorted((one, other) => one.age - other.age);
  let passed = 0;
  const last = sorted.find(({ count }) => {
    passed += count;
    return passed >= LAST_SHARE * all;
  });
  const open = waiting.toSorted((one, other) => one.age - other.age);
  const steps: (Decision & { readonly undecided: number })[] = [];
  let undecided = 0;
  for (const decision of sorted.toReversed()) {
    for (let next = open.at(-1); next !== undefined && next.age >= decision.age; next = open.at(-1)) {
      undecided += next.amount;
      open.pop();
    }
    undecided += decision.amount;
    steps.push({ ...decision, undecided });
  }
  steps.reverse();
  return {
    /** In so many days 95 % of the decisions were taken. */
    lastAge: last?.age ?? 0,
    /** The share of the money pending at an age that is approved within so many days. */
    getShare(age: number, within = Number.POSITIVE_INFINITY): number {
      let [approved, left] = [0, 1];
      for (const step of steps) {
        if (step.age < age || step.undecided <= 0) continue;
        if (step.age > age + within) break;
        const part = (left * step.amount) / step.undecided;
        if (step.isApproved) approved += part;
        left -= part;
      }
      // Many parts can sum to more than the whole by their last digit.
      return Math.min(1, approved);
    },
  };
}

/** Pending money of one age with its chance to be paid. `largest`: about what a single commission of it is worth. */
export interface LikelyPart {
  readonly amount: number;
  readonly largest: number;
  readonly share: number;
}

/** Of ten sums, eight are above the mean less so many standard deviations. */
const Z_20 = 0.8416;

/**
 * How much of pending money comes at least in 8 of 10 cases, in minor units: each commission is paid in full or not at all, and the
 * shares themselves are known from as many decisions as `known`.
 */
export function sumLikely(parts: readonly LikelyPart[], known: number): number {
  let [mean, variance, spread] = [0, 0, 0];
  for (const { amount, largest, share } of parts) {
    mean += amount * share;
    variance += amount * largest * share * (1 - share);
    spread += amount * Math.sqrt(share * (1 - share));
  }
  return Math.max(0, Math.round(mean - Z_20 * Math.sqrt(variance + spread ** 2 / Math.max(1, known))));
}
