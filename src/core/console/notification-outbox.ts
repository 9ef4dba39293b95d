import type { Lease } from '../commissions/commission-store.ts';
import type { NotificationChannelName, NotificationDelivery, OperatorNotification } from './notification.ts';

/** What becomes of a delivery after an attempt. */
export type DeliveryResult =
  | { readonly state: 'sent' }
  /** Never sent again: it was refused, or too old. */
  | { readonly state: 'failed'; readonly problem: string }
  /** Never sent again: it may have arrived. */
  | { readonly state: 'unknown'; readonly problem: string }
  | { readonly state: 'waiting'; readonly problem: string; readonly dueAt: number };

/** Deliveries by state; `sending` is in progress, in this process or another. */
export type DeliveryCounts = Readonly<Record<'waiting' | 'sending' | 'sent' | 'failed' | 'unknown', number>>;

/**
 * Notifications that wait to be sent, on disk. A delivery is claimed before it is sent, and a claim that was not
 * finished in time is never sent again: each is sent at most once, whatever happens to the process. Only what is
 * repeatable (see `isRepeatable`) is sent again. The content is removed once a delivery is over; its id stays for 90
 * days. Every method rejects with `NotificationOutboxError`.
 */
export interface NotificationOutbox {
  /** Adds a delivery for each channel; resolves with how many are new. One with a known id changes nothing. */
  add(notification: OperatorNotification, channels: readonly NotificationChannelName[]): Promise<number>;
  /** Claims the delivery that is due first; null when none is. `leaseUntil` is when the claim counts as lost. */
  claim(now: number, leaseUntil: number): Promise<NotificationDelivery | null>;
  finish(delivery: NotificationDelivery, result: DeliveryResult, now: number): Promise<void>;
  /** Gives up claims that were not finished in time, and returns repeatable ones; resolves with how many it gave up. */
  giveUp(now: number): Promise<number>;
  /** Removes ids that are older than 90 days. `now` must not come from a clock that may be ahead. */
  forget(now: number): Promise<void>;
  count(): Promise<DeliveryCounts>;
  /** A value that a part of the notifications remembers. */
  readState(key: string): Promise<string | null>;
  writeState(key: string, value: string): Promise<void>;
  /** Takes or prolongs a lease until a time; false while another holder has it. */
  takeLease(name: string, lease: Lease): Promise<boolean>;
  close(): Promise<void>;
}

/** Why the outbox could not be read or written. */
export class NotificationOutboxError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(`[notifications] ${message}`, options);
    this.name = 'NotificationOutboxError';
  }
}
