import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import {
  CONTACT_LIMITS,
  type ContactValues,
  checkContactValues,
  parseContactValues,
} from './contact-message.ts';
import { isWebhookAddress, parseSmtpUrl } from './delivery-addresses.ts';
import { checkNewsletterSignup, parseNewsletterSignup } from './newsletter-signup.ts';

const parse = (fields: Record<string, unknown>) => parseNewsletterSignup((field) => fields[field]);

it('accepts an email address with consent', () =>
  expect(checkNewsletterSignup(parse({ email: ' ada@example.com ', consent: 'yes' }))).toEqual({}));

it.each([undefined, '', 'on', true])('refuses a sign-up whose consent is %j', (consent) => {
  const errors = checkNewsletterSignup(parse({ email: 'ada@example.com', consent }));
  expect(Object.keys(errors)).toEqual(['consent']);
});

it.each([
  undefined,
  '',
  'ada',
  'ada@example',
  'ada@example..com',
  'ada@.example.com',
  'ada@example.com.',
  "ada@exa'mple.com",
  'a@b.c\r\nBcc: d@e.f',
  'a@b.c,d@e.f',
  `${'a'.repeat(250)}@b.de`,
])('refuses %j as an email address', (email) => {
  expect(Object.keys(checkNewsletterSignup(parse({ email, consent: 'yes' })))).toEqual(['email']);
});

const topics = ['general', 'expert'];
const good: ContactValues = {
  topic: 'general',
  name: 'Ada Example',
  email: 'ada@example.com',
  message: 'Which plan?\nWe are three.',
};
const check = (change: Partial<ContactValues>) => checkContactValues({ ...good, ...change }, topics);

it('accepts a message with all four fields', () => expect(check({})).toEqual({}));

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

it('names the length and the limit of a message that is too long', () =>
  expect(check({ message: 'a'.repeat(5_240) }).message).toContain(
    'has 5240 characters, and the limit is 5000',
  ));

it.each([
  ['ada+news@sub.example.co.uk'],
  ['ädä@bücher.example'],
  ["o'brien@example.com"],
  ["d'angelo.m@example.it"],
  ['a!#$%&*+/=?^_`{|}~-b@example.com'],
])('accepts the address %s', (email) => expect(check({ email })).toEqual({}));

/** What fields of browsers take (HTML standard, valid email address), with the dot that an address of the internet has. */
const TAKEN =
  /^[a-z\d.!#$%&'*+/=?^_`{|}~-]{1,9}@[a-z\d](?:[a-z\d-]{0,9}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,9}[a-z\d])?){1,3}$/;

it('accepts each address that the field of a browser takes, with a dot behind its @', () =>
  forAll(1, [fc.stringMatching(TAKEN)], (email) => {
    expect(check({ email })).toEqual({});
  }));

it('counts a posted value that is not text as empty', () => {
  const posted: Record<string, unknown> = { topic: 1, name: ['x'], email: null, message: { toString: 'x' } };
  expect(parseContactValues((field) => posted[field])).toEqual({
    topic: '',
    name: '',
    email: '',
    message: '',
  });
});

it.each([
  [
    'smtps://me%40example.com:p%3Ass@mail.example.com',
    { host: 'mail.example.com', port: 465, isSecure: true, user: 'me@example.com', password: 'p:ss' },
  ],
  [
    'smtp://mail.example.com',
    { host: 'mail.example.com', port: 587, isSecure: false, user: '', password: '' },
  ],
  ['smtp://localhost:2525/', { host: 'localhost', port: 2525, isSecure: false, user: '', password: '' }],
  [
    'smtp://mail.example.com:465',
    { host: 'mail.example.com', port: 465, isSecure: true, user: '', password: '' },
  ],
  ['smtp://[::1]:25', { host: '::1', port: 25, isSecure: false, user: '', password: '' }],
])('parses %s', (text, address) => expect(parseSmtpUrl(text)).toEqual(address));

it.each([
  '',
  'mail.example.com',
  'https://mail.example.com',
  'smtp://',
  'smtp://a b',
  'smtp://host:99999',
  'smtp://%zz@host',
])('does not parse %j', (text) => expect(parseSmtpUrl(text)).toBeNull());

it.each([
  'https://hooks.example.com/a?b=c',
  'https://hooks.example.com:8443/',
  'http://localhost:3000/hook',
  'http://127.0.0.1/',
  'http://127.8.9.1:9/',
  'http://[::1]:3000/',
  // Other spellings of 127.0.0.1, as the URL parser reads them.
  'http://2130706433/',
  'http://0x7f.1/',
])('accepts %s', (address) => expect(isWebhookAddress(address)).toBe(true));

it.each([
  '',
  'hooks.example.com',
  'http://hooks.example.com/',
  'http://localhost.example.com/',
  'http://127.0.0.1.example.com/',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'http://0.0.0.0/',
  'http://[::ffff:10.0.0.1]/',
  'https://user:secret@hooks.example.com/',
  'http://localhost@evil.example.com/',
  'ftp://localhost/',
  'file:///etc/passwd',
  'javascript:alert(1)',
])('refuses %j', (address) => expect(isWebhookAddress(address)).toBe(false));
