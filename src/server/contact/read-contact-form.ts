import { readContactValues } from '../../core/contact/contact-message.ts';
import type { Page } from '../../core/content/page.schema.ts';
import type { ContactFormState } from '../../core/content/page-context.ts';
import type { ContactDesk } from './contact-desk.ts';

/** The form as a page shows it, and the status of that answer. */
export interface ContactFormAnswer {
  readonly form: ContactFormState;
  readonly status: number;
}

/** Answers a request to a page with a contact form: opens it empty, or sends what was posted. Null: the page has none. */
export async function readContactForm(
  desk: ContactDesk,
  page: Page,
  path: string,
  request: Request,
): Promise<ContactFormAnswer | null> {
  const section = page.sections.find(({ type }) => type === 'contact-form');
  if (section?.type !== 'contact-form') return null;
  const topics = section.topics.map(({ key }) => key);
  const first = topics[0] ?? '';
  if (request.method !== 'POST') {
    const query = new URL(request.url).searchParams;
    const wanted = query.get('topic') ?? '';
    const topic = topics.includes(wanted) ? wanted : first;
    const sent = query.get('sent') === '1';
    return { form: { sent, topic, values: {}, errors: {}, token: desk.issueToken() }, status: 200 };
  }
  const posted = await readPosted(request);
  const values = readContactValues((field) => posted.get(field));
  const outcome = await desk.submit({
    values,
    topics,
    token: String(posted.get('token') ?? ''),
    trap: String(posted.get('website') ?? ''),
    page: path,
    clientAddress: request.headers.get('x-client-address') ?? '',
    userAgent: request.headers.get('user-agent') ?? undefined,
    gpc: request.headers.get('sec-gpc') === '1',
  });
  const topic = topics.includes(values.topic) ? values.topic : first;
  if (outcome.sent) return { form: { sent: true, topic, values: {}, errors: {}, token: '' }, status: 303 };
  const { errors, token, status } = outcome;
  return { form: { sent: false, topic, values, errors, token }, status };
}

/** The posted fields; none when the body is no form. */
async function readPosted(request: Request): Promise<Pick<FormData, 'get'>> {
  try {
    return await request.formData();
  } catch {
    return new FormData();
  }
}
