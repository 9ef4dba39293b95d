import { expect, it } from 'vitest';
import { parseSmtpUrl } from './smtp-address.ts';

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
])('parses %s', (text, address) => {
  expect(parseSmtpUrl(text)).toEqual(address);
});

it.each([
  '',
  'mail.example.com',
  'https://mail.example.com',
  'smtp://',
  'smtp://a b',
  'smtp://host:99999',
  'smtp://%zz@host',
])('does not parse %j', (text) => {
  expect(parseSmtpUrl(text)).toBeNull();
});
