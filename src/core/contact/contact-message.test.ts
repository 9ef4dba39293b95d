import { expect, it } from 'vitest';
import {
  CONTACT_LIMITS,
  type ContactValues,
  checkContactValues,
  parseContactValues,
} from './contact-message.ts';

const topics = ['general', 'expert'];
const good: ContactValues = {
  topic: 'general',
  name: 'Ada Example',
  email: 'ada@example.com',
  message: 'Which plan?\nWe are three.',
};
const check = (change: Partial<ContactValues>) => checkContactValues({ ...good, ...change }, topics);

it('accepts a message with all four fields', () => {
  expect(check({})).toEqual({});
});

it.each([
  ['a topic that the form does not offer', { topic: 'evil' }, 'topic'],
  ['no topic', { topic: '' }, 'topic'],
  ['no name', { name: '' }, 'name'],
  ['a name of spaces', { name: ' \t ' }, 'name'],
  ['a name of invisible characters', { name: '\u202e\u200b' }, 'name'],
  ['a name that is too long', { name: 'a'.repeat(CONTACT_LIMITS.name + 1) }, 'name'],
  ['no address', { email: '' }, 'email'],
  ['an address without @', { email: 'ada.example.com' }, 'email'],
  ['an address without a dot', { email: 'ada@example' }, 'email'],
  ['an address with a space', { email: 'a da@example.com' }, 'email'],
  ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
  ['an address with a header in it', { email: 'a@example.com\nBcc: b@example.com' }, 'email'],
  ['an address that is too long', { email: `${'a'.repeat(250)}@example.com` }, 'email'],
  ['no message', { message: ' \n ' }, 'message'],
  ['a message that is too long', { message: 'a'.repeat(CONTACT_LIMITS.message + 1) }, 'message'],
])('refuses %s with an error at that field', (_, change, field) => {
  expect(Object.keys(check(change))).toEqual([field]);
});

it('names the length and the limit of a message that is too long', () => {
  expect(check({ message: 'a'.repeat(5_240) }).message).toContain(
    'has 5240 characters, and the limit is 5000',
  );
});

it.each([['ada+news@sub.example.co.uk'], ['ädä@bücher.example'], ["o'neil@example.com".replace("'", '.')]])(
  'accepts the address %s',
  (email) => {
    expect(check({ email })).toEqual({});
  },
);

it('counts a posted value that is not text as empty', () => {
  const posted: Record<string, unknown> = { topic: 1, name: ['x'], email: null, message: { toString: 'x' } };
  expect(parseContactValues((field) => posted[field])).toEqual({
    topic: '',
    name: '',
    email: '',
    message: '',
  });
});
