import type { Tolerated } from './browser-test.ts';

/** For tests that open a page that does not exist. */
export const NOT_FOUND: Tolerated = {
  patterns: [/status of 404/, /^404: no page at/],
  reason: 'the browser notes the status of the page itself, and the page logs the unknown path, as specified',
};
