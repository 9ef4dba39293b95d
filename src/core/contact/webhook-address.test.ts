import { expect, it } from 'vitest';
import { isWebhookAddress } from './webhook-address.ts';

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
