import { expect, it } from 'vitest';
import { checkNewsletterSignup, parseNewsletterSignup } from './newsletter-signup.ts';

const parse = (fields: Record<string, unknown>) => parseNewsletterSignup((field) => fields[field]);

it('accepts an email address with consent', () => {
  expect(checkNewsletterSignup(parse({ email: ' ada@example.com ', consent: 'yes' }))).toEqual({});
});

it.each([undefined, '', 'on', true])('refuses a sign-up whose consent is %j', (consent) => {
  const errors = checkNewsletterSignup(parse({ email: 'ada@example.com', consent }));
  expect(Object.keys(errors)).toEqual(['consent']);
});

it.each([
  undefined,
  '',
  'ada',
  'ada@example',
  'a@b.c\r\nBcc: d@e.f',
  'a@b.c,d@e.f',
  `${'a'.repeat(250)}@b.de`,
])('refuses %j as an email address', (email) => {
  expect(Object.keys(checkNewsletterSignup(parse({ email, consent: 'yes' })))).toEqual(['email']);
});
