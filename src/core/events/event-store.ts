import type { EventName } from './event-definitions.ts';
import type { SiteEvent } from './site-event.ts';

/** The result of an append: `stored` events are new, `duplicates` have an id that is stored already. */
export interface AppendResult {
  readonly stored: number;
  readonly duplicates: number;
  /** Duplicates whose content, other than times and flags, differs from the stored event. The stored one stays. */
  readonly conflicts: number;
}

/** Which events to read. Times are ms since 1970 on the server's clock. */
export interface EventFilter {
  /** Inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
  readonly names?: readonly EventName[] | undefined;
  readonly session?: string | undefined;
}

export interface CountFilter extends EventFilter {
  /** Also count events with a flag in `UNCOUNTED_FLAGS`, such as bots, prefetches and duplicates. */
  readonly all?: boolean | undefined;
}

/** The first and the last server time of stored events. */
export interface TimeRange {
  readonly oldest: number;
  readonly newest: number;
}

/** The port that stores events. Every adapter passes the contract suite `test/contract/event-store.ts`. */
export interface EventStore {
  /** Resolves only when every event is on disk. Idempotent by event id. Rejects with `EventStoreError`. */
  append(events: readonly SiteEvent[]): Promise<AppendResult>;
  /** Events in the order in which they were stored. */
  read(filter: EventFilter): AsyncIterable<SiteEvent>;
  /** Counts events; those with a flag in `UNCOUNTED_FLAGS` only if the filter says `all`. */
  count(filter: CountFilter): Promise<number>;
  /** Server times of the oldest and the newest event, in ms since 1970; null in an empty store. */
  readTimeRange(): Promise<TimeRange | null>;
  /** Removes the events of a session, or those older than a time; resolves with their number. */
  remove(filter: { readonly session: string } | { readonly before: number }): Promise<number>;
  /** Checks whether an append would be stored now. Null: yes; else the reason. */
  probe(): Promise<string | null>;
  /** Finishes the appends that were accepted and closes the store. Later calls reject with code `closed`. */
  close(): Promise<void>;
}

/**
 * `unavailable`: full, locked, read-only or damaged; try again later. `invalid`: the database refuses the events
 * themselves; trying again cannot help. `closed`: the store was closed.
 */
export type EventStoreErrorCode = 'unavailable' | 'invalid' | 'closed';

export class EventStoreError extends Error {
  readonly code: EventStoreErrorCode;
  constructor(code: EventStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EventStoreError';
    this.code = code;
  }
}
