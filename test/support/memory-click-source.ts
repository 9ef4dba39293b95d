import type { SiteEvent } from '../../src/core/events/site-event.ts';
import type { ClickSource } from '../../src/stores/clicks.ts';
import { buildSampleEvent } from './sample-events.ts';

/** The clicks and sessions of a list of events; `fail` makes every call reject. */
export function createMemoryClickSource(
  events: readonly SiteEvent[],
): ClickSource & { fail(isFailing: boolean): void } {
  let failing = false;
  const read = () => {
    if (failing) throw new Error('the events cannot be read');
    return events;
  };
  return {
    fail: (isFailing) => {
      failing = isFailing;
    },
    findClicks: async (beginnings) =>
      read().filter(
        ({ id, name }) => name === 'affiliate_redirect' && beginnings.some((text) => id.startsWith(text)),
      ),
    readSessions: async (sessions) => read().filter(({ session }) => sessions.includes(session)),
    readFirstEventTime: async () => Math.min(...read().map(({ serverTime }) => serverTime)),
  };
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
