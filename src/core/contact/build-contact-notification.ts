import type { OperatorNotification } from '../console/notification.ts';
import type { SiteEvent } from '../events/site-event.ts';
import { cleanText } from '../text/clean-text.ts';
import { CONTACT_LIMITS } from './contact-message.ts';

/** Builds what is sent about a contact message; its id is that of the message. */
export function buildContactNotification(
  { id, data, page, serverTime }: Pick<SiteEvent, 'id' | 'data' | 'page' | 'serverTime'>,
  siteName: string,
): OperatorNotification {
  const getText = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  const [topic, name, email, message] = ['topic', 'name', 'email', 'message'].map(getText);
  const from = cleanText(name ?? '', CONTACT_LIMITS.name);
  return {
    id: `contact:${id}`,
    kind: 'contact',
    subject: `${siteName}: ${topic} from ${from}`,
    text: `${message}\n\n${from} <${email}>\nTopic: ${topic}\nPage: ${page}`,
    html: null,
    replyTo: { name: from, address: email ?? '' },
    fields: {
      messageId: id,
      topic: topic ?? '',
      name: from,
      email: email ?? '',
      message: message ?? '',
      page,
    },
    createdAt: serverTime,
  };
}
