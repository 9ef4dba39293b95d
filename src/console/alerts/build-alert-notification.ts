import type { OperatorNotification } from '../../core/console/notification.ts';
import type { ConsoleAlert } from './alerts.ts';

/** An alert that was found, and when. */
export interface OpenAlert extends ConsoleAlert {
  /** ms since 1970. */
  readonly since: number;
}

/** Builds what is sent about an alert when it is found (`end` null) and when it is over (ms since 1970). */
export function buildAlertNotification(
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
