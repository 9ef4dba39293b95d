import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { readConsoleUrl, setUpOperator } from './console-access.ts';
import { buildSampleEvent } from './sample-events.ts';
import { seedLedger } from './seed-ledger.ts';
import { type Site, startSite } from './site.ts';

/** A site with commissions, and an operator who is signed in. */
export interface ConsoleSite {
  readonly site: Site;
  /** Clicks to `highlevel`, newest last. */
  readonly clicks: readonly SiteEvent[];
  signIn(context: BrowserContext): Promise<void>;
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
export async function startConsoleSite(
  visits: readonly (readonly SiteEvent[])[],
  buildReports: (clicks: readonly SiteEvent[]) => Parameters<typeof seedLedger>[2],
  others: readonly SiteEvent[] = [],
): Promise<ConsoleSite> {
  const site = await startSite();
  const clicks = visits.flat().filter(({ name }) => name === 'affiliate_redirect');
  await seedLedger(site.dataDir, [...visits.flat(), ...others], buildReports(clicks));
  const [name = '', value = ''] = (await setUpOperator(await readConsoleUrl(site))).split('=', 2);
  return {
    site,
    clicks,
    signIn: (context) =>
      context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: 'Strict' }]),
  };
}
