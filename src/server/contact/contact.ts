import { randomBytes } from 'node:crypto';
import {
  type ContactValues,
  checkContactValues,
  cleanContactValues,
  parseContactValues,
} from '../../core/contact/contact-message.ts';
import type { Content } from '../../core/pages/content.ts';
import type { Page } from '../../core/pages/page.schema.ts';
import type { ContactFormState } from '../../core/pages/page-context.ts';
import { SqlContactMessages } from '../../stores/messages.ts';
import type { Events } from '../events/events.ts';
import { buildJsonResponse, createJsonPost, type JsonPostOptions } from '../http/json-post.ts';
import { readPostedForm } from '../http/request-body.ts';
import type { Handler } from '../http/route.ts';
import { readVisitorSignals } from '../http/visitor-signals.ts';
import { createLimiter } from '../limiters.ts';
import type { LimitName, Platform } from '../platform.ts';
import type { Settings } from '../settings.ts';
import {
  createFormGate,
  createFormTokens,
  type FormAttempt,
  type FormGate,
  type FormOutcome,
} from './form-gate.ts';

/** Messages that one address may send at once, and seconds until it may send one more. */
const BURST = 5;
const SECONDS_EACH = 120;
/** Attempts are cheap; the limit keeps programs from trying the fields out by the thousand. */
const ATTEMPTS_BURST = 60;
const MAX_ADDRESSES = 10_000;

/** Creates the contact service, which takes the posted form, and the handler that takes messages of its script. */
export function createContact(options: {
  readonly settings: Settings;
  readonly content: Content;
  readonly events: Events;
  readonly platform: Pick<Platform, 'clock' | 'shareLimiter'>;
}): {
  readonly service: ContactService;
  readonly handler: Handler;
  /** Takes sign-ups for the newsletter; null without a provider. */
  readonly newsletter: FormGate | null;
  /** Lines about unread messages and newsletter sections that are hidden. Rejects with `EventStoreError`. */
  readNotices(): Promise<readonly string[]>;
} {
  const { settings, content, events, platform } = options;
  const { clock } = platform;
  const limit = (name: LimitName, perSecond: number, burst: number) =>
    createLimiter(platform, name, { perSecond, burst, maxAddresses: MAX_ADDRESSES });
  const tokens = createFormTokens({
    key: settings.FORM_KEY === '' ? randomBytes(32).toString('hex') : settings.FORM_KEY,
    now: clock.now,
  });
  const gate = createFormGate({
    store: events.store,
    tokens,
    limiter: limit('forms', 1 / SECONDS_EACH, BURST),
    now: clock.now,
  });
  const service = createContactService(gate);
  const handler = createContactHandler({
    service,
    getForms: () => collectForms(content),
    limiter: limit('attempts', 1, ATTEMPTS_BURST),
    siteOrigin: settings.SITE_URL === '' ? null : settings.siteUrl,
  });
  const isNewsletterOff = settings.NEWSLETTER_PROVIDER === 'off';
  const messages = new SqlContactMessages(events.database);
  return {
    service,
    handler,
    newsletter: isNewsletterOff ? null : gate,
    async readNotices() {
      const { new: count } = await messages.count();
      const waiting = count === 1 ? '1 contact message waits' : `${count} contact messages wait`;
      return [
        ...(count === 0 ? [] : [`${waiting}: npm run -s messages`]),
        ...(isNewsletterOff ? describeHidden(content) : []),
      ];
    },
  };
}

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

function describeHidden({ pages }: Content): string[] {
  const paths = [...pages].flatMap(([path, { sections }]) =>
    sections.some(({ type }) => type === 'newsletter') ? [path] : [],
  );
  if (paths.length === 0) return [];
  return [`newsletter sections are hidden until NEWSLETTER_PROVIDER is set: ${paths.join(', ')}`];
}

export interface ContactOptions extends JsonPostOptions {
  readonly service: ContactService;
  /** Returns the keys of the topics that a form offers, by path of its page. */
  readonly getForms: () => ReadonlyMap<string, readonly string[]>;
}

/**
 * `POST /api/contact`: the message of a contact form as JSON, with the path of its `page`. 202 `{ sent: true }` when
 * it is on disk, else 422, 429 or 503 with `{ sent: false, errors, token }`: a sentence for each wrong field, and the
 * token to send next.
 */
export function createContactHandler(options: ContactOptions): Handler {
  return createJsonPost(options, async (body, { req, env }) => {
    const fields = new Map(Object.entries(typeof body === 'object' && body !== null ? body : {}));
    const parseText = (name: string) => {
      const value: unknown = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const forms = options.getForms();
    const [first = ''] = forms.keys();
    const page = forms.has(parseText('page')) ? parseText('page') : first;
    const outcome = await options.service.submit({
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

/** One attempt to send a message. */
export interface ContactAttempt extends Omit<FormAttempt, 'errors' | 'event'> {
  readonly values: ContactValues;
  /** Keys of the topics that the form offers. */
  readonly topics: readonly string[];
  /** Path of the page. */
  readonly page: string;
}

/** Takes messages to the operator, keeps spam out, and stores them as events. */
export interface ContactService {
  issueToken(): string;
  submit(attempt: ContactAttempt): Promise<FormOutcome>;
}

/** Creates the service over the gate that every form passes. */
export function createContactService(gate: FormGate): ContactService {
  return {
    issueToken: () => gate.issueToken(),
    submit({ values, topics, page, ...attempt }) {
      const data = { ...cleanContactValues(values) };
      return gate.submit({
        ...attempt,
        errors: { ...checkContactValues(values, topics) },
        event: { name: 'contact_message', page, label: data.topic, data },
      });
    },
  };
}

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
