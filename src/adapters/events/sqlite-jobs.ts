import type { EventFilter } from '../../core/journey/event-store.ts';
import type { EventRow } from './event-row.ts';

/** Which events to remove in one step: at most `limit`, so that appends get their turn between steps. */
export interface RemoveStep {
  readonly filter: { readonly session: string } | { readonly before: number };
  readonly limit: number;
}

/** Where to go on reading: events after `after`, up to `upTo`, at most `limit`. */
export interface PageRequest {
  readonly filter: EventFilter;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Rows in stored order with the place of the last one, to go on from. */
interface Page {
  readonly rows: readonly (readonly unknown[])[];
  readonly last: number;
}

/** Places of the first and last event that match; null when none does. */
export type Bounds = { readonly first: number; readonly last: number } | null;

/** What the two threads of the store do: one writes, one reads. Each job runs alone, in order. */
export interface Jobs {
  append: (rows: readonly EventRow[]) => Uint8Array;
  remove: (step: RemoveStep) => number;
  /** Writes one row, on disk. */
  probe: () => void;
  bounds: (filter: EventFilter) => Bounds;
  page: (request: PageRequest) => Page;
  count: (filter: EventFilter) => number;
}

/** What a thread is started with. */
export interface ThreadSettings {
  readonly role: 'write' | 'read';
  readonly file: string;
  readonly migrations: string;
  readonly lockWaitMs: number;
}
