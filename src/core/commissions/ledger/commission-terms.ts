import type { CommissionStatus, FactSource } from './commission-fact.ts';

/** The name of a network's file, without its ending. */
export type Network = string;

/** How a program chooses the days on which it pays. */
export const PAYOUT_RHYTHMS = ['monthly', 'net', 'weekly'] as const;
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** What decides in which payout a commission is: the day on which it was approved, or the one on which it arose. */
export const PAYOUT_CLOCKS = ['approval', 'booking'] as const;

/** When a program pays what it has approved. Days are those of the calendar in the program's time zone. */
export type Payout =
  /** On one day of the month (1 to 31) for the months before it. */
  | { readonly rhythm: 'month-day'; readonly day: number; readonly by: (typeof PAYOUT_CLOCKS)[number] }
  /** So many days after the end of a month. */
  | { readonly rhythm: 'net'; readonly days: number; readonly by: (typeof PAYOUT_CLOCKS)[number] }
  /** On several days of each month, ascending, for what was approved on the days before each. */
  | { readonly rhythm: 'month-days'; readonly days: readonly number[] }
  /** On a weekday, 0 for Sunday, for what was approved on the days before. */
  | { readonly rhythm: 'weekly'; readonly weekday: number };

/** When a program approves and pays, as far as the partner's file says it. */
export interface PaymentTerms {
  /** Days from the booking of a commission until it should be approved; null when it is not known. */
  readonly approvalDays: number | null;
  readonly payout: Payout | null;
  /** The least that is paid, in minor units; a smaller balance is carried over. Null: every amount is paid. */
  readonly minimum: { readonly amount: number; readonly currency: string } | null;
  /** Whether it goes on paying for the customers who are there once it ends; null when it is not known. */
  readonly afterEnd: 'pays-on' | 'stops' | null;
  /** How the money comes, for example `PayPal`; null when it is not known. */
  readonly method: string | null;
  /** Email address of the partner manager; null when it is not known. */
  readonly contact: string | null;
}

/** The terms of a program that has stated none. */
export const NO_PAYMENT_TERMS: PaymentTerms = {
  approvalDays: null,
  payout: null,
  minimum: null,
  afterEnd: null,
  method: null,
  contact: null,
};

/** How an affiliate program reports commissions, from the partner's file. */
export interface CommissionTerms {
  readonly network: Network;
  /** Name of the operator's account at the network, so that several accounts of one partner are told apart. */
  readonly account: string;
  /** The program's key at the network (company or campaign), when one account reports several; empty for any. */
  readonly program: string;
  /** ISO 4217 code of amounts that come without one; null when every message names its currency. */
  readonly currency: string | null;
  /** IANA name; the zone of times that come without an offset. */
  readonly timeZone: string;
  /** Whether one click can earn a commission every month. */
  readonly recurring: boolean;
  /** The network's words for a status, in lower case, beyond those that its mapping knows. */
  readonly statuses: Readonly<Record<string, CommissionStatus>>;
  /** The one source that counts; reports of the others are only compared with it. Null: every source counts. */
  readonly source: FactSource | null;
  /** When the program approves and pays. */
  readonly payments: PaymentTerms;
}

export const DEFAULT_TERMS: CommissionTerms = {
  network: 'generic',
  account: 'main',
  program: '',
  currency: null,
  timeZone: 'UTC',
  recurring: false,
  statuses: {},
  source: null,
  payments: NO_PAYMENT_TERMS,
};
