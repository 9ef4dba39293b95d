import type { SiteEvent } from './site-event.ts';

/** Which clicks to read; times are ms since 1970 on the server's clock. */
export interface ClickFilter {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limit: number;
}

/** What the link of a click carried of its visit. */
export interface ClickPath {
  readonly clickId: string;
  /** Name of the page on which the visit began; empty when it is not known. */
  readonly entryPage: string;
  /** Names of the first pages of the visit. */
  readonly pages: readonly string[];
  /** Path of the page that carried the link. */
  readonly page: string;
  readonly partner: string;
}

/** Reads the clicks on links to partners, without those that no visitor caused. */
export interface ClickReader {
  /** Newest first. Rejects with `EventStoreError`. */
  readClicks(filter: ClickFilter): Promise<readonly SiteEvent[]>;
  /** Newest first, many at a time. Rejects with `EventStoreError`. */
  readClickPaths(filter: ClickFilter): AsyncIterable<readonly ClickPath[]>;
}
