import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_FULL_LENGTH } from './test/support/cases.ts';

/** How many files run at a time: as many as cores, and more of those whose tests wait. */
const countWorkers = (usual: number) => Number(process.env['TEST_WORKERS'] ?? usual);

/**
 * ms after which a test counts as hanging: an hour at full length. A test needs no limit of its own: one that is only
 * slow fails by the limit of its stage (`scripts/test/run-tests.ts`).
 */
const waitAtMost = (ms: number) => {
  const limit = IS_FULL_LENGTH ? 3_600_000 : ms;
  return { testTimeout: limit, hookTimeout: limit };
};

/** One seed, and no network. */
const SETUP = ['test/support/setup.ts', 'test/support/loopback-only.mjs'];

const FAULT = {
  ...waitAtMost(300_000),
  globalSetup: 'test/support/build-once.ts',
  setupFiles: SETUP,
  // As in the browser: a condition that is met late is met.
  expect: { poll: { timeout: 30_000, interval: 100 } },
};
const EDGE = {
  ...waitAtMost(300_000),
  globalSetup: 'test/support/build-worker-once.ts',
  setupFiles: SETUP,
};

/** Files that share a process have the same neighbors in each run: they run in the order of their paths. */
class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    // A failure shows whole values.
    chaiConfig: { truncateThreshold: 0 },
    // No test leaves to the next what it has replaced.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // What `npm test` leaves to `npm test -- rest`, and what has the machine for itself.
    tags: [{ name: 'rest' }, { name: 'measures' }],
    sequence: { sequencer: ByPath },
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers: countWorkers(2),
          // Loading the modules again for each file takes as long as the tests. A test restores what it replaces.
          pool: 'forks',
          isolate: false,
          setupFiles: [...SETUP, 'test/support/unit-setup.ts'],
          ...waitAtMost(120_000),
          expect: { poll: { timeout: 20_000 } },
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/*.test.ts', 'test/contract/**/*.test.ts'],
        },
      },
      {
        test: {
          ...FAULT,
          maxWorkers: countWorkers(3),
          sequence: { groupOrder: 1 },
          name: 'fault',
          include: ['test/fault/**/*.test.ts'],
        },
      },
      {
        test: {
          ...EDGE,
          maxWorkers: countWorkers(2),
          sequence: { groupOrder: 2 },
          name: 'edge',
          include: ['test/edge/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'systems',
          include: ['test/systems/**/*.test.ts'],
          globalSetup: 'test/support/build-once.ts',
          // Installs programs, so it has the network.
          setupFiles: ['test/support/setup.ts'],
          ...waitAtMost(240_000),
          fileParallelism: false,
        },
      },
    ],
  },
});
