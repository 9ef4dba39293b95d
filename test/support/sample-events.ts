import { randomUUID } from 'node:crypto';
import type { SiteEvent } from '../../src/core/events/site-event.ts';

/** Builds an event as a handler would, with the given fields changed. */
export function buildSampleEvent(fields: Partial<SiteEvent> = {}): SiteEvent {
  return {
    id: randomUUID(),
    name: 'page_view',
    session: 'session-1',
    page: '/blog',
    label: '',
    value: 0,
    data: {},
    campaign: {},
    clientTime: 1_763_600_000_000,
    serverTime: 1_763_600_000_100,
    flags: [],
    ...fields,
  };
}

/** Collects what a store reads. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
