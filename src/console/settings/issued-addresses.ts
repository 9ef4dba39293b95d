import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../core/text/parse-text.ts';
import type { TemporaryStore } from '../../stores/temporary-values.ts';
import type { IssuedAddress } from './settings-model.ts';

const MAX_ISSUED = 50;
const MAX_AGE_MS = 5 * 60_000;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const addressSchema = z.object({ title: z.string(), url: z.string(), note: z.string() });

/**
 * Secret addresses for the next page of the operator who has created them, shown once. They are stored encrypted with a
 * secret of the browser's session, which the database does not have.
 */
export class IssuedAddresses {
  readonly #getStore: () => TemporaryStore;
  readonly #now: () => number;

  /** `now` is the wall clock in ms since 1970. */
  constructor(getStore: () => TemporaryStore, now: () => number) {
    this.#getStore = getStore;
    this.#now = now;
  }

  async put(operatorId: string, address: IssuedAddress, secret: string): Promise<void> {
    const now = this.#now();
    const value = encrypt(JSON.stringify(address), secret);
    const stored = { kind: 'issued', key: operatorId, value, expiresAt: now + MAX_AGE_MS } as const;
    await this.#getStore().put(stored, { now, max: MAX_ISSUED });
  }

  async take(operatorId: string, secret: string): Promise<IssuedAddress | null> {
    const store = this.#getStore();
    const now = this.#now();
    if ((await store.read('issued', operatorId, now)) === null) return null;
    const value = await store.take('issued', operatorId, now);
    return addressSchema.safeParse(parseJson(decrypt(value ?? '', secret))).data ?? null;
  }
}

function encrypt(text: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, buildKey(secret), iv);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Empty when the text was not encrypted with the secret. */
function decrypt(text: string, secret: string): string {
  const bytes = Buffer.from(text, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, buildKey(secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return '';
  }
}

const buildKey = (secret: string) => createHash('sha256').update(secret).digest();
