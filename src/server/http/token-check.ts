import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Creates a check of a secret that takes the same time for every value. An empty secret accepts no value. */
export function createTokenCheck(secret: string): (given: string) => boolean {
  const expected = digest(secret);
  return (given) => secret !== '' && timingSafeEqual(digest(given), expected);
}
