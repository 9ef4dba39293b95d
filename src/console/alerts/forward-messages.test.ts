import { beforeEach, expect, it, vi } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import type { EventFlag } from '../../core/events/site-event.ts';
import type { Site } from '../../server/site.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import { forwardMessages } from './notifications.ts';

let site: Site;
let outbox: NotificationOutbox;
beforeEach(async () => {
  site = await createTestSite();
  outbox = site.operators.notifications;
});

const buildId = (index: number) => `0b3c5f1e-8d1a-4c2b-9e7f-${String(index).padStart(12, '0')}`;

function append(index: number, flags: readonly EventFlag[] = []) {
  const data = { topic: 'general', name: `Ana ${index}`, email: 'ana@example.com', message: 'Hello\nthere' };
  const parts = { id: buildId(index), name: 'contact_message', page: '/contact', data } as const;
  return site.visitors.events.append([buildSiteEvent(parts, { now: 1_000 + index, gpc: false, flags })]);
}

const forward = () => forwardMessages(site, 'contact_message', ['mail', 'contact-webhook']);

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
    subject: 'CRM & Automation Hub: general from Ana 2',
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
  const add = outbox.add.bind(outbox);
  const error = new Error('the disk is full');
  vi.spyOn(outbox, 'add').mockImplementationOnce(add).mockRejectedValueOnce(error);
  await expect(forward()).rejects.toThrow('the disk is full');
  await forward();
  expect((await outbox.count()).waiting).toBe(4);
});

it('forwards the messages of a database that replaced a damaged one', async () => {
  await forward();
  await outbox.writeState('contact-position', '5000');
  await append(1);
  expect(await forward()).toBe(1);
});
