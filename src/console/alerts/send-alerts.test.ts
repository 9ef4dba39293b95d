import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { openNotificationOutbox } from '../../../test/support/node-databases.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import type { ConsoleAlert } from './build-alerts.ts';
import { sendAlerts } from './notifications.ts';

const DISK: ConsoleAlert = { key: 'disk', title: 'The disk is full.', detail: 'Do it.', view: 'settings' };
const BACKUP: ConsoleAlert = {
  key: 'backup',
  title: 'There is no backup.',
  detail: 'Do it.',
  view: 'settings',
};

let dir = '';
let outbox: NotificationOutbox;
let now = 1_000;
beforeEach(() => {
  dir = createFolder();
  outbox = openNotificationOutbox(dir, () => undefined);
  now = 1_000;
});
afterEach(async () => {
  await outbox.close();
});

const send = (alerts: readonly ConsoleAlert[], more: Partial<Parameters<typeof sendAlerts>[0]> = {}) => {
  now += 1_000;
  return sendAlerts({
    readAlerts: async () => alerts,
    outbox,
    channels: ['mail'],
    holder: 'one',
    site: { siteName: 'Signpost', consoleUrl: 'https://example.com/console' },
    now: () => now,
    ...more,
  });
};

async function claimSubjects(): Promise<string[]> {
  const subjects: string[] = [];
  for (;;) {
    const delivery = await outbox.claim(now + 1, now + 60_000);
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
  expect(await claimSubjects()).toEqual(['Signpost: The disk is full.', 'Signpost: There is no backup.']);
  await send([BACKUP]);
  expect(await claimSubjects()).toEqual(['Signpost: Resolved: The disk is full.']);
  await send([DISK, BACKUP]);
  expect(await claimSubjects()).toEqual(['Signpost: The disk is full.']);
});

it('sends nothing while another process does it', async () => {
  expect(await send([DISK])).toBe(1);
  expect(await send([DISK, BACKUP], { holder: 'two' })).toBe(0);
  now += 600_000;
  expect(await send([DISK, BACKUP], { holder: 'two' })).toBe(1);
});

it('sends an alert once when a process ends between the outbox and its own note', async () => {
  let calls = 0;
  const crashing: Parameters<typeof sendAlerts>[0]['outbox'] = {
    add: (...parts) => outbox.add(...parts),
    readState: (key) => outbox.readState(key),
    takeLease: (...parts) => outbox.takeLease(...parts),
    writeState: (key, value) =>
      ++calls === 2 ? Promise.reject(new Error('crash')) : outbox.writeState(key, value),
  };
  await expect(send([DISK], { outbox: crashing })).rejects.toThrow('crash');
  await send([DISK]);
  await send([DISK]);
  expect(await claimSubjects()).toEqual(['Signpost: The disk is full.']);
});

it('sends an alert that was not put into the outbox with the next run', async () => {
  const failing: Parameters<typeof sendAlerts>[0]['outbox'] = {
    add: () => Promise.reject(new Error('the disk is full')),
    readState: (key) => outbox.readState(key),
    takeLease: (...parts) => outbox.takeLease(...parts),
    writeState: (key, value) => outbox.writeState(key, value),
  };
  await expect(send([DISK], { outbox: failing })).rejects.toThrow('the disk is full');
  await send([]);
  expect(await claimSubjects()).toEqual([
    'Signpost: The disk is full.',
    'Signpost: Resolved: The disk is full.',
  ]);
});
