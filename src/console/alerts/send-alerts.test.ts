import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { NotificationOutboxError } from '../../stores/outboxes.ts';
import { createConsoleSite } from '../console.ts';
import type { ConsoleSite } from '../console-site.ts';
import type { ConsoleAlert } from './build-alerts.ts';
import { createNotificationJobs, sendAlerts } from './notifications.ts';

const buildAlert = (key: string, text: string): ConsoleAlert => ({
  key,
  kind: key,
  text,
  detail: 'Do it.',
  amount: null,
  currency: null,
  href: '/console/settings#data',
  view: 'settings',
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
    url,
    reason,
    state: 'broken',
    since: 0,
    checkedAt: 20_000_000,
    dueAt: 30_000_000,
    misses: 3,
    missedSince: 0,
    baseline: null,
    evidence: null,
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
  expect(text).toContain(
    'No link to this partner was clicked, so https://www.gohighlevel.com/pricing lost no reader in the last 30 days.',
  );
});

it('ends an alert that an earlier version has sent', async () => {
  const known = { key: 'disk', title: 'The disk is full.', detail: 'Do it.', view: 'settings', since: 5 };
  await site.operators.notifications.writeState('open-alerts', JSON.stringify({ open: [known], queue: [] }));
  expect([await send([DISK]), await send([])]).toEqual([0, 1]);
  expect(await claimSubjects()).toEqual(['CRM & Automation Hub: Resolved: The disk is full.']);
});

it('sends nothing while another process does it', async () => {
  expect(await send([DISK])).toBe(1);
  expect(await send([DISK, BACKUP], 'two')).toBeNull();
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

const DAILY = {
  ...DISK,
  key: 'data:commissions',
  kind: 'data',
  text: 'The ledger cannot be used.',
  isDaily: true,
  level: 1,
};
const HOUR_MS = 3_600_000;

it('tells again each day, and at once when it gets worse, what lasts until a person acts', async () => {
  await send([DAILY, DISK]);
  await claimSubjects();
  now += 23 * HOUR_MS;
  expect(await send([DAILY, DISK])).toBe(0);
  now += HOUR_MS;
  expect(await send([DAILY, DISK])).toBe(1);
  expect(await claimSubjects()).toEqual(['CRM & Automation Hub: The ledger cannot be used.']);
  expect(await send([{ ...DAILY, level: 2 }, DISK])).toBe(1);
  expect([await send([{ ...DAILY, level: 1 }, DISK]), await send([{ ...DAILY, level: 2 }, DISK])]).toEqual([
    0, 0,
  ]);
});

it('an alert of which nothing is known is neither over nor new', async () => {
  await send([DISK]);
  await claimSubjects();
  const unknown = {
    ...buildAlert('uncomputed:the disk', 'The alerts about the disk cannot be computed.'),
    hides: ['disk'],
  };
  expect([await send([unknown]), await send([DISK])]).toEqual([1, 1]);
  expect(await claimSubjects()).toEqual([
    'CRM & Automation Hub: The alerts about the disk cannot be computed.',
    'CRM & Automation Hub: Resolved: The alerts about the disk cannot be computed.',
  ]);
  expect(await send([])).toBe(1);
});

describe('with a mail server', () => {
  const SETTINGS = {
    SMTP_URL: 'smtps://mail.example',
    MAIL_FROM: 'a@b.example',
    MAIL_TO: 'a@b.example',
    HEARTBEAT_URL: 'https://hc.example/ping',
  };
  let alerts: readonly ConsoleAlert[] = [];
  let sent: string[] = [];
  let beats: string[] = [];
  let isMailDown = false;
  let status = 200;

  /** Creates the job that prepares alerts, over an outbox that may be unusable. */
  async function createJob(isBroken: () => boolean) {
    [alerts, sent, beats, isMailDown, status] = [[], [], [], false, 200];
    const own = await createTestSite({
      settings: SETTINGS,
      platform: {
        createMailChannel: () => ({
          async send({ subject }) {
            if (isMailDown) throw new Error('the mail server is down');
            sent.push(subject.replace('CRM & Automation Hub: ', ''));
          },
        }),
        httpGet: async (address) => {
          beats.push(address.href);
          return { status, headers: new Headers(), text: '' };
        },
      },
    });
    const { notifications } = own.operators;
    const take = notifications.takeLease.bind(notifications);
    notifications.takeLease = async (name, lease) => {
      if (isBroken()) throw new NotificationOutboxError('the outbox is damaged');
      return take(name, lease);
    };
    const clock = { ...own.clock, now: () => now };
    const jobs = createNotificationJobs({
      ...createConsoleSite({ ...own, clock }),
      readAlerts: async () => alerts,
    });
    return async (next: readonly ConsoleAlert[]) => {
      now += 1_000;
      alerts = next;
      for (const job of jobs) await job.run().catch(() => undefined);
    };
  }

  it('alerts leave at once and then daily while the outbox is unusable, and their end too', async () => {
    const run = await createJob(() => true);
    await run([DAILY, DISK]);
    await run([DAILY, DISK]);
    expect(sent).toEqual([DAILY.text, DISK.text]);
    now += 24 * HOUR_MS;
    await run([DAILY]);
    expect(sent.slice(2)).toEqual([DAILY.text, `Resolved: ${DISK.text}`]);
    expect(beats).toEqual([]);
  });

  it('tries again what the mail server has not taken while the outbox is unusable', async () => {
    const run = await createJob(() => true);
    isMailDown = true;
    await run([DISK]);
    isMailDown = false;
    await run([DISK]);
    await run([DISK]);
    expect(sent).toEqual([DISK.text]);
  });

  it('sends nothing twice when the outbox becomes unusable and works again', async () => {
    let isBroken = false;
    const run = await createJob(() => isBroken);
    await run([DISK]);
    isBroken = true;
    await run([DISK, DAILY]);
    isBroken = false;
    await run([DISK, DAILY]);
    await run([DISK]);
    expect(sent).toEqual([DISK.text, DAILY.text, `Resolved: ${DAILY.text}`]);
  });

  it('calls HEARTBEAT_URL after a complete run alone', async () => {
    let isBroken = false;
    const run = await createJob(() => isBroken);
    await run([DISK]);
    expect(beats).toEqual([SETTINGS.HEARTBEAT_URL]);
    await run([{ ...DISK, key: 'uncomputed:the disk', hides: ['disk'] }]);
    isBroken = true;
    await run([DISK]);
    expect(beats).toHaveLength(1);
    isBroken = false;
    status = 500;
    await run([DISK]);
    expect(beats).toHaveLength(2);
  });
});
