import type { CountFilter, EventStore } from '../../../src/core/events/event-store.ts';
import { isCounted, type SiteEvent } from '../../../src/core/events/site-event.ts';

/** The events of a filter; those that no visitor caused only if it says `all`. */
export async function* readCounted(
  reader: Pick<EventStore, 'read'>,
  filter: CountFilter,
): AsyncGenerator<SiteEvent> {
  for await (const event of reader.read(filter)) if (filter.all || isCounted(event)) yield event;
}
