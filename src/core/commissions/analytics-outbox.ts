import type { CommissionId } from './commission-fact.ts';

/** `purchase`: a commission has found its click. `refund`: it was taken back in full. */
export type AnalyticsEventName = 'purchase' | 'refund';

/** Something that analytics learns about a commission, once. */
export interface AnalyticsMessage extends CommissionId {
  readonly name: AnalyticsEventName;
  /** The click (UUID) whose visit consented. */
  readonly clickId: string;
  /** Minor units of `currency`, above 0. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A message that is due, claimed by the caller that got it. */
export interface ClaimedMessage extends AnalyticsMessage {
  /** How often it was tried, this time included. */
  readonly attempts: number;
}

/**
 * What became of an attempt. `sent`; `waiting`: it certainly did not arrive, try again at `retryAt` (ms since 1970);
 * `unknown`: it may have arrived and is never sent again; `failed`: given up; `withdrawn`: the click is not stored.
 */
export type AttemptOutcome =
  | { readonly state: 'sent' | 'unknown' | 'failed' | 'withdrawn' }
  | { readonly state: 'waiting'; readonly retryAt: number };

/**
 * The messages to analytics, each at most once, also when several processes send or one is killed while it sends.
 * Rejects with `CommissionStoreError`.
 */
export interface AnalyticsOutbox {
  /** Adds messages that are not known yet; the others change nothing. */
  add(messages: readonly AnalyticsMessage[], now: number): Promise<void>;
  /** Claims a message that is due; null when no message is. A claimed message is never returned again by itself. */
  claim(now: number): Promise<ClaimedMessage | null>;
  finish(message: ClaimedMessage, outcome: AttemptOutcome, now: number): Promise<void>;
  /** How many messages have each state: `waiting`, `sending` and those of `AttemptOutcome`. */
  count(): Promise<Readonly<Record<string, number>>>;
}
