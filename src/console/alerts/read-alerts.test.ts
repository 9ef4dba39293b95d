import { expect, it, vi } from 'vitest';
import { buildLedger } from '../../../test/support/build-ledger.ts';
import { buildPartner, createTestConsole } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildSyncLogKey } from '../../core/commissions/ledger/sync-log.schema.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { createAlertReader } from './read-alerts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

/** Creates a site with one partner. */
function createSite({
  partners = new Map([['highlevel', buildPartner('highlevel')]]),
  ...members
}: Parameters<typeof createTestConsole>[0] & { readonly partners?: ReadonlyMap<string, Partner> }) {
  return createTestConsole({
    now: () => NOW,
    settings: { FIRSTPROMOTER_TOKEN: 'token', FIRSTPROMOTER_ACCOUNT_ID: 'account', ALERT_CLICKS: '300' },
    content: { partners: new Map(partners) },
    ...members,
  });
}

const readAlerts = async (members: Parameters<typeof createSite>[0]) =>
  (await createSite(members)).readAlerts();

const buildEntries = (days: readonly number[]) =>
  buildLedger({
    facts: days.map((day, index) => {
      const time = NOW - day * DAY_MS;
      const fact = buildSampleFact(
        { nativeId: `c${index}`, kind: 'sale', eventTime: time },
        { arrivedAt: time },
      );
      return { ...fact, sequence: index };
    }),
    decisions: [],
    journeys: [],
    terms: new Map(),
    firstEventTime: null,
  });

const countClicks = (clicks: Readonly<Record<string, number>>) =>
  createMemoryRollups(
    Object.entries(clicks).map(([day, count]) => ({
      dimension: 'partner',
      key: ['highlevel'],
      day,
      views: 0,
      sessions: 0,
      actions: 0,
      clicks: count,
    })),
  );

it('counts the clicks after the day of the last commission', async () => {
  const entries = buildEntries([6]);
  const titles = async (clicks: Readonly<Record<string, number>>) =>
    (await readAlerts({ entries, rollups: countClicks(clicks) })).map(({ text }) => text);
  expect(await titles({ '2026-11-14': 900, '2026-11-15': 300 })).toEqual([]);
  expect(await titles({ '2026-11-14': 900, '2026-11-15': 300, '2026-11-20': 1 })).toEqual([
    '301 clicks to HIGHLEVEL without a commission.',
  ]);
});

it('finds a network that has become silent', async () => {
  const entries = buildEntries(Array.from({ length: 30 }, (_, index) => 5 + index));
  const alerts = await readAlerts({ entries });
  expect(alerts.map(({ key }) => key)).toEqual(['silent:highlevel']);
});

it.each([
  ['without a parameter for it', { subId: null }],
  [
    'that is cut off',
    { subId: { parameter: 'sid', maxLength: 20, encoding: 'uuid', keepsCase: false } as const },
  ],
])('finds links with a click id %s', async (_, fields) => {
  const partners = new Map([['highlevel', buildPartner('highlevel', fields)]]);
  const alerts = await readAlerts({ partners, rollups: countClicks({ '2026-11-20': 1 }) });
  expect(alerts.map(({ key }) => key)).toEqual(['no-sub-id:highlevel']);
});

it('passes on what the disk, the networks and the backups say', async () => {
  const site = await createSite({
    platform: {
      readDisk: async () => ({ freeMb: 1, minFreeMb: 256 }),
      readLastBackup: () => NOW - 30 * DAY_MS,
    },
  });
  const log = { at: NOW, state: 'failed', stored: 0, matched: 0, problem: 'The token was refused.' };
  await site.money.ledger.writeState(buildSyncLogKey('firstpromoter'), JSON.stringify(log));
  expect((await site.readAlerts()).map(({ key }) => key)).toEqual(['sync:firstpromoter', 'disk', 'backup']);
});

it('sees one state of the content, whatever is edited meanwhile', async () => {
  const site = await createSite({});
  const read = vi.fn(site.content.read);
  await createAlertReader({ ...site, content: { ...site.content, read } }).readAlerts();
  expect(read).toHaveBeenCalledOnce();
});
