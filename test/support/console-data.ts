import { createHash } from 'node:crypto';
import { openCommissionStore } from '../../src/adapters/commissions/open-commission-store.ts';
import type { LedgerEntry } from '../../src/core/commissions/build-ledger.ts';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { CommissionLedger } from '../../src/server/commissions/ledger.ts';
import { createMemoryClickSource } from './memory-click-source.ts';
import { buildSampleEvent } from './sample-events.ts';
import { seedLedger } from './seed-ledger.ts';
import type { Site } from './site.ts';

const DAY_MS = 86_400_000;

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

/** Fills the data folder of a site with the known data and starts it again. */
export async function seedConsole(site: Site): Promise<void> {
  const now = Date.now();
  await site.stop();
  await seedLedger(site.dataDir, buildEvents(now), buildReports(now));
  await site.start();
}

/** Reads the ledger of a site with the ledger's own functions. */
export async function readSeededEntries(site: Site): Promise<readonly LedgerEntry[]> {
  const store = openCommissionStore(site.dataDir, () => undefined);
  const ledger = new CommissionLedger({
    store,
    clicks: createMemoryClickSource([]),
    terms: new Map(),
    now: Date.now,
    newId: () => '',
    log: { warn: () => undefined },
  });
  const entries = await ledger.readEntries();
  await store.close();
  return entries;
}
