// @ts-check
// The flags of V8, with which `npm start`, `npm run serve` and the others start Node, and those that change while it runs.
// Plain JavaScript without dependencies, because `npm start` reads it before anything is installed. The reasons are in
// docs/decisions/serving.md.
import v8 from 'node:v8';

/** Flags of the process that serves. The Dockerfile and deploy/signpost.service repeat them, and a test compares. */
export const SERVE_FLAGS = ['--max-semi-space-size=32', '--heap-growing-percent=100', '--v8-pool-size=1'];

/** Flags of `signpost import`, whose exports can be larger than the memory that a small machine has left. */
export const IMPORT_FLAGS = [
  '--optimize-for-size',
  '--max-semi-space-size=4',
  '--heap-growing-percent=15',
  '--v8-pool-size=1',
];

/** Flags of `signpost commissions`, whose import of a long report leaves many objects that are no longer needed. */
export const COMMISSION_FLAGS = ['--max-semi-space-size=8'];

/**
 * Keeps the space for new objects as small as it begins: starting makes much that is thrown away at once, and what the
 * space grows for that (30 MB) is not given back. V8 takes this flag from a running process alone.
 */
export function keepYoungSpaceSmall() {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the space for new objects grow from now on, as serving under load needs. */
export function letYoungSpaceGrow() {
  v8.setFlagsFromString('--semi-space-growth-factor=2');
}
