import { DAY_MS } from '../../core/clock.ts';
import {
  isRepeatable,
  type NotificationChannel,
  type NotificationChannelName,
  type NotificationDelivery,
  NotificationError,
} from '../../core/console/notification.ts';
import type { Log } from '../../server/log.ts';
import type { DeliveryResult, NotificationOutbox } from '../../stores/outboxes.ts';

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;
/** A mail server that is down on Friday evening works again on Monday. */
const MAX_AGE_MS = 4 * DAY_MS;

/**
 * Decides whether a notification is sent again after a failed attempt, and when: only if the other side has not got it,
 * or recognizes what it has already got.
 */
export function decideRetry(delivery: NotificationDelivery, error: unknown, now: number): DeliveryResult {
  const { channel, notification, failures } = delivery;
  // An error of another kind says nothing about what the other side has got.
  const code = error instanceof NotificationError ? error.code : 'unknown';
  const problem = error instanceof Error ? error.message : String(error);
  if (code === 'unknown' && !isRepeatable(channel)) return { state: 'unknown', problem };
  const isTooOld = now - notification.createdAt > MAX_AGE_MS;
  if (code === 'refused' || isTooOld) return { state: 'failed', problem };
  return { state: 'waiting', problem, dueAt: now + buildPause(failures) };
}

/** Twice as long after each failure, at most an hour. */
const buildPause = (failures: number) => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20));

/** Longer than any attempt: a claim that is older belongs to a process that has ended. */
const LEASE_MS = 300_000;

/** Sends what is due, one after the other; resolves with how many were sent. Rejects with `NotificationOutboxError`. */
export async function deliverDue(options: {
  readonly outbox: Pick<NotificationOutbox, 'claim' | 'finish' | 'giveUp' | 'forget'>;
  readonly channels: ReadonlyMap<NotificationChannelName, NotificationChannel>;
  /** ms since 1970. */
  readonly now: () => number;
  /** The time by which old ids are removed; null: none is. */
  readonly readTrustedTime: () => Promise<number | null>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}): Promise<number> {
  const { outbox, now, log } = options;
  const trusted = await options.readTrustedTime();
  if (trusted !== null) await outbox.forget(trusted);
  const given = await outbox.giveUp(now());
  if (given > 0)
    log.warn('notifications may or may not have been sent when the process ended; they are not sent again', {
      given,
    });
  let sent = 0;
  for (;;) {
    const delivery = await outbox.claim(now(), now() + LEASE_MS);
    if (delivery === null) return sent;
    const result = await attempt(delivery, options);
    await outbox.finish(delivery, result, now());
    const { channel, notification } = delivery;
    const fields = { id: notification.id, channel };
    if (result.state === 'sent') {
      sent++;
      log.info('notification sent', fields);
    } else log.warn('notification not sent', { ...fields, state: result.state, problem: result.problem });
  }
}

async function attempt(
  delivery: NotificationDelivery,
  { channels, now }: Parameters<typeof deliverDue>[0],
): Promise<DeliveryResult> {
  const channel = channels.get(delivery.channel);
  if (channel === undefined)
    return { state: 'failed', problem: 'this way of sending is not set up any more' };
  try {
    await channel.send(delivery.notification);
    return { state: 'sent' };
  } catch (error) {
    return decideRetry(delivery, error, now());
  }
}
