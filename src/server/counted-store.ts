import type { EventStore } from '../core/journey/event-store.ts';

/** What became of events since the process started. */
export interface EventTally {
  stored: number;
  duplicates: number;
  /** Appends that the store could not take; their senders try again. */
  refused: number;
}

/** Wraps a store so that what becomes of events is counted for the metrics. */
export function createCountedStore(store: EventStore): {
  readonly store: EventStore;
  readonly tally: Readonly<EventTally>;
} {
  const tally: EventTally = { stored: 0, duplicates: 0, refused: 0 };
  return {
    tally,
    store: {
      ...store,
      async append(events) {
        try {
          const result = await store.append(events);
          tally.stored += result.stored;
          tally.duplicates += result.duplicates;
          return result;
        } catch (error) {
          tally.refused += 1;
          throw error;
        }
      },
    },
  };
}
