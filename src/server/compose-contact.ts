import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Content } from '../core/content/content.ts';
import { createContactHandler } from './api/contact.ts';
import type { Events } from './compose-events.ts';
import type { Config } from './config.ts';
import { type ContactDesk, createContactDesk } from './contact/contact-desk.ts';
import { createFormTokens } from './contact/form-token.ts';
import type { HttpHandler } from './http/message.ts';
import { createRateLimiter } from './http/rate-limiter.ts';

/** Messages that one address may send at once, and seconds until it may send one more. */
const BURST = 5;
const SECONDS_EACH = 120;
/** Attempts are cheap to answer; they are limited so that nobody tries the fields out by the thousand. */
const ATTEMPTS_BURST = 60;
const MOST_ADDRESSES = 10_000;

/** Takes messages from the contact page: the desk for its posted form, the handler for its script. */
export function createContact(options: {
  readonly config: Config;
  readonly content: Content;
  readonly events: Events;
  readonly clock: Clock;
}): { readonly desk: ContactDesk; readonly handler: HttpHandler } {
  const { config, content, events, clock } = options;
  const limit = (perSecond: number, burst: number) =>
    createRateLimiter({ perSecond, burst, maxAddresses: MOST_ADDRESSES, now: clock.monotonic });
  const tokens = createFormTokens({
    key: config.FORM_KEY === '' ? randomBytes(32).toString('hex') : config.FORM_KEY,
    now: clock.now,
  });
  const desk = createContactDesk({
    store: events.store,
    tokens,
    limiter: limit(1 / SECONDS_EACH, BURST),
    now: clock.now,
  });
  const [page, topics] = findForm(content);
  const handler = createContactHandler({
    desk,
    page,
    topics,
    limiter: limit(1, ATTEMPTS_BURST),
    siteOrigin: config.SITE_URL === '' ? null : config.siteUrl,
  });
  return { desk, handler };
}

function findForm({ pages }: Content): [string, string[]] {
  for (const [path, { sections }] of pages) {
    const form = sections.find(({ type }) => type === 'contact-form');
    if (form?.type === 'contact-form') return [path, form.topics.map(({ key }) => key)];
  }
  return ['/contact', []];
}
