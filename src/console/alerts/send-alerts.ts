import { z } from 'zod';
import { CONSOLE_VIEWS, type ConsoleViewKey } from '../../core/console/console-view.ts';
import type { NotificationChannelName, OperatorNotification } from '../../core/console/notification.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import type { ConsoleAlert } from './build-alerts.ts';

const STATE_KEY = 'open-alerts';
const LEASE = 'alerts';
const LEASE_MS = 120_000;

const openAlert = z.object({
  key: z.string(),
  title: z.string(),
  detail: z.string(),
  view: z.enum(CONSOLE_VIEWS.map(({ key }): ConsoleViewKey => key)),
  since: z.number(),
});

/** The alerts that last, and what is not in the outbox yet. */
const stateSchema = z.object({
  open: z.array(openAlert),
  queue: z.array(z.object({ alert: openAlert, end: z.number().nullable() })),
});

/**
 * Puts a notification into the outbox for each alert that is new and for each that is over; resolves with how many. One
 * process at a time does it. An alert is sent once for as long as it lasts. Rejects with what `readAlerts` rejects
 * with, or `NotificationOutboxError`.
 */
export async function sendAlerts(options: {
  readonly readAlerts: () => Promise<readonly ConsoleAlert[]>;
  readonly outbox: Pick<NotificationOutbox, 'add' | 'readState' | 'writeState' | 'takeLease'>;
  readonly channels: readonly NotificationChannelName[];
  /** Identifies this process. */
  readonly holder: string;
  readonly site: { readonly siteName: string; readonly consoleUrl: string };
  /** ms since 1970. */
  readonly now: () => number;
}): Promise<number> {
  const { readAlerts, outbox, channels, holder, site, now } = options;
  const lease = { holder, now: now(), until: now() + LEASE_MS };
  if (!(await outbox.takeLease(LEASE, lease))) return 0;
  const alerts = await readAlerts();
  const stored = stateSchema.safeParse(parseJson((await outbox.readState(STATE_KEY)) ?? ''));
  const known = stored.data ?? { open: [], queue: [] };
  const open = alerts.map((alert): OpenAlert => {
    const since = known.open.find(({ key }) => key === alert.key)?.since;
    return { ...alert, since: since ?? now() };
  });
  const begun = open.filter(({ key }) => !known.open.some((alert) => alert.key === key));
  const over = known.open.filter(({ key }) => !open.some((alert) => alert.key === key));
  const queue = [
    ...known.queue,
    ...begun.map((alert) => ({ alert, end: null })),
    ...over.map((alert) => ({ alert, end: now() })),
  ];
  if (queue.length === 0) return 0;
  // Before the outbox: after a crash in between, the same notifications are added again, under the same ids.
  await outbox.writeState(STATE_KEY, JSON.stringify({ open, queue }));
  for (const { alert, end } of queue) await outbox.add(buildAlertNotification(alert, end, site), channels);
  await outbox.writeState(STATE_KEY, JSON.stringify({ open, queue: [] }));
  return queue.length;
}

/** An alert that was found, and when. */
export interface OpenAlert extends ConsoleAlert {
  /** ms since 1970. */
  readonly since: number;
}

/** Builds what is sent about an alert when it is found (`end` null) and when it is over (ms since 1970). */
function buildAlertNotification(
  { key, title, detail, view, since }: OpenAlert,
  end: number | null,
  { siteName, consoleUrl }: { readonly siteName: string; readonly consoleUrl: string },
): OperatorNotification {
  const state = end === null ? 'open' : 'resolved';
  const time = new Date(since).toISOString().slice(0, 16).replace('T', ' ');
  return {
    id: `alert:${key}:${since}:${state}`,
    kind: 'alert',
    subject: `${siteName}: ${end === null ? '' : 'Resolved: '}${title}`,
    text:
      end === null
        ? `${title}\n\n${detail}\n\n${consoleUrl}`
        : `This is over: ${title}\n\nIt began at ${time} UTC.`,
    html: null,
    replyTo: null,
    fields: { key, state, title, detail, view, since },
    createdAt: end ?? since,
  };
}
