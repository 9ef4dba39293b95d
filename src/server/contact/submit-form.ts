import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { judgeFormAge, listFormFlags } from '../../core/contact/contact-message.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import type { EventName } from '../../core/events/event-definitions.ts';
import { EventStoreError } from '../../stores/events.ts';
import type { VisitorSignals } from '../http/visitor-signals.ts';
import type { Site } from '../site.ts';

/** One attempt to send a form. */
export interface FormAttempt {
  /** What is wrong with the fields, by field; empty when nothing is. */
  readonly errors: Readonly<Record<string, string>>;
  /** The event that the form is stored as. */
  readonly event: {
    readonly name: EventName;
    readonly page: string;
    readonly label: string;
    readonly data: Readonly<Record<string, string>>;
  };
  /** The time field of the form. */
  readonly token: string;
  /** Content of the honeypot: a hidden field that only programs fill in. */
  readonly honeypot: string;
  readonly clientAddress: string;
  readonly visitor: VisitorSignals;
}

/** The result of an attempt with its HTTP status; `token` goes into the form when it is shown again. */
export type FormOutcome =
  | { readonly sent: true }
  | {
      readonly sent: false;
      readonly status: 422 | 429 | 503;
      readonly errors: Readonly<Record<string, string>>;
      readonly token: string;
    };

const NOT_STORED = 'What you sent could not be stored. Wait a minute and send it again.';

/** Keeps spam out of the forms of visitors, and stores what is sent as events. */
export async function submitForm(site: Site, attempt: FormAttempt): Promise<FormOutcome> {
  const { clock } = site;
  const { events, formTokens, formLimiter } = site.visitors;
  const { errors, token } = attempt;
  const refuse = (
    status: 422 | 429 | 503,
    errors: Readonly<Record<string, string>>,
    token = formTokens.issue(),
  ): FormOutcome => ({ sent: false, status, errors, token });
  const { problem, isFresh } = judgeFormAge(formTokens.readAge(token));
  const next = isFresh ? token : undefined;
  if (Object.keys(errors).length > 0) return refuse(422, errors, next);
  if (problem !== null) return refuse(422, { form: problem }, next);
  const wait = await formLimiter.take(attempt.clientAddress, 1);
  if (wait > 0) return refuse(429, { form: describeWait(wait) }, token);
  try {
    await events.append([buildFormEvent(attempt, clock.now())]);
  } catch (error) {
    if (!(error instanceof EventStoreError)) throw error;
    return refuse(503, { form: NOT_STORED }, token);
  }
  return { sent: true };
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `Several forms were sent from your connection. Wait ${time} and send this one again.`;
}

/** Builds the event of a form; sending the same form twice gives the same id. */
function buildFormEvent({ token, event, visitor, honeypot }: FormAttempt, now: number) {
  const { gpc, flags } = visitor;
  return buildSiteEvent(
    { id: buildId(JSON.stringify([token, event.data])), ...event },
    { now, gpc, flags: listFormFlags(honeypot, flags) },
  );
}

/** Builds a UUID (version 8) from the hash of a text. */
function buildId(text: string): string {
  const hex = hash('sha256', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Signed times of forms, against spam: a form proves when it was created. */
export class FormTokens {
  readonly #key: string;
  readonly #now: () => number;

  /** Signs with `key`, or with one of this process when it is empty. `now`: ms since 1970. */
  constructor(key: string, now: () => number) {
    this.#key = key === '' ? randomBytes(32).toString('hex') : key;
    this.#now = now;
  }

  /** Creates the token of a form that is created now. */
  issue(): string {
    const text = `${this.#now().toString(36)}.${randomBytes(9).toString('base64url')}`;
    return `${text}.${this.#sign(text)}`;
  }

  /** Age of a token in ms; null when it was not issued here. */
  readAge(token: string): number | null {
    const [time = '', nonce = '', signature = '', ...rest] = token.slice(0, 200).split('.');
    if (rest.length > 0 || time === '') return null;
    const expected = Buffer.from(this.#sign(`${time}.${nonce}`));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
    return this.#now() - Number.parseInt(time, 36);
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
