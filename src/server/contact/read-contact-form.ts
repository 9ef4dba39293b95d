import { parseContactValues } from '../../core/contact/contact-message.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import type { ContactFormState } from '../../core/pages/page-context.ts';
import { readPostedForm } from '../http/posted-form.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import type { ContactService } from './contact-service.ts';

/** The form as a page shows it, and the status of the response. */
export interface ContactFormResult {
  readonly form: ContactFormState;
  readonly status: number;
}

/** Reads a request to a page: an empty contact form, or the result of a posted one; null when the page has none. */
export async function readContactForm(
  service: ContactService,
  page: Page,
  path: string,
  request: Request,
  clientAddress: string,
): Promise<ContactFormResult | null> {
  const section = page.sections.find(({ type }) => type === 'contact-form');
  if (section?.type !== 'contact-form') return null;
  const topics = section.topics.map(({ key }) => key);
  const first = topics[0] ?? '';
  if (request.method !== 'POST') {
    const query = new URL(request.url).searchParams;
    const wanted = query.get('topic') ?? '';
    const topic = topics.includes(wanted) ? wanted : first;
    const sent = query.get('sent') === '1';
    return { form: { sent, topic, values: {}, errors: {}, token: service.issueToken() }, status: 200 };
  }
  const posted = await readPostedForm(request);
  const values = parseContactValues((field) => posted.get(field));
  const outcome = await service.submit({
    values,
    topics,
    token: String(posted.get('token') ?? ''),
    honeypot: String(posted.get('website') ?? ''),
    page: path,
    clientAddress,
    visitor: readVisitorSignals(request),
  });
  const topic = topics.includes(values.topic) ? values.topic : first;
  if (outcome.sent) return { form: { sent: true, topic, values: {}, errors: {}, token: '' }, status: 303 };
  const { errors, token, status } = outcome;
  return { form: { sent: false, topic, values, errors, token }, status };
}
