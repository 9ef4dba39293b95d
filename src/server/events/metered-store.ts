import type { EventStore } from '../../core/events/event-store.ts';

/** How many events were appended since the process started. */
export interface EventCounters {
  stored: number;
  duplicates: number;
  /** Appends that the store refused; their senders try again. */
  refused: number;
}

/** Wraps a store so that appended events are counted for the metrics. */
export function createMeteredStore(store: EventStore): {
  readonly store: EventStore;
  readonly counters: Readonly<EventCounters>;
} {
  const counters: EventCounters = { stored: 0, duplicates: 0, refused: 0 };
  return {
    counters,
    store: {
      async append(events) {
        try {
          const result = await store.append(events);
          counters.stored += result.stored;
          counters.duplicates += result.duplicates;
          return result;
        } catch (error) {
          counters.refused += 1;
          throw error;
        }
      },
      read: (filter) => store.read(filter),
      count: (filter) => store.count(filter),
      readTimeRange: () => store.readTimeRange(),
      remove: (filter) => store.remove(filter),
      probe: () => store.probe(),
      close: () => store.close(),
    },
  };
}
