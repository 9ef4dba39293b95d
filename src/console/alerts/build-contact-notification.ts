import type { OperatorNotification } from '../../core/console/notification.ts';
import { CONTACT_LIMITS, parseContactValues } from '../../core/contact/contact-message.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { cleanText } from '../../core/text/clean-text.ts';

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
