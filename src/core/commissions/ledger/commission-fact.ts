/** What a commission is for. An `adjustment` corrects another one and may be negative; a `bonus` has no click. */
export const COMMISSION_KINDS = ['lead', 'sale', 'recurring', 'bonus', 'adjustment'] as const;
export type CommissionKind = (typeof COMMISSION_KINDS)[number];

/** The network's word, mapped. A word that the partner's status map does not know becomes `unknown` and is shown. */
export const COMMISSION_STATUSES = ['pending', 'approved', 'paid', 'reversed', 'unknown'] as const;
export type CommissionStatus = (typeof COMMISSION_STATUSES)[number];

/** What an operator can say that a word of a status means. */
export const ANSWERED_STATUSES = ['pending', 'approved', 'paid', 'reversed'] as const;

/** The way in which a fact arrived. */
export const FACT_SOURCES = ['postback', 'webhook', 'api', 'csv', 'manual'] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** What a message about a known commission may leave out: what was known before stays. */
export const UNSTATED_FIELDS = ['amount', 'currency'] as const;
export type UnstatedField = (typeof UNSTATED_FIELDS)[number];

/** What identifies a commission. */
export interface CommissionId {
  /** Key of the partner's file. */
  readonly partner: string;
  /** The operator's account at the network; one partner can have several. */
  readonly account: string;
  /** The network's own id of the commission, unique within partner and account. */
  readonly nativeId: string;
}

/** Builds one text from the three parts of the identity, for use as a key. */
export function buildCommissionKey({ partner, account, nativeId }: CommissionId): string {
  return JSON.stringify([partner, account, nativeId]);
}

/** An id of the network that the site has given to pages, and what was bought by it. */
export interface FactLabel {
  readonly id: string;
  /** The network's id of the product; empty when it does not say it, as the name. */
  readonly item: string;
  readonly name: string;
  /** How many were sold or ordered; 0 for a return. */
  readonly items: number;
}

/**
 * One thing that a network reported about one commission, as it was at `changeTime`. Facts are appended and never
 * changed: a later report of the same commission is another fact, and `foldCommission` decides which one applies.
 */
export interface CommissionFact extends CommissionId {
  readonly kind: CommissionKind;
  readonly status: CommissionStatus;
  /** The commission itself in minor units of `currency` (cents); negative for corrections. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** What the customer paid, in minor units of `currency`; null when the network does not report it. */
  readonly saleAmount: number | null;
  /** What the field for the click held, at most 64 characters; empty when the message had none. */
  readonly token: string;
  /** The known click (UUID) that the message names, found by value; null when no string of it names one. */
  readonly clickId: string | null;
  /** When the network recorded the click; ms since 1970, null when it is not reported. */
  readonly clickTime: number | null;
  /** When the commission arose; ms since 1970. */
  readonly eventTime: number;
  /** When the network last changed it; ms since 1970; the arrival when the message does not say it. */
  readonly changeTime: number;
  /** What the message did not say and a default stands for; left out when it said both. */
  readonly unstated?: readonly UnstatedField[] | undefined;
  /** The amount as it was written, where `currency` was not and has too few digits for it. */
  readonly amountText?: string | undefined;
  /** Left out when the network names no such id. */
  readonly label?: FactLabel | undefined;
  readonly source: FactSource;
  /** Whether the network's test button sent it; it changes no total unless an operator assigns it to a click. */
  readonly isTest: boolean;
  /** Id of the stored raw message; null when none was stored. */
  readonly rawId: string | null;
  /** Id of the CSV import that brought it, so that the import can be undone; null for every other source. */
  readonly importId: string | null;
}

/** What a message, row or API record says about one commission. A mapping builds it; the ledger adds the rest. */
export interface ReportedFact extends Omit<CommissionFact, keyof FactArrival | 'eventTime' | 'changeTime'> {
  /** Null when the message does not say it. */
  readonly eventTime: number | null;
  /** Null when the message does not say it. */
  readonly changeTime: number | null;
}

/** A fact that is ready to be stored. */
export interface NewFact extends CommissionFact {
  /** Identifies a repeated message: equal for two facts of one commission that report the same. */
  readonly content: string;
  /** Whether the message says when the network changed the commission, so that its place is known without its arrival. */
  readonly isDated: boolean;
  /** ms since 1970. */
  readonly arrivedAt: number;
}

/** How a reported fact arrived. */
export type FactArrival = Pick<
  NewFact,
  'partner' | 'account' | 'source' | 'clickId' | 'rawId' | 'importId' | 'arrivedAt'
>;

/** A time further ahead of the arrival is a fault of the sender. */
const MAX_AHEAD_MS = 366 * 86_400_000;

/**
 * Builds a fact from what was reported. The content leaves out what describes the arrival alone, so that a repeated
 * message is recognized; facts of an import are its own, so that undoing it takes nothing from other sources.
 */
export function buildFact(reported: ReportedFact, arrival: FactArrival): NewFact {
  const { kind, status, amount, currency, saleAmount, token, clickTime, eventTime, changeTime, isTest } =
    reported;
  const { unstated = [], amountText, label } = reported;
  const content = JSON.stringify([
    [kind, status, amount, currency, saleAmount, token, clickTime, eventTime, changeTime, isTest],
    arrival.importId,
    // Left out when it is empty: facts of earlier programs have the same content.
    ...(unstated.length === 0 ? [] : [unstated]),
    ...(amountText === undefined ? [] : [amountText]),
    ...(label === undefined ? [] : [{ label }]),
  ]);
  const limit = (time: number | null) =>
    time === null || time > arrival.arrivedAt + MAX_AHEAD_MS ? arrival.arrivedAt : time;
  return {
    ...reported,
    ...arrival,
    eventTime: limit(eventTime ?? changeTime),
    changeTime: limit(changeTime),
    content,
    isDated: changeTime !== null && changeTime <= arrival.arrivedAt,
  };
}

/** A fact as it is stored: with its position in the order of arrival. */
export interface StoredFact extends CommissionFact {
  /** Grows by arrival; unique. */
  readonly sequence: number;
  /** ms since 1970. */
  readonly arrivedAt: number;
}
