import {
  type AppendResult,
  type EventFilter,
  type EventStore,
  EventStoreError,
} from '../../src/core/events/event-store.ts';
import { isCounted, type SiteEvent } from '../../src/core/events/site-event.ts';
import { buildEventValues, isSameFact } from '../../src/stores/events.ts';

/** Creates a store that lives as long as the process. */
export function createMemoryEventStore(): EventStore {
  const events = new Map<string, SiteEvent>();
  let isClosed = false;

  const check = () => {
    if (isClosed) throw new EventStoreError('closed', '[events:memory] the store is closed');
  };

  return {
    async append(batch) {
      check();
      const result = { stored: 0, duplicates: 0, conflicts: 0 };
      for (const event of batch) add(events, event, result);
      return result;
    },
    async *read(filter) {
      check();
      for (const event of [...events.values()]) if (isMatch(event, filter)) yield event;
    },
    async count(filter) {
      check();
      const found = [...events.values()].filter((event) => isMatch(event, filter));
      return filter.all ? found.length : found.filter(isCounted).length;
    },
    async readTimeRange() {
      check();
      const times = [...events.values()].map(({ serverTime }) => serverTime);
      return times.length === 0 ? null : { oldest: Math.min(...times), newest: Math.max(...times) };
    },
    async remove(filter) {
      check();
      const gone = [...events.values()].filter((event) =>
        'session' in filter ? isOfSession(event, filter.session) : event.serverTime < filter.before,
      );
      for (const event of gone) events.delete(event.id);
      return gone.length;
    },
    async probe() {
      return isClosed ? 'The store is closed.' : null;
    },
    async close() {
      isClosed = true;
    },
  };
}

function add(
  events: Map<string, SiteEvent>,
  event: SiteEvent,
  result: { -readonly [K in keyof AppendResult]: number },
): void {
  const known = events.get(event.id);
  if (!known) {
    events.set(event.id, structuredClone(event));
    result.stored++;
    return;
  }
  result.duplicates++;
  if (!isSameFact(buildEventValues(known), buildEventValues(event))) result.conflicts++;
}

function isMatch(event: SiteEvent, filter: EventFilter): boolean {
  return (
    (filter.from === undefined || event.serverTime >= filter.from) &&
    (filter.to === undefined || event.serverTime < filter.to) &&
    (filter.names === undefined || filter.names.includes(event.name)) &&
    (filter.session === undefined || isOfSession(event, filter.session))
  );
}

/** No filter by session finds events without a session. */
function isOfSession(event: SiteEvent, session: string): boolean {
  return session !== '' && event.session === session;
}
