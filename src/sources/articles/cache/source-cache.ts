import type { Clock } from '../../../core/clock.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

/** How values of one kind are loaded and cached. `undefined` is never a value; null may be one. */
export interface SourceCacheOptions<Query, Value> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly breaker: CircuitBreaker;
  /** Largest number of values in memory; the least recently used is removed first. */
  readonly max: number;
  /** Ms for which a value is fresh; a whole number above 0. */
  getFreshMs(value: Value): number;
  /** Calls the source. */
  load(query: Query): Promise<Value>;
  /** Reads the last stored copy; undefined without one. */
  recover?(query: Query): Promise<Value | undefined>;
  /** Whether a new value has lost so much that it counts only when a second call confirms it. */
  needsConfirmation?(old: Value, fresh: Value): boolean;
  /** Called with every new value. */
  onUpdate?(query: Query, value: Value): Promise<void>;
}

/** Values of one kind that a source has, by query. `undefined` is never a value; null may be one. */
export interface SourceCache<Query extends {}, Value> {
  /** Whether there is a value in memory, or a call for one in progress. */
  has(query: Query): boolean;
  /** Whether there is a value in memory. */
  hasValue(query: Query): boolean;
  /** Returns a value, possibly stale. Rejects without one when the source fails. */
  get(query: Query): Promise<Value>;
  /** Calls the source, or joins the call in progress. Rejects when it fails. */
  refresh(query: Query): Promise<Value>;
  /** Removes every value from memory. */
  clear(): void;
}

/** Ms until a value that needs confirmation is loaded again. */
export const CONFIRMATION_MS = 10_000;

export function buildKey(query: object | string): string {
  return JSON.stringify(query);
}
