import { defineConfig } from 'vitest/config';
import { IS_FULL_LENGTH } from './test/support/cases.ts';

/** How many files run at a time: as many as cores, and more of those whose tests wait. */
const WORKERS = Number(process.env['TEST_WORKERS'] ?? 2);

/** What measures time or memory runs alone; the others beside other tests, because most of them wait. */
const MEASURING = [
  'test/fault/article-stalls.test.ts',
  'test/fault/events-disk.test.ts',
  'test/fault/hostile-texts.test.ts',
  'test/fault/import-bounds.test.ts',
  'test/fault/overload.test.ts',
  'test/fault/start.test.ts',
  'test/edge/go-faults.test.ts',
];
const SIDE_BY_SIDE = { exclude: MEASURING, maxWorkers: WORKERS, sequence: { groupOrder: 1 } };

/**
 * ms after which a test counts as hanging: an hour at full length. A test needs no limit of its own: one that is only
 * slow fails by the limit of its stage (`scripts/test/run-tests.ts`).
 */
const waitAtMost = (ms: number) => {
  const limit = IS_FULL_LENGTH ? 3_600_000 : ms;
  return { testTimeout: limit, hookTimeout: limit };
};

const FAULT = {
  ...waitAtMost(300_000),
  globalSetup: 'test/support/build-once.ts',
  // A second try tells a busy machine from a defect; the run names the tests that needed one.
  retry: 1,
  // As in the browser: a condition that is met late is met.
  expect: { poll: { timeout: 30_000, interval: 100 } },
};
const EDGE = {
  ...waitAtMost(300_000),
  globalSetup: 'test/support/build-worker-once.ts',
  retry: 1,
};

export default defineConfig({
  test: {
    // A failure shows whole values.
    chaiConfig: { truncateThreshold: 0 },
    // What `npm test` leaves to `npm test -- rest`.
    tags: [{ name: 'rest' }],
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers: WORKERS,
          // Loading the modules again for each file takes as long as the tests. A test restores what it replaces.
          pool: 'forks',
          isolate: false,
          setupFiles: ['test/support/unit-setup.ts'],
          ...waitAtMost(120_000),
          expect: { poll: { timeout: 20_000 } },
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/*.test.ts', 'test/contract/**/*.test.ts'],
        },
      },
      {
        test: {
          ...FAULT,
          ...SIDE_BY_SIDE,
          maxWorkers: WORKERS + 1,
          name: 'fault',
          include: ['test/fault/**/*.test.ts'],
        },
      },
      {
        test: {
          ...FAULT,
          name: 'fault-alone',
          include: MEASURING.filter((file) => file.startsWith('test/fault/')),
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { ...EDGE, ...SIDE_BY_SIDE, name: 'edge', include: ['test/edge/**/*.test.ts'] } },
      {
        test: {
          ...EDGE,
          name: 'edge-alone',
          include: MEASURING.filter((file) => file.startsWith('test/edge/')),
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'systems',
          include: ['test/systems/**/*.test.ts'],
          globalSetup: 'test/support/build-once.ts',
          ...waitAtMost(240_000),
          fileParallelism: false,
        },
      },
    ],
  },
});
