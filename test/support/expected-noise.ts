import type { Tolerated } from './browser-test.ts';

/** For tests that open a page that does not exist. */
export const NOT_FOUND: Tolerated = {
  patterns: [/status of 404/, /^404: no page at/],
  reason: 'the browser notes the status of the page itself, and the page logs the unknown path, as specified',
};

/** For tests that post a form without all its answers. */
export const UNFINISHED_FORM: Tolerated = {
  patterns: [/status of 422/],
  reason: 'the browser notes the status of the form, which the page explains',
};

/** For tests that open pages that do not exist, and the page that stands for one that fails. */
export const FAILED_PAGES: Tolerated = {
  patterns: [...NOT_FOUND.patterns, /status of 500/],
  reason: NOT_FOUND.reason,
};
