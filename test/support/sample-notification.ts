import type { OperatorNotification } from '../../src/core/console/notification.ts';

/** Builds a notification of an alert, with the given fields changed. */
export function buildSampleNotification(fields: Partial<OperatorNotification> = {}): OperatorNotification {
  return {
    id: 'alert:disk:1',
    kind: 'alert',
    subject: 'The disk is almost full',
    text: '300 MB are free.',
    html: null,
    replyTo: null,
    fields: { key: 'disk', freeMb: 300 },
    createdAt: Date.UTC(2026, 10, 20, 12),
    ...fields,
  };
}
