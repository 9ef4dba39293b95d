import { hash } from 'node:crypto';
import {
  type ContactErrors,
  type ContactValues,
  checkContactValues,
  cleanContactValues,
} from '../../core/contact/contact-message.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import { type EventStore, EventStoreError } from '../../core/events/event-store.ts';
import type { VisitorSignals } from '../events/visitor-signals.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { FormTokens } from './form-token.ts';

/** One attempt to send a message. */
export interface ContactAttempt {
  readonly values: ContactValues;
  /** Keys of the topics that the form offers. */
  readonly topics: readonly string[];
  /** The time field of the form. */
  readonly token: string;
  /** Content of the honeypot: a hidden field that only programs fill in. */
  readonly honeypot: string;
  /** Path of the page. */
  readonly page: string;
  readonly clientAddress: string;
  readonly visitor: VisitorSignals;
}

/** The result of an attempt with its HTTP status; `token` goes into the form when it is shown again. */
export type ContactOutcome =
  | { readonly sent: true }
  | {
      readonly sent: false;
      readonly status: 422 | 429 | 503;
      readonly errors: ContactErrors;
      readonly token: string;
    };

/** Takes messages to the operator, keeps spam out, and stores them as events. */
export interface ContactService {
  issueToken(): string;
  submit(attempt: ContactAttempt): Promise<ContactOutcome>;
}

/** Spam protection: a person takes longer to fill in four fields, and programs reuse forms for days. */
const MIN_FORM_AGE_MS = 3_000;
const MAX_FORM_AGE_MS = 24 * 3_600_000;
const TOO_FAST = 'The form was filled in faster than a person can type. Wait a moment and send it again.';

export interface ContactServiceOptions {
  readonly store: Pick<EventStore, 'append'>;
  readonly tokens: FormTokens;
  /** Counts messages that are sent, not attempts. */
  readonly limiter: RateLimiter;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
}

/**
 * Creates the service. A message with a filled honeypot is stored all the same, with the flag `bot`: the browser of a
 * person may have filled it in, and that message must not be lost.
 */
export function createContactService({ store, tokens, limiter, now }: ContactServiceOptions): ContactService {
  const refuse = (
    status: 422 | 429 | 503,
    errors: ContactErrors,
    token = tokens.issue(),
  ): ContactOutcome => ({
    sent: false,
    status,
    errors,
    token,
  });

  async function submit(attempt: ContactAttempt): Promise<ContactOutcome> {
    const { values, topics, token } = attempt;
    const errors = checkContactValues(values, topics);
    const age = tokens.readAge(token);
    const isFresh = age !== null && age <= MAX_FORM_AGE_MS;
    if (Object.keys(errors).length > 0) return refuse(422, errors, isFresh ? token : undefined);
    if (!isFresh)
      return refuse(422, { form: 'This form has expired. Your message is still here; send it once more.' });
    if (age < MIN_FORM_AGE_MS) {
      return refuse(422, { form: TOO_FAST }, token);
    }
    const wait = limiter.take(attempt.clientAddress, 1);
    if (wait > 0) return refuse(429, { form: describeWait(wait) }, token);
    try {
      await store.append([buildMessage(attempt, now())]);
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      return refuse(
        503,
        { form: 'Your message could not be stored. Wait a minute and send it again.' },
        token,
      );
    }
    return { sent: true };
  }

  return { issueToken: () => tokens.issue(), submit };
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `Several messages were sent from your connection. Wait ${time} and send this one again.`;
}

/** Builds the event of a message; sending it twice with the same form gives the same id. */
function buildMessage(attempt: ContactAttempt, now: number) {
  const values = cleanContactValues(attempt.values);
  const { gpc, flags } = attempt.visitor;
  return buildSiteEvent(
    {
      id: buildId(JSON.stringify([attempt.token, values])),
      name: 'contact_message',
      page: attempt.page,
      label: values.topic,
      data: { ...values },
    },
    { now, gpc, flags: attempt.honeypot === '' ? flags : [...flags, 'bot'] },
  );
}

/** Builds a UUID (version 8) from the hash of a text. */
function buildId(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
