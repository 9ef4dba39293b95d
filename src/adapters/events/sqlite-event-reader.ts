import type { EventFilter, EventStore } from '../../core/journey/event-store.ts';
import type { SiteEvent } from '../../core/journey/site-event.ts';
import { parseEventRow } from './event-row.ts';
import { createThreadLink, type ThreadLink } from './sqlite-link.ts';

const ROWS_PER_PAGE = 500;

/** Creates the reading half of the store: it needs neither a writable disk nor a free lock, and changes nothing. */
export function createSqliteEventReader(
  file: string,
  report: (message: string) => void,
): Pick<EventStore, 'read' | 'count' | 'close'> {
  const link = createThreadLink({ role: 'read', file, migrations: '', lockWaitMs: 1_000 }, report);
  return {
    read: (filter) => readPages(link, filter),
    count: (filter) => link.run('count', filter),
    close: () => link.close(),
  };
}

async function* readPages(link: ThreadLink, filter: EventFilter): AsyncGenerator<SiteEvent> {
  const bounds = await link.run('bounds', filter);
  if (!bounds) return;
  for (let after = bounds.first - 1; after < bounds.last; ) {
    const page = await link.run('page', { filter, after, upTo: bounds.last, limit: ROWS_PER_PAGE });
    for (const row of page.rows) yield parseEventRow(row);
    after = page.last;
  }
}
