import { createHash } from 'node:crypto';
import { DAY_MS } from '../../src/core/clock.ts';
import type { LedgerEntry } from '../../src/core/commissions/ledger/build-ledger.ts';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { type ConsoleSite, openConsoleSite } from './console-access.ts';
import { createMemoryClicks } from './memory-stores.ts';
import { openLedgerDatabase } from './node-databases.ts';
import { buildSampleEvent } from './sample-events.ts';
import { findSeedFolder, type seedLedger, seedSite } from './seed-ledger.ts';
import { type Site, startSite } from './site.ts';
import { createTestLedger, readEntries } from './test-ledger.ts';

const PAGES = ['/roi-calculator', '/gohighlevel-free-trial', '/case-studies'] as const;
const PLACES = ['hero', 'final'] as const;
const CAMPAIGNS = [{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'november' }, {}] as const;
const CLICKS = 60;

/** The same id for the same number, so that a commission can name its click. */
function buildId(number: number): string {
  const hex = createHash('sha256').update(`click ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Views and clicks of the last 20 days: every click has a page, a place, and a campaign or none. */
function buildEvents(now: number): readonly SiteEvent[] {
  return Array.from({ length: CLICKS }, (_, index) => {
    const page = PAGES[index % 10 < 6 ? 0 : index % 10 < 9 ? 1 : 2] ?? PAGES[0];
    const campaign = CAMPAIGNS[index % 2] ?? {};
    const serverTime = now - ((index % 20) + 0.5) * DAY_MS;
    const session = `session-${index}`;
    const data = { partner: 'highlevel', source: PLACES[index % 3 === 0 ? 1 : 0], entry_page: 'home' };
    return [
      buildSampleEvent({ session, page, campaign, serverTime: serverTime - 60_000, data: { referrer: '' } }),
      buildSampleEvent({
        id: buildId(index),
        name: 'affiliate_redirect',
        session,
        page,
        campaign,
        serverTime,
        data,
      }),
    ];
  }).flat();
}

/** Ten commissions with a click, one in another currency, one without a click. */
function buildReports(now: number): Parameters<typeof seedLedger>[2] {
  const report = (number: number, fields: object) => ({
    nativeId: `c-${number}`,
    token: buildId(number),
    eventTime: now - ((number % 20) + 0.4) * DAY_MS,
    changeTime: now - 0.3 * DAY_MS,
    ...fields,
  });
  return [
    ...[0, 1, 2, 3, 10].map((number) => report(number, { status: 'approved', amount: 3_880 + number })),
    ...[4, 5, 6].map((number) => report(number, { status: 'pending', amount: 9_900 })),
    report(7, { status: 'approved', amount: 2_000 }),
    report(7, { status: 'reversed', amount: 2_000, changeTime: now - 0.2 * DAY_MS }),
    report(8, { status: 'approved', amount: 5_000, currency: 'EUR' }),
    report(9, { status: 'approved', amount: 1_234, token: '' }),
  ];
}

/** A message and an assessment, so that no view is empty. */
function buildOtherEvents(now: number): readonly SiteEvent[] {
  const message = { topic: 'general', name: 'Grace', email: 'grace@example.com', message: 'Is it right?' };
  const common = { session: 'session-0', page: '/assessment', serverTime: now - 60_000 };
  return [
    buildSampleEvent({ name: 'contact_message', page: '/contact', data: message, serverTime: now - 60_000 }),
    buildSampleEvent({ ...common, name: 'page_view', data: { referrer: '' } }),
    ...[1, 2].map((value) => buildSampleEvent({ ...common, name: 'assessment_step', value })),
  ];
}

/** Starts a site with the known data and an operator. */
export async function startSeededConsole(): Promise<ConsoleSite> {
  const site = await startSite();
  // First: storing data keeps this process busy, and the server closes the connection that it would use again.
  const console = await openConsoleSite(site);
  const now = Date.now();
  // The site reads the ledger when it is there: it may appear while the site runs.
  await seedSite(site, [...buildEvents(now), ...buildOtherEvents(now)], buildReports(now));
  return console;
}

/** Reads the ledger of a site with the ledger's own functions. */
export async function readSeededEntries(site: Site): Promise<readonly LedgerEntry[]> {
  const { ledger: store } = openLedgerDatabase(findSeedFolder(site), () => undefined);
  const ledger = createTestLedger({ store, clicks: createMemoryClicks([]) });
  const entries = await readEntries(ledger);
  await store.close();
  return entries;
}
