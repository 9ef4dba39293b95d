import type { NotificationChannelName, OperatorNotification } from '../../core/console/notification.ts';
import { CONTACT_LIMITS, parseContactValues } from '../../core/contact/contact-message.ts';
import { isCounted, type SiteEvent } from '../../core/events/site-event.ts';
import { cleanText } from '../../core/text/parse-text.ts';
import type { ContactMessages } from '../../stores/messages.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';

/** Where the outbox keeps the position up to which messages are in it. */
const POSITION_KEY = 'contact-position';

/**
 * Puts the messages that arrived since the last run into the outbox; resolves with how many. The first run begins with
 * the next message, unless it is to begin with the first. Suspected spam is not forwarded: it stays in the events.
 * Rejects with `EventStoreError` or `NotificationOutboxError`; the next run begins at the same message then.
 */
export async function forwardMessages(options: {
  readonly feed: ContactMessages;
  readonly outbox: Pick<NotificationOutbox, 'add' | 'readState' | 'writeState'>;
  readonly channels: readonly NotificationChannelName[];
  /** Builds what is sent about a message. */
  readonly build: (message: SiteEvent) => OperatorNotification;
  /** Which events are forwarded; the contact messages when left out. */
  readonly name?: 'newsletter_signup';
  /** Where the outbox keeps the position; `contact-position` when left out. */
  readonly positionKey?: string;
  /** Whether messages from before the first run are forwarded. */
  readonly isFromStart?: boolean;
}): Promise<number> {
  const { feed, outbox, channels, build, name, positionKey = POSITION_KEY, isFromStart = false } = options;
  const stored = await outbox.readState(positionKey);
  const newest = await feed.readPosition();
  // A position past the newest event is one of a database that was replaced.
  if (stored === null || Number(stored) > newest) {
    const isSkipped = stored === null && !isFromStart;
    await outbox.writeState(positionKey, String(isSkipped ? newest : 0));
    if (isSkipped) return 0;
  }
  const known = Number((await outbox.readState(positionKey)) ?? newest);
  const { messages, position } = await feed.readAfter(known, name);
  const genuine = messages.filter(isCounted);
  for (const message of genuine) await outbox.add(build(message), channels);
  if (position !== known) await outbox.writeState(positionKey, String(position));
  return genuine.length;
}

/** Builds what is sent about a contact message; its id is that of the message. */
export function buildContactNotification(
  { id, data, page, serverTime }: Pick<SiteEvent, 'id' | 'data' | 'page' | 'serverTime'>,
  siteName: string,
): OperatorNotification {
  const { topic, name, email, message } = parseContactValues((field) => data[field]);
  const from = cleanText(name, CONTACT_LIMITS.name);
  return {
    id: `contact:${id}`,
    kind: 'contact',
    subject: `${siteName}: ${topic} from ${from}`,
    text: `${message}\n\n${from} <${email}>\nTopic: ${topic}\nPage: ${page}`,
    html: null,
    replyTo: { name: from, address: email },
    fields: { messageId: id, topic, name: from, email, message, page },
    createdAt: serverTime,
  };
}

/** Builds what is sent about a sign-up for the newsletter; its id is that of the event. */
export function buildSignupNotification({
  id,
  data,
  page,
  serverTime,
}: Pick<SiteEvent, 'id' | 'data' | 'page' | 'serverTime'>): OperatorNotification {
  const getText = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  return {
    id: `newsletter:${id}`,
    kind: 'newsletter',
    subject: 'Newsletter sign-up',
    text: getText('email'),
    html: null,
    replyTo: null,
    fields: { signupId: id, email: getText('email'), consent: getText('consent'), page },
    createdAt: serverTime,
  };
}
