import { beforeEach, expect, it, vi } from 'vitest';
import { buildPartner, createTestConsole, storeEntries } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { buildSampleFact } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import { buildLedger } from '../../core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { buildSyncLogKey } from '../../server/commissions/sync-networks.ts';
import { createAlertReader } from './read-alerts.ts';

beforeEach(() => void vi.stubEnv('FIRSTPROMOTER_TOKEN', 'token'));

const NOW = Date.UTC(2026, 10, 20, 12);

/** Creates a site with one partner. */
function createSite({
  partners = new Map([['highlevel', buildPartner('highlevel')]]),
  ...members
}: Parameters<typeof createTestConsole>[0] & { readonly partners?: ReadonlyMap<string, Partner> }) {
  return createTestConsole({
    now: () => NOW,
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

it('names the money of a task that is in other currencies than its amount', async () => {
  const own = (currency: string, index: number) =>
    buildEntries(Array.from({ length: 30 }, (_, day) => 40 + day)).map((entry) => ({
      ...entry,
      facts: entry.facts.map((fact) => ({
        ...fact,
        nativeId: `${fact.nativeId}-${currency}`,
        currency,
        status: 'pending' as const,
        sequence: fact.sequence + 100 * index,
      })),
    }));
  const read = async (...currencies: readonly string[]) => {
    const site = await createSite({});
    await storeEntries(site.money.ledger, currencies.flatMap(own));
    return (await site.readAlerts()).find(({ kind }) => kind === 'silent') ?? expect.fail();
  };
  const [alone, both] = [await read('USD'), await read('USD', 'JPY', 'EUR')];
  expect(alone.detail).not.toContain('without');
  expect(both.detail).toMatch(/The amount is without .*(¥.*€|€.*¥|\$)/);
  expect(both.amount).toBeGreaterThan(0);
});

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

it.each([
  ['amazon', [], false],
  ['amazon', ['/a'], false],
  ['ebay', ['/a'], false],
  ['ebay', [], true],
  ['booking', [], true],
  ['awin', [], true],
  ['generic', [], true],
  ['own', [], true],
])(
  'links without a click id to %s, whose labels are of the pages %j, are a task: %s',
  async (network, pages, isTask) => {
    const uses = [{ id: 'me-21', since: '2026-01-01', pages, name: '', placement: '' }];
    const labels = { parameter: 'tag', pool: [], uses, usualDays: 3, longestDays: 90 };
    const fields = { subId: null, labels, terms: { ...DEFAULT_TERMS, network } };
    const partners = new Map([['highlevel', buildPartner('highlevel', fields)]]);
    const alerts = await readAlerts({ partners, rollups: countClicks({ '2026-11-20': 1 }) });
    expect(alerts.map(({ key }) => key)).toEqual(isTask ? ['no-sub-id:highlevel'] : []);
  },
);

it.each([
  ['awin', 'Set subId in content/partners/highlevel.yaml to clickref.'],
  ['impact', 'Set subId in content/partners/highlevel.yaml to subId1.'],
  ['ebay', 'Set subId in content/partners/highlevel.yaml to customid.'],
  ['tolt', 'Set subId in content/partners/highlevel.yaml to the parameter that the program reports.'],
  ['partnerize', 'Partnerize takes the click in the path of a link, which links of this site cannot carry.'],
])('says what %s takes where links carry no click', async (network, advice) => {
  const fields = { subId: null, terms: { ...DEFAULT_TERMS, network } };
  const partners = new Map([['highlevel', buildPartner('highlevel', fields)]]);
  const alerts = await readAlerts({ partners, rollups: countClicks({ '2026-11-20': 1 }) });
  expect(alerts.map(({ detail }) => detail)).toEqual([`Its commissions cannot be matched. ${advice}`]);
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

const fail = (message: string) => async () => {
  throw new Error(message);
};

it('computes each alert by itself: what fails is an alert, and hides no other', async () => {
  const site = await createSite({
    platform: {
      readDisk: async () => ({ freeMb: 1, minFreeMb: 256 }),
      readLastBackup: () => NOW - 30 * DAY_MS,
    },
  });
  const parts: readonly [subject: string, kinds: readonly string[], broken: typeof site][] = [
    [
      'unread messages',
      ['unread'],
      {
        ...site,
        money: {
          ...site.money,
          ledger: Object.assign(Object.create(site.money.ledger), { countUnread: fail('no') }),
        },
      },
    ],
    ['the disk', ['disk'], { ...site, platform: { ...site.platform, readDisk: fail('no') } }],
    [
      'the content',
      ['content'],
      {
        ...site,
        content: {
          ...site.content,
          readWarnings: () => {
            throw new Error('no');
          },
        },
      },
    ],
    [
      'missing articles',
      ['held-deletions'],
      {
        ...site,
        content: {
          ...site.content,
          articles: {
            ...site.content.articles,
            getHeldDeletions: () => {
              throw new Error('no');
            },
          },
        },
      },
    ],
  ];
  for (const [subject, hides, broken] of parts) {
    const alerts = await createAlertReader(broken).readAlerts();
    expect(
      alerts.map(({ key }) => key),
      subject,
    ).toContain('backup');
    expect(
      alerts.find(({ key }) => key === `uncomputed:${subject}`),
      subject,
    ).toMatchObject({
      text: `The alerts about ${subject} cannot be computed.`,
      detail: 'The reason: no',
      hides,
    });
  }
});

it('an unusable ledger is one alert, which says what cannot be computed meanwhile', async () => {
  const site = await createSite({});
  const money = {
    ...site.money,
    ledger: Object.assign(Object.create(site.money.ledger), {
      countUnread: fail('gone'),
      readState: fail('gone'),
    }),
    commissions: Object.assign(Object.create(site.money.commissions), {
      table: { readCohorts: fail('gone'), readDays: fail('gone'), readActivity: fail('gone') },
    }),
  };
  const problem = {
    key: 'commissions',
    title: 'The ledger of commissions cannot be used',
    detail: 'It is gone.',
  };
  const dataHealth = Object.assign(Object.create(site.dataHealth), { read: async () => [problem] });
  const alerts = await createAlertReader({ ...site, money, dataHealth }).readAlerts();
  expect(alerts.filter(({ hides }) => hides !== undefined).map(({ key }) => key)).toEqual([
    'data:commissions',
  ]);
  expect(alerts[0]).toMatchObject({
    text: 'The ledger of commissions cannot be used.',
    detail:
      'It is gone.\nUntil then, no alerts can be computed about: unread messages, partners, links, readings of networks.',
    isDaily: true,
    hides: ['unread', 'silent', 'no-leads', 'no-sub-id', 'link', 'sync'],
  });
});

it('events that cannot be stored are an alert, unless the disk is full, which is one already', async () => {
  const read = async (freeMb: number) => {
    const site = await createSite({ platform: { readDisk: async () => ({ freeMb, minFreeMb: 256 }) } });
    const events = { ...site.visitors.events, probe: async () => 'the file is locked' };
    const alerts = await createAlertReader({ ...site, visitors: { ...site.visitors, events } }).readAlerts();
    return alerts.map(({ key }) => key).filter((key) => key !== 'backup');
  };
  expect(await read(100_000)).toEqual(['data:events']);
  expect(await read(255)).toEqual(['disk']);
});

it('what is not shown as it is written is an alert for each kind, with the first lines', async () => {
  const left = Array.from(
    { length: 9 },
    (_, index) => `content: content/pages/${index}.yaml is left out until it is corrected: x`,
  );
  const lines = [...left, 'content: an edit is not shown: y', 'articles: the copies are in memory only'];
  const alerts = await readAlerts({ readWarnings: () => lines });
  expect(alerts.map(({ key, level, isDaily }) => [key, level, isDaily])).toEqual([
    ['content:left-out', 9, true],
    ['content:articles', 1, true],
    ['content:frozen', 1, true],
  ]);
  expect(alerts[0]?.text).toBe('9 things are left out of the site.');
  expect(alerts[0]?.detail).toContain('content/pages/7.yaml');
  expect(alerts[0]?.detail).toContain('… and 1 more');
});
