import { createHmac, randomBytes } from 'node:crypto';
import { createTokenCheck } from '../http/token-check.ts';

/** The tokens of postback URLs: one for each partner, derived from one key, so that only the key is stored. */
export interface PostbackTokens {
  /** 192 bits, in the characters of base64url. */
  build(partnerKey: string): string;
  /** Whether a token is the partner's, in the same time for every token. */
  check(partnerKey: string, token: string): boolean;
}

/** The name of the key among the values that the ledger remembers. */
export const POSTBACK_KEY = 'postback-key';

/** Creates a key for the tokens. */
export function createPostbackKey(): string {
  return randomBytes(32).toString('hex');
}

/** Creates the tokens of a key. */
export function createPostbackTokens(key: string): PostbackTokens {
  const build = (partnerKey: string) =>
    createHmac('sha256', key).update(`postback ${partnerKey}`).digest().subarray(0, 24).toString('base64url');
  return { build, check: (partnerKey, token) => createTokenCheck(build(partnerKey))(token) };
}
