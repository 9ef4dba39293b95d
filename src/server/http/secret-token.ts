import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Ledger } from '../../stores/ledger.ts';

/** Where the ledger keeps the secret of the links to what is not public. */
const PREVIEW_KEY = 'preview-token';

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

/**
 * Resolves with the secret of the links to what is not public; the first call makes it. `isNew`: another one, so that
 * earlier links open nothing any more. Rejects with `LedgerError`.
 */
export async function makePreviewToken(ledger: Ledger, isNew: boolean): Promise<string> {
  const token = createSecretToken();
  if (!isNew) return ledger.createState(PREVIEW_KEY, token);
  await ledger.writeState(PREVIEW_KEY, token);
  return token;
}

/**
 * Creates a check of that secret, and of `former`, which a site may have set (empty: none). While the ledger cannot be
 * read, what is not public stays closed.
 */
export function createPreviewCheck(former: string, ledger: Ledger): (given: string) => Promise<boolean> {
  const isFormer = createTokenCheck(former);
  return async (given) => {
    if (isFormer(given) || !isSecretToken(given)) return isFormer(given);
    const token = await ledger.readState(PREVIEW_KEY).catch(() => null);
    return createTokenCheck(token ?? '')(given);
  };
}
