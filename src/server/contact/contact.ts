import {
  type ContactValues,
  checkContactValues,
  cleanContactValues,
  parseContactValues,
} from '../../core/contact/contact-message.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import { nameCommand } from '../../core/text/name-command.ts';
import { createSharedLimiter } from '../http/rate-limiter.ts';
import { createJsonPost, readPostedForm } from '../http/request-body.ts';
import { buildJsonResponse } from '../http/responses.ts';
import type { Handler } from '../http/route.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import type { Site } from '../site.ts';
import { type FormAttempt, type FormOutcome, submitForm } from './submit-form.ts';

/** Attempts are cheap; the limit keeps programs from trying the fields out by the thousand. */
const ATTEMPTS = { perSecond: 1, burst: 60, maxAddresses: 10_000 };

/** One attempt to send a message. */
interface ContactAttempt extends Omit<FormAttempt, 'errors' | 'event'> {
  readonly values: ContactValues;
  /** Keys of the topics that the form offers. */
  readonly topics: readonly string[];
  /** Path of the page. */
  readonly page: string;
}

/** Takes a message to the operator, keeps spam out, and stores it as an event. */
export function submitContact(
  site: Site,
  { values, topics, page, ...attempt }: ContactAttempt,
): Promise<FormOutcome> {
  const data = { ...cleanContactValues(values) };
  return submitForm(site, {
    ...attempt,
    errors: { ...checkContactValues(values, topics) },
    event: { name: 'contact_message', page, label: data.topic, data },
  });
}

/**
 * `POST /api/contact`: the message of a contact form as JSON, with the path of its `page`. 202 `{ sent: true }` when
 * it is on disk, else 422, 429 or 503 with `{ sent: false, errors, token }`: a sentence for each wrong field, and the
 * token to send next.
 */
export function createContactHandler(site: Site): Handler {
  const limiter = createSharedLimiter(site.platform, 'attempts', ATTEMPTS);
  return createJsonPost(site.settings, limiter, async (body, { req, env }) => {
    const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
    const parseText = (name: string) => {
      const value: unknown = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const forms = collectForms(site.content.read());
    const [first = ''] = forms.keys();
    const page = forms.has(parseText('page')) ? parseText('page') : first;
    const outcome = await submitContact(site, {
      values: parseContactValues((field) => fields.get(field)),
      topics: forms.get(page) ?? [],
      token: parseText('token'),
      honeypot: parseText('website'),
      page,
      clientAddress: env.clientAddress,
      visitor: readVisitorSignals(req.raw),
    });
    const { status, ...result } = outcome.sent ? { status: 202, ...outcome } : outcome;
    return buildJsonResponse(result, status);
  });
}

/** The keys of the topics that each contact form offers, by path of its page. */
function collectForms({ pages }: Content): Map<string, readonly string[]> {
  const forms = new Map<string, readonly string[]>();
  for (const [path, { sections }] of pages) {
    for (const section of sections) {
      if (section.type === 'contact-form')
        forms.set(
          path,
          section.topics.map(({ key }) => key),
        );
    }
  }
  return forms;
}

/** Lines for the start about unread messages and hidden newsletter sections. Rejects with `EventStoreError`. */
export async function readContactNotices(site: Site): Promise<readonly string[]> {
  const { settings } = site;
  const { messages } = site.visitors;
  const content = site.content.read();
  const { new: count } = await messages.count();
  const waiting = count === 1 ? '1 contact message waits' : `${count} contact messages wait`;
  return [
    ...(count === 0 ? [] : [`${waiting}: ${nameCommand('messages')}`]),
    ...(settings.NEWSLETTER_PROVIDER === 'off' ? describeHidden(content) : []),
  ];
}

function describeHidden({ pages }: Content): string[] {
  const paths = [...pages].flatMap(([path, { sections }]) =>
    sections.some(({ type }) => type === 'newsletter') ? [path] : [],
  );
  if (paths.length === 0) return [];
  return [`newsletter sections are hidden until NEWSLETTER_PROVIDER is set: ${paths.join(', ')}`];
}

/** Reads a request to a page: an empty contact form, or the result of a posted one; null when the page has none. */
export async function readContactForm(
  site: Site,
  page: Page,
  path: string,
  request: Request,
  clientAddress: string,
) {
  const section = page.sections.find(({ type }) => type === 'contact-form');
  if (section?.type !== 'contact-form') return null;
  const topics = section.topics.map(({ key }) => key);
  const first = topics[0] ?? '';
  if (request.method !== 'POST') {
    const query = new URL(request.url).searchParams;
    const wanted = query.get('topic') ?? '';
    const topic = topics.includes(wanted) ? wanted : first;
    const sent = query.get('sent') === '1';
    return {
      form: { sent, topic, values: {}, errors: {}, token: site.visitors.formTokens.issue() },
      status: 200,
    };
  }
  const posted = await readPostedForm(request);
  const values = parseContactValues((field) => posted.get(field));
  const outcome = await submitContact(site, {
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
