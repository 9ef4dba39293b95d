import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { openNotificationOutbox } from '../../../test/support/node-databases.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import type { EventFlag } from '../../core/events/site-event.ts';
import { SqlEventStore } from '../../stores/events.ts';
import { ContactMessages } from '../../stores/messages.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import { buildContactNotification, forwardMessages } from './notifications.ts';

let dir = '';
let outbox: NotificationOutbox;
let executor: NodeSqliteExecutor;
let store: SqlEventStore;
beforeEach(() => {
  dir = createFolder();
  outbox = openNotificationOutbox(dir, () => undefined);
  executor = new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report: () => undefined });
  store = new SqlEventStore(executor);
});
afterEach(async () => {
  await Promise.all([outbox.close(), store.close()]);
});

const buildId = (index: number) => `0b3c5f1e-8d1a-4c2b-9e7f-${String(index).padStart(12, '0')}`;

function append(index: number, flags: readonly EventFlag[] = []) {
  const data = { topic: 'general', name: `Ana ${index}`, email: 'ana@example.com', message: 'Hello\nthere' };
  const parts = { id: buildId(index), name: 'contact_message', page: '/contact', data } as const;
  return store.append([buildSiteEvent(parts, { now: 1_000 + index, gpc: false, flags })]);
}

const forward = (box: Pick<NotificationOutbox, 'add' | 'readState' | 'writeState'> = outbox) =>
  forwardMessages({
    feed: new ContactMessages(executor),
    outbox: box,
    channels: ['mail', 'contact-webhook'],
    build: (message) => buildContactNotification(message, 'Signpost'),
  });

it('forwards messages that arrive after the first run, each in every way', async () => {
  await append(1);
  expect(await forward()).toBe(0);
  await append(2);
  await append(3);
  expect(await forward()).toBe(2);
  expect(await forward()).toBe(0);
  expect((await outbox.count()).waiting).toBe(4);
  const delivery = await outbox.claim(5_000, 6_000);
  expect(delivery?.notification).toMatchObject({
    id: `contact:${buildId(2)}`,
    subject: 'Signpost: general from Ana 2',
    text: 'Hello\nthere\n\nAna 2 <ana@example.com>\nTopic: general\nPage: /contact',
    replyTo: { name: 'Ana 2', address: 'ana@example.com' },
  });
});

it('does not forward suspected spam', async () => {
  await forward();
  await append(1, ['bot']);
  expect([await forward(), (await outbox.count()).waiting]).toEqual([0, 0]);
});

it('forwards everything once when a run fails in the middle', async () => {
  await append(1);
  await forward();
  await append(2);
  await append(3);
  let calls = 0;
  const failing = {
    readState: (key: string) => outbox.readState(key),
    writeState: (key: string, value: string) => outbox.writeState(key, value),
    add: (...parts: Parameters<NotificationOutbox['add']>) =>
      ++calls === 2 ? Promise.reject(new Error('the disk is full')) : outbox.add(...parts),
  };
  await expect(forward(failing)).rejects.toThrow('the disk is full');
  await forward();
  expect((await outbox.count()).waiting).toBe(4);
});

it('forwards the messages of a database that replaced a damaged one', async () => {
  await forward();
  await outbox.writeState('contact-position', '5000');
  await append(1);
  expect(await forward()).toBe(1);
});
