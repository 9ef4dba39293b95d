import type { EventName, SiteEvent } from './site-event.ts';

/** What became of a batch: `stored` are new, `duplicates` had an id that was there already (same content or other). */
export interface AppendResult {
  readonly stored: number;
  readonly duplicates: number;
  /** Duplicates that state another fact than the stored event (times and flags aside); the first one stays. */
  readonly conflicts: number;
}

/** Which events to read; all bounds optional, times in ms since 1970 on the server's clock. */
export interface EventFilter {
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
  readonly names?: readonly EventName[] | undefined;
  readonly session?: string | undefined;
}

/** Where events live. One contract suite (`test/contract/event-store.ts`) holds every adapter to this. */
export interface EventStore {
  /** Resolves only when every event is on disk. Idempotent by event id. Rejects with `EventStoreError`. */
  append(events: readonly SiteEvent[]): Promise<AppendResult>;
  /** Events in the order in which they were stored. */
  read(filter: EventFilter): AsyncIterable<SiteEvent>;
  count(filter: EventFilter): Promise<number>;
  /** Removes a visitor's events, or those older than a time; resolves with how many. */
  remove(filter: { readonly session: string } | { readonly before: number }): Promise<number>;
  /** Whether an append would be stored now; null when it would, else the reason. */
  probe(): Promise<string | null>;
  /** Flushes and closes. Appends after it reject with code `closed`. */
  close(): Promise<void>;
}

/** `unavailable`: full, locked, read-only, broken; try again later. `closed`: shutting down. */
export type EventStoreErrorCode = 'unavailable' | 'closed';

export class EventStoreError extends Error {
  readonly code: EventStoreErrorCode;
  constructor(code: EventStoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EventStoreError';
    this.code = code;
  }
}
