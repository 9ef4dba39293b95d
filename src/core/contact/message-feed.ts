import type { SiteEvent } from '../events/site-event.ts';

/** The contact messages in the order in which they were stored. Rejects with `EventStoreError`. */
export interface MessageFeed {
  /** The position of the newest event; 0 without events. */
  readPosition(): Promise<number>;
  /** The messages after a position, and the position up to which that is complete. */
  readAfter(
    position: number,
  ): Promise<{ readonly messages: readonly SiteEvent[]; readonly position: number }>;
}
