import { randomBytes } from 'node:crypto';
import type { Content } from '../../core/pages/content.ts';
import { SqlContactMessages } from '../../stores/contact/sql-contact-messages.ts';
import type { Events } from '../events/events.ts';
import type { Handler } from '../http/route.ts';
import { createLimiter } from '../limiters.ts';
import type { LimitName, Platform } from '../platform.ts';
import type { Config } from '../settings.ts';
import { createContactHandler } from './contact-handler.ts';
import { type ContactService, createContactService } from './contact-service.ts';
import { createFormGate, type FormGate } from './form-gate.ts';
import { createFormTokens } from './form-token.ts';

/** Messages that one address may send at once, and seconds until it may send one more. */
const BURST = 5;
const SECONDS_EACH = 120;
/** Attempts are cheap; the limit keeps programs from trying the fields out by the thousand. */
const ATTEMPTS_BURST = 60;
const MAX_ADDRESSES = 10_000;

/** Creates the contact service, which takes the posted form, and the handler that takes messages of its script. */
export function createContact(options: {
  readonly config: Config;
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
  const { config, content, events, platform } = options;
  const { clock } = platform;
  const limit = (name: LimitName, perSecond: number, burst: number) =>
    createLimiter(platform, name, { perSecond, burst, maxAddresses: MAX_ADDRESSES });
  const tokens = createFormTokens({
    key: config.FORM_KEY === '' ? randomBytes(32).toString('hex') : config.FORM_KEY,
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
    siteOrigin: config.SITE_URL === '' ? null : config.siteUrl,
  });
  const isNewsletterOff = config.NEWSLETTER_PROVIDER === 'off';
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
