// @ts-check
// The flags of V8, with which `npm start`, `signpost serve` and the others start Node, and those that change while it runs.
// Plain JavaScript without dependencies, because `npm start` reads it before anything is installed. The reasons are in
// docs/decisions/serving.md.
import v8 from 'node:v8';

/** Flags of the process that serves. The Dockerfile and signpost.service of a site repeat them, and a test compares. */
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

/** The code with which a demo in public ends at midnight UTC, when `signpost demo` makes its data anew. */
export const DEMO_RENEWAL = 75;

/**
 * Keeps the space for new objects as small as it begins: starting makes much that is thrown away at once, and what the
 * space grows for that (30 MB) is not given back. V8 takes this flag from a running process alone.
 */
export function keepYoungSpaceSmall() {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Runs what reads all content at once: with the whole of an import in it, the heap would take three times what it needs for
 * a moment, and a machine of 512 MB has no more.
 * @param {() => void} work
 */
export function spareMemory(work) {
  startSparing();
  try {
    work();
  } finally {
    letHeapsGrow();
  }
}

/** What was imported is read by then. */
const READ_MS = 60_000;
let imports = 0;

/**
 * Keeps the heaps of all threads as small while a site is moved in, which takes minutes and a heap of its own. Returns what
 * ends that a minute later, when what was imported has been read.
 */
export function spareForImport() {
  imports += 1;
  startSparing();
  return () =>
    void setTimeout(() => {
      imports -= 1;
      if (imports === 0) letHeapsGrow();
    }, READ_MS).unref();
}

function startSparing() {
  keepYoungSpaceSmall();
  v8.setFlagsFromString('--heap-growing-percent=15');
}

const bound = process.constrainedMemory();
/** A machine of 512 MB has no room for heaps of twice what they hold. */
const isSmall = bound > 0 && bound < 2 ** 30;

/** Lets the heaps and their spaces for new objects grow from now on, as serving under load needs. */
export function letHeapsGrow() {
  v8.setFlagsFromString(`--heap-growing-percent=${isSmall ? 40 : 100}`);
  v8.setFlagsFromString('--semi-space-growth-factor=2');
}
