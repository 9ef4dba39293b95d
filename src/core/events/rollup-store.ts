import type { EventCounts, RollupDimension } from './rollup.ts';

/** Which counts to read; days are `YYYY-MM-DD` in the time zone of the store, both inclusive. */
export interface RollupFilter {
  readonly dimension: RollupDimension;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Counts of one day or one key. */
export interface RollupGroup extends EventCounts {
  readonly key: readonly string[];
}

/**
 * Counts of events by day and dimension. Reads include events that are not rolled up yet. Every method rejects with
 * `EventStoreError`.
 */
export interface RollupStore {
  /** Adds the next events to the counts; resolves with how many events that were, 0 when there are no more. */
  advance(): Promise<number>;
  /**
   * Begins to count all stored events again; `advance` continues. Counts of days that retention has removed events of
   * stay. Reads stay exact in between.
   */
  rebuild(): Promise<void>;
  /** Sums the counts of each key, in the order of the keys. */
  readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]>;
  /** Sums the counts of each day, in the order of the days. The key is the day. */
  readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]>;
}
