import { expect, it } from 'vitest';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildLedger } from '../../core/commissions/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/commission-terms.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { AlertReader, type AlertReaderOptions } from './read-alerts.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

const buildPartner = (key: string, fields: Partial<Partner> = {}): Partner => ({
  key,
  name: key.toUpperCase(),
  site: 'https://example.com/',
  affiliate: { parameter: 'ref', value: 'me' },
  subId: { parameter: 'sid', maxLength: 64, encoding: 'uuid', keepsCase: false },
  trialPath: null,
  destinations: new Map([['pricing', 'https://example.com/pricing']]),
  terms: DEFAULT_TERMS,
  ...fields,
});

const read = (options: Partial<AlertReaderOptions>) =>
  new AlertReader({
    partners: new Map([['highlevel', buildPartner('highlevel')]]),
    readEntries: async () => [],
    rollups: { readByDayAndKey: async () => [] },
    readFailedSyncs: async () => [],
    readDisk: async () => null,
    readBackup: async () => ({ last: null, firstEvent: null }),
    limits: { clicks: 300, backupDays: 7 },
    timeZone: 'UTC',
    now: () => NOW,
    ...options,
  }).readAlerts();

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

const countClicks = (clicks: Readonly<Record<string, number>>): AlertReaderOptions['rollups'] => ({
  readByDayAndKey: async () =>
    Object.entries(clicks).map(([day, count]) => ({
      key: ['highlevel'],
      day,
      views: 0,
      sessions: 0,
      actions: 0,
      clicks: count,
    })),
});

it('counts the clicks after the day of the last commission', async () => {
  const entries = buildEntries([6]);
  const titles = async (clicks: Readonly<Record<string, number>>) =>
    (await read({ readEntries: async () => entries, rollups: countClicks(clicks) })).map(
      ({ title }) => title,
    );
  expect(await titles({ '2026-11-14': 900, '2026-11-15': 300 })).toEqual([]);
  expect(await titles({ '2026-11-14': 900, '2026-11-15': 300, '2026-11-20': 1 })).toEqual([
    '301 clicks to HIGHLEVEL without a commission.',
  ]);
});

it('finds a network that has become silent', async () => {
  const entries = buildEntries(Array.from({ length: 30 }, (_, index) => 5 + index));
  const alerts = await read({ readEntries: async () => entries });
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
  const alerts = await read({ partners, rollups: countClicks({ '2026-11-20': 1 }) });
  expect(alerts.map(({ key }) => key)).toEqual(['no-sub-id:highlevel']);
});

it('passes on what the disk, the networks and the backups say', async () => {
  const alerts = await read({
    readFailedSyncs: async () => [{ network: 'impact', problem: 'The token was refused.' }],
    readDisk: async () => ({ freeMb: 1, minFreeMb: 256 }),
    readBackup: async () => ({ last: NOW - 30 * DAY_MS, firstEvent: null }),
  });
  expect(alerts.map(({ key }) => key)).toEqual(['sync:impact', 'disk', 'backup']);
});
