import { randomFillSync } from 'node:crypto';

const BYTES = 9;
/** Filled for many ids at once: random bytes cost per call, not per byte. */
const pool = Buffer.alloc(BYTES * 1_000);
let next = pool.length;

/** Creates an id of 12 characters that is valid in headers, logs and URLs. */
export function createRequestId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  next += BYTES;
  return pool.toString('base64url', next - BYTES, next);
}
