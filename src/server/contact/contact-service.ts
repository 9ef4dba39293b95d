import { hash } from 'node:crypto';
import {
  type ContactErrors,
  type ContactValues,
  checkContactValues,
  cleanContactValues,
} from '../../core/contact/contact-message.ts';
import { isBot } from '../../core/journey/bots.ts';
import { buildSiteEvent } from '../../core/journey/build-site-event.ts';
import { type EventStore, EventStoreError } from '../../core/journey/event-store.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { FormTokens } from './form-token.ts';

/** One attempt to send a message. */
export interface ContactAttempt {
  readonly values: ContactValues;
  /** Keys of the topics that the form offers. */
  readonly topics: readonly string[];
  /** The time field of the form. */
  readonly token: string;
  /** What stands in the field that people do not see. */
  readonly trap: string;
  /** Path of the page. */
  readonly page: string;
  readonly clientAddress: string;
  readonly userAgent: string | undefined;
  readonly gpc: boolean;
}

/** What became of it: `status` is the HTTP status that says so. `token` goes into the form when it is shown again. */
export type ContactOutcome =
  | { readonly sent: true }
  | {
      readonly sent: false;
      readonly status: 422 | 429 | 503;
      readonly errors: ContactErrors;
      readonly token: string;
    };

/** Takes messages to the operator and keeps them as events. */
export interface ContactDesk {
  issueToken(): string;
  submit(attempt: ContactAttempt): Promise<ContactOutcome>;
}

/** Nobody types four fields in less. */
const SHORTEST_MS = 3_000;
const LONGEST_MS = 24 * 3_600_000;

export interface ContactDeskOptions {
  readonly store: Pick<EventStore, 'append'>;
  readonly tokens: FormTokens;
  /** Counts messages that are sent, not attempts. */
  readonly limiter: RateLimiter;
  /** Wall clock in ms since 1970. */
  readonly now: () => number;
}

/** Creates the desk. A message with the trap filled in is kept and flagged: a person's browser may have filled it. */
export function createContactDesk({ store, tokens, limiter, now }: ContactDeskOptions): ContactDesk {
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
    const isFresh = age !== null && age <= LONGEST_MS;
    if (Object.keys(errors).length > 0) return refuse(422, errors, isFresh ? token : undefined);
    if (!isFresh) return refuse(422, { form: 'This form was open for a long time. Send it once more.' });
    if (age < SHORTEST_MS) {
      return refuse(
        422,
        { form: 'That was faster than anybody types. Wait a moment and send it again.' },
        token,
      );
    }
    const wait = limiter.take(attempt.clientAddress, 1);
    if (wait > 0) return refuse(429, { form: describeWait(wait) }, token);
    try {
      await store.append([buildMessage(attempt, now())]);
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      return refuse(
        503,
        { form: 'Your message could not be stored just now. Send it again in a minute.' },
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
  return `Several messages came from your connection already. Send this one in ${time}.`;
}

/** The same message sent twice with the same form is one event. */
function buildMessage(attempt: ContactAttempt, now: number) {
  const values = cleanContactValues(attempt.values);
  const isSuspect = attempt.trap !== '' || isBot(attempt.userAgent);
  return buildSiteEvent(
    {
      id: buildId(JSON.stringify([attempt.token, values])),
      name: 'contact_message',
      page: attempt.page,
      label: values.topic,
      data: { ...values },
    },
    { now, gpc: attempt.gpc, flags: isSuspect ? ['bot'] : [], longText: ['message'] },
  );
}

/** A UUID (version 8) that the text decides. */
function buildId(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
