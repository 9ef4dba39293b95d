import type { SiteEvent } from './site-event.ts';

/** Which clicks to read; times are ms since 1970 on the server's clock. */
export interface ClickFilter {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly limit: number;
}

/** Clicks whose links carried the same of their visits. */
export interface ClickPath {
  /** Name of the page on which the visits began; empty when it is not known. */
  readonly entryPage: string;
  /** Names of the first pages of the visits. */
  readonly pages: readonly string[];
  /** Path of the page that carried the link. */
  readonly page: string;
  readonly partner: string;
  /** How many they are. */
  readonly clicks: number;
}

export interface ClickPathFilter extends ClickFilter {
  /** Ids of clicks that are left out; they count towards the limit. */
  readonly except: readonly string[];
}

/** Clicks by what their links carried, in no order. */
export interface ClickPaths {
  readonly paths: readonly ClickPath[];
  /** Whether the limit was reached, so that older clicks may be missing. */
  readonly isCut: boolean;
}

/** Reads the clicks on links to partners, without those that no visitor caused. */
export interface ClickReader {
  /** Newest first. Rejects with `EventStoreError`. */
  readClicks(filter: ClickFilter): Promise<readonly SiteEvent[]>;
  /** Counts the newest clicks. Rejects with `EventStoreError`. */
  readClickPaths(filter: ClickPathFilter): Promise<ClickPaths>;
}
