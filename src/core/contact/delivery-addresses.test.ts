import { expect, it } from 'vitest';
import { isWebhookAddress, parseSmtpUrl } from './delivery-addresses.ts';

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
])('accepts %s', (address) => {
  expect(isWebhookAddress(address)).toBe(true);
});

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
])('refuses %j', (address) => {
  expect(isWebhookAddress(address)).toBe(false);
});
