import type { NotificationChannelName } from '../../core/console/notification.ts';
import type { NotificationOutbox } from '../../core/console/notification-outbox.ts';
import { buildContactNotification } from '../../core/contact/build-contact-notification.ts';
import type { MessageFeed } from '../../core/contact/message-feed.ts';
import { isCounted } from '../../core/events/site-event.ts';

/** The position up to which messages are in the outbox. */
const POSITION_KEY = 'contact-position';

/**
 * Puts the contact messages that arrived since the last run into the outbox; resolves with how many. The first run
 * begins with the next message. Suspected spam is not forwarded: it is in the list of messages. Rejects with
 * `EventStoreError` or `NotificationOutboxError`; the next run begins at the same message then.
 */
export async function forwardMessages(options: {
  readonly feed: MessageFeed;
  readonly outbox: Pick<NotificationOutbox, 'add' | 'readState' | 'writeState'>;
  readonly channels: readonly NotificationChannelName[];
  readonly siteName: string;
}): Promise<number> {
  const { feed, outbox, channels, siteName } = options;
  const stored = await outbox.readState(POSITION_KEY);
  const newest = await feed.readPosition();
  // A position past the newest event is one of a database that was replaced.
  if (stored === null || Number(stored) > newest) {
    await outbox.writeState(POSITION_KEY, String(stored === null ? newest : 0));
    if (stored === null) return 0;
  }
  const known = Number((await outbox.readState(POSITION_KEY)) ?? newest);
  const { messages, position } = await feed.readAfter(known);
  const genuine = messages.filter(isCounted);
  for (const message of genuine) await outbox.add(buildContactNotification(message, siteName), channels);
  if (position !== known) await outbox.writeState(POSITION_KEY, String(position));
  return genuine.length;
}
