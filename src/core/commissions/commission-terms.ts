import type { CommissionStatus, FactSource } from './commission-fact.ts';

/** Affiliate networks whose messages have a mapping of their own; `generic` is the documented postback. */
export const NETWORKS = [
  'generic',
  'firstpromoter',
  'partnerstack',
  'impact',
  'rewardful',
  'dub',
  'tolt',
  'awin',
] as const;
export type Network = (typeof NETWORKS)[number];

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
};
