import { cleanLines, cleanText } from '../journey/clean-text.ts';

/** Fields of the contact form, in their order. */
export const CONTACT_FIELDS = ['topic', 'name', 'email', 'message'] as const;

export type ContactField = (typeof CONTACT_FIELDS)[number];

/** What was typed, as typed. */
export type ContactValues = Readonly<Record<ContactField, string>>;

/** What is wrong, by field; `form` is about the whole. */
export type ContactErrors = Readonly<Partial<Record<ContactField | 'form', string>>>;

/** Most characters of each field. A longer text is refused and shown again, never cut. */
export const CONTACT_LIMITS = { topic: 64, name: 120, email: 254, message: 5_000 } as const;

const EMAIL = /^[^\s@<>()[\]"',;:\\]+@[^\s@<>()[\]"',;:\\]+\.[^\s@<>()[\]"',;:\\.]+$/;

/** Takes the fields out of whatever was posted; what is no text counts as empty. */
export function readContactValues(read: (field: ContactField) => unknown): ContactValues {
  const take = (field: ContactField) => {
    const value = read(field);
    return typeof value === 'string' ? value.slice(0, 60_000) : '';
  };
  return { topic: take('topic'), name: take('name'), email: take('email'), message: take('message') };
}

/** What a message looks like when it is stored: one line each, the message with its lines. */
export function cleanContactValues(values: ContactValues): ContactValues {
  return {
    topic: cleanText(values.topic, CONTACT_LIMITS.topic),
    name: cleanText(values.name, CONTACT_LIMITS.name),
    email: cleanText(values.email, CONTACT_LIMITS.email),
    message: cleanLines(values.message, CONTACT_LIMITS.message),
  };
}

/** Checks what was typed, with a sentence for each field that has to change. Empty: it can be sent. */
export function checkContactValues(values: ContactValues, topics: readonly string[]): ContactErrors {
  const errors: Partial<Record<ContactField, string>> = {};
  const { name, email, message } = cleanContactValues(values);
  if (!topics.includes(values.topic)) errors.topic = 'Choose what your message is about.';
  if (name === '') errors.name = 'Write your name, so that the answer can begin with it.';
  else if (values.name.length > CONTACT_LIMITS.name) errors.name = describeLength('name', values.name);
  if (email === '') errors.email = 'Write the e-mail address that the answer should go to.';
  else if (!EMAIL.test(email) || values.email.trim().length > CONTACT_LIMITS.email)
    errors.email = 'Check the e-mail address: it should look like name@example.com.';
  if (message === '') errors.message = 'Write a message.';
  else if (values.message.length > CONTACT_LIMITS.message)
    errors.message = describeLength('message', values.message);
  return errors;
}

function describeLength(field: 'name' | 'message', text: string): string {
  return `The ${field} has ${text.length} characters; ${CONTACT_LIMITS[field]} fit. Shorten it, or send it in parts.`;
}
