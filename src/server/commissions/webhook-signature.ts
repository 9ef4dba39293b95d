import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Network } from '../../core/commissions/commission-terms.ts';

/** The header with the hexadecimal HMAC-SHA256 of the body; null for networks that do not sign. */
const SIGNATURE_HEADERS: Readonly<Record<Network, string | null>> = {
  generic: null,
  firstpromoter: 'x-webhook-signature',
  partnerstack: null,
  impact: null,
  rewardful: 'x-rewardful-signature',
  dub: 'dub-signature',
};

/** Returns the signature of a webhook; null when the message is not signed. */
export function readSignature(headers: Headers): string | null {
  for (const name of Object.values(SIGNATURE_HEADERS)) {
    const value = name === null ? null : headers.get(name);
    if (value !== null) return value.trim();
  }
  return null;
}

/** Builds the header of a message that the site sends to itself as a test. */
export function buildSignatureHeader(body: string, secret: string): Readonly<Record<string, string>> {
  return { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') };
}

/** Whether a signature is the one of these bytes, in the same time for every signature of the right length. */
export function isSignatureValid(signature: string, body: Uint8Array, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(/^[\da-f]{64}$/i.test(signature) ? signature : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
