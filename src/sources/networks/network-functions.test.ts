import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  decryptMessage,
  isSignatureValid,
  type Signature,
  type SignedMessage,
  signTest,
} from './network-functions.ts';

const NOW = 1_763_632_800_000;
const BODY = '{"id":1}';
const message = (headers: Record<string, string>, changes: Partial<SignedMessage> = {}): SignedMessage => ({
  headers: new Headers(headers),
  body: Buffer.from(BODY),
  fields: {},
  now: NOW,
  ...changes,
});
const HMAC: Signature = { uses: 'hmac-hex', header: 'dub-signature', secret: 'DUB_WEBHOOK_SECRET' };
const SVIX: Signature = { uses: 'svix', secret: 'TOLT_WEBHOOK_SECRET' };
const SVIX_SECRET = `whsec_${Buffer.from('a key of the service').toString('base64')}`;
const SHA: Signature = { uses: 'digistore24-sha', field: 'sha_sign', secret: 'DIGISTORE24_PASSPHRASE' };
const isValid = (spec: Signature, secret: string, sent: SignedMessage) =>
  isSignatureValid(spec, secret, sent, ['dub-signature']);

it('hmac-hex: only the HMAC of these bytes is valid, in the header of the file', () => {
  const headers = signTest(HMAC, 'secret', BODY, NOW);
  expect(headers).toEqual({ 'dub-signature': createHmac('sha256', 'secret').update(BODY).digest('hex') });
  expect(isValid(HMAC, 'secret', message(headers))).toBe(true);
  expect(isValid(HMAC, 'other', message(headers))).toBe(false);
  expect(isValid(HMAC, 'secret', message(headers, { body: Buffer.from(`${BODY} `) }))).toBe(false);
  expect(isValid(HMAC, 'secret', message({}))).toBe(false);
});

it('svix: the id, the time and the body are signed, one of several signatures is enough, and an old one is not', () => {
  const headers = signTest(SVIX, SVIX_SECRET, BODY, NOW);
  expect(isValid(SVIX, SVIX_SECRET, message(headers))).toBe(true);
  const several = { ...headers, 'svix-signature': `v1,AAAA ${headers['svix-signature']}` };
  expect(isValid(SVIX, SVIX_SECRET, message(several))).toBe(true);
  expect(isValid(SVIX, SVIX_SECRET, message({ ...headers, 'svix-id': 'other' }))).toBe(false);
  expect(isValid(SVIX, SVIX_SECRET, message(headers, { now: NOW + 300_000 }))).toBe(true);
  expect(isValid(SVIX, SVIX_SECRET, message(headers, { now: NOW + 301_000 }))).toBe(false);
});

it('digistore24-sha: sorted fields that are filled, each with the passphrase behind it', () => {
  const text = 'amount=5.00pass' + 'event=on_paymentpass';
  const sha_sign = createHash('sha512').update(text).digest('hex').toUpperCase();
  const fields = { event: 'on_payment', empty: '', amount: '5.00', sha_sign };
  expect(isValid(SHA, 'pass', message({}, { fields }))).toBe(true);
  expect(isValid(SHA, 'pass', message({}, { fields: { ...fields, amount: '50.00' } }))).toBe(false);
  expect(isValid(SHA, 'pass', message({}, { fields: { ...fields, sha_sign: '' } }))).toBe(false);
});

it('clickbank-aes: a message is read with its secret alone', () => {
  const key = createHash('sha1').update('secret').digest('hex').slice(0, 32);
  const iv = Buffer.alloc(16, 7);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const notification = Buffer.concat([cipher.update('{"receipt":"A1"}'), cipher.final()]).toString('base64');
  const fields = { notification, iv: iv.toString('base64') };
  expect(decryptMessage(fields, 'secret')).toEqual({ receipt: 'A1' });
  expect(decryptMessage(fields, 'other')).toBeNull();
  expect(decryptMessage({ notification: 'x', iv: 'y' }, 'secret')).toBeNull();
});
