import { beforeEach, describe, expect, it } from 'vitest';
import { buildSampleNotification } from '../../../test/support/sample-notification.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { DAY_MS } from '../../core/clock.ts';
import {
  type NotificationChannel,
  type NotificationChannelName,
  NotificationError,
} from '../../core/console/notification.ts';
import type { Site } from '../../server/site.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import { decideRetry, deliverDue } from './notifications.ts';

const START = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;
const NOTIFICATION = buildSampleNotification({
  id: 'contact:1',
  subject: 'Secret subject',
  text: 'Secret text',
  createdAt: START,
});

let site: Site;
let outbox: NotificationOutbox;
let now = START;
let trustedTime: number | null = START;
let logged: unknown[] = [];
beforeEach(async () => {
  site = await createTestSite();
  outbox = site.operators.notifications;
  now = START;
  trustedTime = START;
  logged = [];
});

/** A channel whose attempts end with these codes, then succeed. */
function createChannel(...codes: readonly (NotificationError['code'] | 'crash')[]) {
  const rest = [...codes];
  const sent: string[] = [];
  const channel: NotificationChannel = {
    send: async ({ id }) => {
      const code = rest.shift();
      if (code === 'crash') throw new Error('a defect');
      if (code !== undefined) throw new NotificationError(code, `attempt ${code}`);
      sent.push(id);
    },
  };
  return { channel, sent };
}

function deliver(mail: NotificationChannel) {
  const log = {
    ...site.log,
    info: (...line: unknown[]) => void logged.push(line),
    warn: (...line: unknown[]) => void logged.push(line),
  };
  const clock = { ...site.clock, now: () => now };
  const visitors = { ...site.visitors, trustedTime: { read: async () => trustedTime } };
  return deliverDue({ ...site, clock, log, visitors }, new Map([['mail', mail]]));
}

describe('a delivery', () => {
  it('is sent once', async () => {
    const { channel, sent } = createChannel();
    await outbox.add(NOTIFICATION, ['mail']);
    expect([await deliver(channel), await deliver(channel)]).toEqual([1, 0]);
    expect(sent).toEqual(['contact:1']);
  });

  it('that was sent stays known while the clock is ahead and nothing confirms it', async () => {
    const { channel } = createChannel();
    await outbox.add(NOTIFICATION, ['mail']);
    await deliver(channel);
    now = START + 500 * 24 * HOUR_MS;
    for (trustedTime of [START, null]) await deliver(channel);
    expect(await outbox.count()).toMatchObject({ sent: 1 });
    trustedTime = now;
    await deliver(channel);
    expect(await outbox.count()).toMatchObject({ sent: 0 });
  });

  it('that was not sent is tried again after 30 s, 1, 2, … minutes, at most an hour', async () => {
    const { channel, sent } = createChannel(...Array.from({ length: 9 }, () => 'not-sent' as const));
    await outbox.add(NOTIFICATION, ['mail']);
    const attempts: number[] = [];
    let known = 0;
    for (; sent.length === 0 && now < START + 9 * HOUR_MS; now += 30_000) {
      await deliver(channel);
      if (logged.length > known) attempts.push((now - START) / 1_000);
      known = logged.length;
    }
    const pauses = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0));
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  });

  it.each([
    ['that is refused', 'refused', 'failed'],
    ['that may have arrived', 'unknown', 'unknown'],
    ['that may have arrived when a defect ended it', 'crash', 'unknown'],
  ] as const)('%s is not tried again', async (_, code, state) => {
    const { channel, sent } = createChannel(code);
    await outbox.add(NOTIFICATION, ['mail']);
    await deliver(channel);
    now += 48 * HOUR_MS;
    await deliver(channel);
    expect([sent, (await outbox.count())[state]]).toEqual([[], 1]);
  });

  it('that was claimed by a process that ended is not sent, and the log says so', async () => {
    const { channel, sent } = createChannel();
    await outbox.add(NOTIFICATION, ['mail']);
    await outbox.claim(now, now + 1_000);
    now += HOUR_MS;
    await deliver(channel);
    expect(sent).toEqual([]);
    expect(JSON.stringify(logged)).toContain('may or may not have been sent');
  });

  it('does not delay the others', async () => {
    const { channel, sent } = createChannel('not-sent');
    await outbox.add(NOTIFICATION, ['mail']);
    await outbox.add({ ...NOTIFICATION, id: 'contact:2' }, ['mail']);
    await deliver(channel);
    expect(sent).toEqual(['contact:2']);
  });

  it('leaves no text of the notification in the log', async () => {
    const { channel } = createChannel('not-sent');
    await outbox.add(NOTIFICATION, ['mail']);
    await deliver(channel);
    expect(JSON.stringify(logged)).not.toMatch(/Secret/);
  });
});

function decide(
  code: NotificationError['code'],
  { channel = 'mail', ageMs = 0 }: { channel?: NotificationChannelName; ageMs?: number } = {},
) {
  const notification = { ...NOTIFICATION, createdAt: START - ageMs };
  const delivery = { channel, notification, failures: 0 };
  return decideRetry(delivery, new NotificationError(code, code), START);
}

it('gives up a notification after four days', () => {
  expect(decide('not-sent', { ageMs: 4 * DAY_MS })).toMatchObject({ state: 'waiting' });
  expect(decide('not-sent', { ageMs: 4 * DAY_MS + 1 })).toMatchObject({ state: 'failed' });
});

it('sends a sign-up again when the result is unknown, because the service recognizes the address', () =>
  expect(decide('unknown', { channel: 'newsletter' })).toMatchObject({ state: 'waiting' }));
