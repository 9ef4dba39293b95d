import { expect, it } from 'vitest';
import { DAY_MS } from '../../core/clock.ts';
import { type NotificationChannelName, NotificationError } from '../../core/console/notification.ts';
import { decideRetry } from './decide-retry.ts';

const NOW = Date.UTC(2026, 10, 20);

function decide(
  code: NotificationError['code'] | 'crash',
  given: { failures?: number; ageMs?: number } = {},
) {
  return decideFor('mail', code, given);
}

function decideFor(
  channel: NotificationChannelName,
  code: NotificationError['code'] | 'crash',
  { failures = 0, ageMs = 0 }: { failures?: number; ageMs?: number } = {},
) {
  const notification = {
    id: 'alert:1',
    kind: 'alert' as const,
    subject: '',
    text: '',
    html: null,
    replyTo: null,
    fields: {},
    createdAt: NOW - ageMs,
  };
  const error = code === 'crash' ? new Error('a defect') : new NotificationError(code, code);
  return decideRetry({ channel, notification, failures }, error, NOW);
}

it.each([
  [0, 30_000],
  [1, 60_000],
  [6, 1_920_000],
  [7, 3_600_000],
  [5_000, 3_600_000],
])('sends a notification again after %d failures and a pause of %d ms', (failures, pause) => {
  expect(decide('not-sent', { failures })).toMatchObject({ state: 'waiting', dueAt: NOW + pause });
});

it('sends nothing again that the other side refuses', () => {
  expect(decide('refused')).toEqual({ state: 'failed', problem: 'refused' });
});

it('gives up a notification after four days', () => {
  expect(decide('not-sent', { ageMs: 4 * DAY_MS })).toMatchObject({ state: 'waiting' });
  expect(decide('not-sent', { ageMs: 4 * DAY_MS + 1 })).toMatchObject({ state: 'failed' });
});

it.each(['unknown', 'crash'] as const)('sends nothing twice after the result %s', (code) => {
  expect(decide(code)).toMatchObject({ state: 'unknown' });
});

it('sends a sign-up again when the result is unknown, because the service recognizes the address', () => {
  expect(decideFor('newsletter', 'unknown')).toMatchObject({ state: 'waiting' });
});
