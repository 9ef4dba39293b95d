import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { openNotificationOutbox } from '../../test/support/node-databases.ts';
import { buildSampleNotification } from '../../test/support/sample-notification.ts';
import type { NotificationOutbox } from './outboxes.ts';

const buildNotification = (id: string, createdAt = 1_000) =>
  buildSampleNotification({ id, createdAt, fields: { key: 'disk', free: 3, none: null } });

let dir = '';
let outbox: NotificationOutbox;
const open = () => openNotificationOutbox(dir, () => undefined);
beforeEach(() => {
  dir = createFolder();
  outbox = open();
});
afterEach(async () => {
  await outbox.close();
});

it('claims each delivery once, the one that is due first before the others', async () => {
  await outbox.add(buildNotification('b', 2_000), ['mail']);
  await outbox.add(buildNotification('a', 1_000), ['mail', 'alert-webhook']);
  const claimed = [];
  for (let count = 0; count < 4; count++) claimed.push(await outbox.claim(5_000, 60_000));
  expect(claimed.map((delivery) => delivery && [delivery.notification.id, delivery.channel])).toEqual([
    ['a', 'alert-webhook'],
    ['a', 'mail'],
    ['b', 'mail'],
    null,
  ]);
  expect(claimed[1]).toEqual({ channel: 'mail', notification: buildNotification('a'), failures: 0 });
});

it('claims a delivery once for two processes', async () => {
  const other = open();
  for (let index = 0; index < 20; index++) await outbox.add(buildNotification(`n${index}`), ['mail']);
  const claims = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? outbox : other).claim(5_000, 60_000)),
  );
  const ids = claims.flatMap((delivery) => (delivery === null ? [] : [delivery.notification.id]));
  expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  await other.close();
});

it('takes a notification once, also after it was sent', async () => {
  const notification = buildNotification('a');
  expect(await outbox.add(notification, ['mail', 'alert-webhook'])).toBe(2);
  expect(await outbox.add(notification, ['mail', 'alert-webhook'])).toBe(0);
  const delivery = await outbox.claim(5_000, 60_000);
  if (delivery !== null) await outbox.finish(delivery, { state: 'sent' }, 6_000);
  expect(await outbox.add(notification, ['mail', 'alert-webhook'])).toBe(0);
  expect(await outbox.count()).toEqual({ waiting: 1, sending: 0, sent: 1, failed: 0, unknown: 0 });
});

it('offers a delivery that was not sent again when it is due, with its failures', async () => {
  await outbox.add(buildNotification('a'), ['mail']);
  const delivery = await outbox.claim(5_000, 60_000);
  if (delivery === null) throw new Error('nothing was claimed');
  await outbox.finish(delivery, { state: 'waiting', problem: 'no server', dueAt: 9_000 }, 6_000);
  expect(await outbox.claim(8_999, 60_000)).toBeNull();
  expect(await outbox.claim(9_000, 60_000)).toMatchObject({ failures: 1, notification: { id: 'a' } });
});

it('never offers a claim again that another process did not finish', async () => {
  await outbox.add(buildNotification('a'), ['mail']);
  await outbox.claim(5_000, 60_000);
  await outbox.close();
  outbox = open();
  expect(await outbox.giveUp(59_999)).toBe(0);
  expect(await outbox.giveUp(60_001)).toBe(1);
  expect(await outbox.claim(70_000, 90_000)).toBeNull();
  expect(await outbox.count()).toMatchObject({ unknown: 1, waiting: 0 });
});

it('removes the content once a delivery is over, and its id after 90 days', async () => {
  await outbox.add(buildNotification('a'), ['mail']);
  const delivery = await outbox.claim(5_000, 60_000);
  if (delivery !== null) await outbox.finish(delivery, { state: 'failed', problem: 'refused' }, 6_000);
  const database = new DatabaseSync(path.join(dir, 'notifications.sqlite'), { readOnly: true });
  const rows = database.prepare('SELECT id, notification, problem FROM deliveries').all();
  database.close();
  expect(rows.map((row) => ({ ...row }))).toEqual([{ id: 'a', notification: '', problem: 'refused' }]);
  await outbox.forget(6_000 + 91 * 86_400_000);
  expect(await outbox.count()).toMatchObject({ failed: 0 });
});

