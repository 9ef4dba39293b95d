import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN = /^[\w-]{43}$/;

/** Creates a secret of 32 random bytes for a cookie or an address, base64url. */
export function createSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of such a secret. */
export function isSecretToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What is stored of a secret. It has 256 random bits, so a fast hash is enough. */
export function hashSecretToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** A value that belongs to a secret and does not reveal it. */
export function deriveFromToken(token: string, purpose: string): string {
  return createHmac('sha256', token).update(purpose).digest('base64url');
}

const digest = (text: string) => hash('sha256', text, 'buffer');

/** Creates a check of a secret that takes the same time for every value. An empty secret accepts no value. */
export function createTokenCheck(secret: string): (given: string) => boolean {
  const expected = digest(secret);
  return (given) => secret !== '' && timingSafeEqual(digest(given), expected);
}
