import { randomUUID } from 'node:crypto';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { type ConsoleSite, openConsoleSite } from './console-access.ts';
import { buildSampleEvent } from './sample-events.ts';
import { type seedLedger, seedSite } from './seed-ledger.ts';
import { startSite } from './site.ts';

/** A site with commissions, and an operator who is signed in. */
export interface WorkSite extends ConsoleSite {
  /** Clicks to `highlevel`, newest last. */
  readonly clicks: readonly SiteEvent[];
}

const HOUR_MS = 3_600_000;

/** Builds a visit that ends in a click, some hours ago. */
export function buildClickVisit(hoursAgo: number, change: Partial<SiteEvent> = {}): readonly SiteEvent[] {
  const session = randomUUID();
  const serverTime = Date.now() - hoursAgo * HOUR_MS;
  const campaign = { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'november' };
  const common = { session, page: '/roi-calculator', campaign, ...change };
  return [
    buildSampleEvent({ ...common, name: 'page_view', data: { referrer: 'direct' }, serverTime }),
    buildSampleEvent({
      ...common,
      name: 'affiliate_redirect',
      data: {
        partner: 'highlevel',
        destination: 'trial',
        source: 'hero',
        entry_page: 'roi_calculator',
        ...change.data,
      },
      serverTime: serverTime + 1_000,
    }),
  ];
}

/** Starts a site, stores events and what a network reports of them, and creates the first operator. */
export async function startWorkSite(
  visits: readonly (readonly SiteEvent[])[],
  buildReports: (clicks: readonly SiteEvent[]) => Parameters<typeof seedLedger>[2],
  others: readonly SiteEvent[] = [],
): Promise<WorkSite> {
  const site = await startSite();
  // First: storing data keeps this process busy, and the server closes the connection that it would use again.
  const console = await openConsoleSite(site);
  const clicks = visits.flat().filter(({ name }) => name === 'affiliate_redirect');
  await seedSite(site, [...visits.flat(), ...others], buildReports(clicks));
  return { ...console, clicks };
}
