import type { EventCounts, RollupDimension } from './rollup.ts';

/** A part of a key that has, or has not, a value. */
export interface RollupKeyPart {
  /** Place in the key, from 0. */
  readonly index: number;
  readonly value: string;
  readonly isNot?: boolean | undefined;
}

/** Which counts to read; days are `YYYY-MM-DD` in the time zone of the store, both inclusive. */
export interface RollupFilter {
  readonly dimension: RollupDimension;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only these keys; all when left out. */
  readonly keys?: readonly (readonly string[])[] | undefined;
  /** Only keys for which all of these are true. */
  readonly parts?: readonly RollupKeyPart[] | undefined;
}

/** Counts of one day or one key. */
export interface RollupGroup extends EventCounts {
  readonly key: readonly string[];
}

export interface DailyRollupGroup extends RollupGroup {
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** Days whose clicks count by a weight; both ends inclusive. */
export interface WeightedDays {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
}

/** Counts of one key, and its clicks by the weights of their days. */
export interface WeightedRollupGroup extends RollupGroup {
  readonly weightedClicks: number;
}

/** The clicks of one key in one of several periods. */
export interface RollupClicks {
  readonly key: readonly string[];
  /** Place of the period in the list, from 0. */
  readonly period: number;
  readonly clicks: number;
}

/** Periods of days without a common day, and the keys whose clicks are read. */
export interface RollupClicksFilter extends Pick<RollupFilter, 'dimension' | 'keys'> {
  readonly periods: readonly Pick<WeightedDays, 'from' | 'to'>[];
}

export interface RollupReader {
  /** Sums the counts of each key, in the order of the keys. */
  readByKey(filter: RollupFilter): Promise<readonly RollupGroup[]>;
  /** Sums the counts of each day, in the order of the days. The key is the day. */
  readByDay(filter: RollupFilter): Promise<readonly RollupGroup[]>;
  /** The counts of each key on each day, in the order of the days, then of the keys. */
  readByDayAndKey(filter: RollupFilter): Promise<readonly DailyRollupGroup[]>;
  /** Sums the counts of each key over periods of days without a common day, in the order of the keys. */
  readWeighted(
    filter: Pick<RollupFilter, 'dimension'> & { readonly days: readonly WeightedDays[] },
  ): Promise<readonly WeightedRollupGroup[]>;
  /** Sums the clicks of each key in each period, without those that have none. */
  readClicks(filter: RollupClicksFilter): Promise<readonly RollupClicks[]>;
}

/**
 * Counts of events by day and dimension. Reads include events that are not rolled up yet. Every method rejects with
 * `EventStoreError`.
 */
export interface RollupStore extends RollupReader {
  /** Adds the next events to the counts; resolves with how many events that were, 0 when there are no more. */
  advance(): Promise<number>;
  /**
   * Begins to count all stored events again; `advance` continues. Counts of days that retention has removed events of
   * stay. Reads stay exact in between.
   */
  rebuild(): Promise<void>;
}