it('lists what may have arrived since a time, and what has waited since before another one', async () => {
  for (const [id, at, state] of [
    ['waits', 1, 'waiting'],
    ['doubt', 2, 'unknown'],
    ['young', 9, 'waiting'],
  ] as const) {
    await outbox.add(buildNotification(id, at), ['mail']);
    const delivery = (await outbox.claim(at, at + 9)) ?? expect.fail();
    await outbox.finish(delivery, { state, problem: 'no response', dueAt: 1_000 }, at);
  }
  await outbox.add(buildNotification('new', 1), ['mail']);
  const list = async (since: number, waiting: number) =>
    (await outbox.readFailed(since, waiting)).map(({ id, state }) => `${id} ${state}`);
  expect(await list(2, 5)).toEqual(['doubt unknown', 'waits waiting']);
  expect(await list(3, 1)).toEqual([]);
});

it('lists what was refused since a time, the newest first', async () => {
  for (const [id, at] of [
    ['one', 1],
    ['two', 2],
    ['three', 3],
  ] as const) {
    await outbox.add(buildNotification(id, at), ['mail']);
    const delivery = (await outbox.claim(at, at + 9)) ?? expect.fail();
    await outbox.finish(delivery, { state: 'failed', problem: 'mail server: EENVELOPE 550' }, at);
  }
  const found = await outbox.readFailed(2, 0);
  expect(found.map(({ id }) => id)).toEqual(['three', 'two']);
  expect(found[0]).toMatchObject({ channel: 'mail', problem: 'mail server: EENVELOPE 550' });
});

it('offers a delivery that a wrong clock has put off for longer than any pause', async () => {
  await outbox.add(buildNotification('a'), ['mail']);
  const wrong = 500 * 86_400_000;
  const delivery = await outbox.claim(wrong, wrong + 60_000);
  if (delivery === null) throw new Error('nothing was claimed');
  await outbox.finish(delivery, { state: 'waiting', problem: 'no server', dueAt: wrong + 9_000 }, wrong);
  expect(await outbox.claim(6_000, 60_000)).toMatchObject({ notification: { id: 'a' } });
});

it('takes over a lease that a wrong clock has prolonged', async () => {
  const wrong = 500 * 86_400_000;
  expect(await outbox.takeLease('alerts', { holder: 'one', now: wrong, until: wrong + 100 })).toBe(true);
  expect(await outbox.takeLease('alerts', { holder: 'two', now: 50, until: 150 })).toBe(true);
});

it('remembers values and gives a lease to one holder', async () => {
  expect(await outbox.readState('cursor')).toBeNull();
  await outbox.writeState('cursor', '7');
  await outbox.writeState('cursor', '8');
  expect(await outbox.readState('cursor')).toBe('8');
  expect(await outbox.takeLease('alerts', { holder: 'one', now: 0, until: 100 })).toBe(true);
  expect(await outbox.takeLease('alerts', { holder: 'two', now: 50, until: 150 })).toBe(false);
  expect(await outbox.takeLease('alerts', { holder: 'two', now: 100, until: 200 })).toBe(true);
});

it('returns a newsletter sign-up whose process ended while it was being sent, and gives up everything else', async () => {
  await outbox.add(buildNotification('a'), ['mail', 'newsletter']);
  await outbox.claim(5_000, 6_000);
  await outbox.claim(5_000, 6_000);
  expect(await outbox.giveUp(7_000)).toBe(1);
  expect(await outbox.claim(8_000, 9_000)).toMatchObject({ channel: 'newsletter', failures: 1 });
  expect(await outbox.claim(8_000, 9_000)).toBeNull();
});
