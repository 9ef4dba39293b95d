import { DAY_MS } from '../../core/clock.ts';
import {
  isRepeatable,
  type NotificationDelivery,
  NotificationError,
} from '../../core/console/notification.ts';
import type { DeliveryResult } from '../../stores/outboxes.ts';

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
