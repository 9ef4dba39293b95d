import { cleanLines, cleanText } from '../text/parse-text.ts';
import { isEmailAddress, MAX_EMAIL } from './delivery-addresses.ts';

/** Fields of the contact form, in their order. */
export const CONTACT_FIELDS = ['topic', 'name', 'email', 'message'] as const;

export type ContactField = (typeof CONTACT_FIELDS)[number];

export type ContactValues = Readonly<Record<ContactField, string>>;

/** A sentence for each field that has to change; `form` is about the whole form. */
export type ContactErrors = Readonly<Partial<Record<ContactField | 'form', string>>>;

/** Maximum characters of each field. A longer text is refused and shown again, never cut. */
export const CONTACT_LIMITS = { topic: 64, name: 120, email: MAX_EMAIL, message: 5_000 } as const;

/** Parses the fields, posted or stored; a value that is not text counts as empty. */
export function parseContactValues(read: (field: ContactField) => unknown): ContactValues {
  const parse = (field: ContactField) => {
    const value = read(field);
    return typeof value === 'string' ? value.slice(0, 60_000) : '';
  };
  return { topic: parse('topic'), name: parse('name'), email: parse('email'), message: parse('message') };
}

/** Builds the values as they are stored: on one line each, the message with its line breaks. */
export function cleanContactValues(values: ContactValues): ContactValues {
  return {
    topic: cleanText(values.topic, CONTACT_LIMITS.topic),
    name: cleanText(values.name, CONTACT_LIMITS.name),
    email: cleanText(values.email, CONTACT_LIMITS.email),
    message: cleanLines(values.message, CONTACT_LIMITS.message),
  };
}

/** Checks the fields; an empty result means that the message can be sent. */
export function checkContactValues(values: ContactValues, topics: readonly string[]): ContactErrors {
  const errors: Partial<Record<ContactField, string>> = {};
  const { name, email, message } = cleanContactValues(values);
  if (!topics.includes(values.topic)) errors.topic = 'Choose a topic.';
  if (name === '') errors.name = 'Enter your name.';
  else if (values.name.length > CONTACT_LIMITS.name) errors.name = describeLength('name', values.name);
  if (email === '') errors.email = 'Enter the email address that we should reply to.';
  else if (!isEmailAddress(values.email))
    errors.email = 'Check the email address. It should look like name@example.com.';
  if (message === '') errors.message = 'Enter a message.';
  else if (values.message.length > CONTACT_LIMITS.message)
    errors.message = describeLength('message', values.message);
  return errors;
}

function describeLength(field: 'name' | 'message', text: string): string {
  return `The ${field} has ${text.length} characters, and the limit is ${CONTACT_LIMITS[field]}. Shorten it, or send it in parts.`;
}

/** What the operator has done with a message. */
export const MESSAGE_STATES = ['new', 'read', 'answered'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A person takes longer to fill in a form, and programs send the same form for days. */
const MIN_FORM_AGE_MS = 3_000;
const MAX_FORM_AGE_MS = 24 * 3_600_000;

const TOO_FAST = 'The form was filled in faster than a person can type. Wait a moment and send it again.';
const EXPIRED = 'This form has expired. What you entered is still here; send it once more.';

/**
 * What the age of a form in ms says about who sends it: why it is refused, and whether it may be sent once more as it is.
 * `ageMs`: null for a form that the site has not issued.
 */
export function judgeFormAge(ageMs: number | null): {
  readonly problem: string | null;
  readonly isFresh: boolean;
} {
  if (ageMs === null || ageMs > MAX_FORM_AGE_MS) return { problem: EXPIRED, isFresh: false };
  return { problem: ageMs < MIN_FORM_AGE_MS ? TOO_FAST : null, isFresh: true };
}

/**
 * The flags of a form's event. A filled honeypot, a hidden field that only programs fill in, makes it that of a bot; it is
 * stored all the same, because the browser of a person may have filled it in, and what that person sent must not be lost.
 */
export function listFormFlags<Flag extends string>(
  honeypot: string,
  flags: readonly Flag[],
): readonly (Flag | 'bot')[] {
  return honeypot === '' ? flags : [...flags, 'bot'];
}
