import type { OperatorNotification } from '../../core/console/notification.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';

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
