import { z } from 'zod';
import { NOTIFICATION_KINDS, type OperatorNotification } from './notification.ts';

const notificationSchema = z.object({
  id: z.string().min(1),
  kind: z.enum(NOTIFICATION_KINDS),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  replyTo: z.object({ name: z.string(), address: z.string() }).nullable(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  createdAt: z.number(),
});

/** Parses a stored notification; null for anything else. */
export function parseNotification(value: unknown): OperatorNotification | null {
  return notificationSchema.safeParse(value).data ?? null;
}
