import { beforeEach, expect, it, vi } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { createConsoleSite } from '../console.ts';
import type { ConsoleSite } from '../console-site.ts';
import type { ConsoleAlert } from './build-alerts.ts';
import { sendAlerts } from './notifications.ts';

const buildAlert = (key: string, text: string): ConsoleAlert => ({
  ...{ key, kind: key, text, detail: 'Do it.', amount: null, currency: null },
  ...{ href: '/console/settings#data', view: 'settings' },
});
const DISK = buildAlert('disk', 'The disk is full.');
const BACKUP = buildAlert('backup', 'There is no backup.');

let site: ConsoleSite;
let now = 1_000;
beforeEach(async () => {
  site = createConsoleSite(await createTestSite());
  now = 1_000;
});

function send(alerts: readonly ConsoleAlert[], holder = 'one') {
  now += 1_000;
  const clock = { ...site.clock, now: () => now };
  return sendAlerts({ ...site, clock, readAlerts: async () => alerts }, ['mail'], holder);
}

async function claimSubjects(): Promise<string[]> {
  const subjects: string[] = [];
  for (;;) {
    const delivery = await site.operators.notifications.claim(now + 1, now + 60_000);
    if (delivery === null) return subjects;
    subjects.push(delivery.notification.subject);
  }
}

it('sends an alert once while it lasts, a note when it is over, and the alert again when it returns', async () => {
  expect([
    await send([]),
    await send([DISK]),
    await send([DISK, BACKUP]),
    await send([DISK, BACKUP]),
  ]).toEqual([0, 1, 1, 0]);
  expect(await claimSubjects()).toEqual([
    'CRM & Automation Hub: The disk is full.',
    'CRM & Automation Hub: There is no backup.',
  ]);
  await send([BACKUP]);
  expect(await claimSubjects()).toEqual(['CRM & Automation Hub: Resolved: The disk is full.']);
  await send([DISK, BACKUP]);
  expect(await claimSubjects()).toEqual(['CRM & Automation Hub: The disk is full.']);
});

it('sends that a link to a partner is broken, with what depends on it', async () => {
  const url = 'https://www.gohighlevel.com/pricing?fp_ref=hlmax';
  const address = { finalHost: 'www.gohighlevel.com', finalPath: '/pricing', parameterKept: null };
  const reason = 'responds with status 404';
  await site.content.links.write({
    ...{ url, reason, state: 'broken', since: 0, checkedAt: 20_000_000, dueAt: 30_000_000 },
    ...{ misses: 3, missedSince: 0, baseline: null, evidence: null },
    result: { ...address, reason, outcome: 'failed', hops: [], offer: null },
  });
  const partner = site.content.read().partners.get('highlevel');
  const destinations = new Map([['pricing', 'https://www.gohighlevel.com/pricing']]);
  const partners = new Map(partner && [['highlevel', { ...partner, destinations }]]);
  const own = createConsoleSite({
    ...site,
    content: { ...site.content, read: () => ({ ...site.content.read(), partners }) },
  });
  await sendAlerts(own, ['mail'], 'one');
  const delivery = await site.operators.notifications.claim(Date.now() + 1, Date.now() + 60_000);
  const { subject, text } = delivery?.notification ?? {};
  expect(subject).toBe('CRM & Automation Hub: A link to GoHighLevel is broken: responds with status 404.');
  expect(text).toContain('https://www.gohighlevel.com/pricing got part of 0 clicks in the last 30 days.');
});

it('ends an alert that an earlier version has sent', async () => {
  const known = { key: 'disk', title: 'The disk is full.', detail: 'Do it.', view: 'settings', since: 5 };
  await site.operators.notifications.writeState('open-alerts', JSON.stringify({ open: [known], queue: [] }));
  expect([await send([DISK]), await send([])]).toEqual([0, 1]);
  expect(await claimSubjects()).toEqual(['CRM & Automation Hub: Resolved: The disk is full.']);
});

it('sends nothing while another process does it', async () => {
  expect(await send([DISK])).toBe(1);
  expect(await send([DISK, BACKUP], 'two')).toBe(0);
  now += 600_000;
  expect(await send([DISK, BACKUP], 'two')).toBe(1);
});

it('sends an alert once when a process ends between the outbox and its own note', async () => {
  const write = site.operators.notifications.writeState.bind(site.operators.notifications);
  vi.spyOn(site.operators.notifications, 'writeState')
    .mockImplementationOnce(write)
    .mockRejectedValueOnce(new Error('crash'));
  await expect(send([DISK])).rejects.toThrow('crash');
  await send([DISK]);
  await send([DISK]);
  expect(await claimSubjects()).toEqual(['CRM & Automation Hub: The disk is full.']);
});

it('sends an alert that was not put into the outbox with the next run', async () => {
  vi.spyOn(site.operators.notifications, 'add').mockRejectedValueOnce(new Error('the disk is full'));
  await expect(send([DISK])).rejects.toThrow('the disk is full');
  await send([]);
  expect(await claimSubjects()).toEqual([
    'CRM & Automation Hub: The disk is full.',
    'CRM & Automation Hub: Resolved: The disk is full.',
  ]);
});
