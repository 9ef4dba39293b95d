import type { SiteEvent } from './site-event.ts';

export interface FeedFilter {
  /** Server time in ms since 1970, inclusive. */
  readonly since: number;
  /** Position after which to read, as an earlier page of the feed had it; from the beginning when left out. */
  readonly after?: number | undefined;
  /** How many events at most; the newest ones stay. */
  readonly limit: number;
}

export interface FeedPage {
  /** Newest first, without events that no visitor caused. */
  readonly events: readonly SiteEvent[];
  /** Position of the newest stored event; reading after it brings what happened since. */
  readonly position: number;
}

/** The port that reads what happens now, from the end, without looking at older events. */
export interface EventFeed {
  /** Rejects with `EventStoreError`. */
  readRecent(filter: FeedFilter): Promise<FeedPage>;
}
