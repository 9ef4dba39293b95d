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

/** Builds a click with the session that led to it: two campaigns, three pages, an assessment. */
export function buildSampleVisit(clickId: string): readonly SiteEvent[] {
  const session = `session-${clickId}`;
  const at = 1_763_500_000_000;
  const ads = { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'crm' };
  const view = (page: string, serverTime: number, campaign: Record<string, string>) =>
    buildSampleEvent({ session, page, serverTime, campaign });
  return [
    view('/blog', at, { utm_source: 'newsletter' }),
    view('/assessment', at + 1_000, ads),
    view('/pricing', at + 2_000, ads),
    buildSampleEvent({
      id: clickId,
      name: 'affiliate_redirect',
      session,
      page: '/pricing',
      label: 'highlevel_trial',
      campaign: ads,
      serverTime: at + 3_000,
      data: { partner: 'highlevel', destination: 'trial', source: 'hero', assessment_type: 'agency' },
    }),
  ];
}
