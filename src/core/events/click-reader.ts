import type { SiteEvent } from './site-event.ts';

/** Which clicks to read; times are ms since 1970 on the server's clock. */
export interface ClickFilter {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limit: number;
}

/** Reads the clicks on links to partners, without those that no visitor caused. */
export interface ClickReader {
  /** Newest first. Rejects with `EventStoreError`. */
  readClicks(filter: ClickFilter): Promise<readonly SiteEvent[]>;
}
