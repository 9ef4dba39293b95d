import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Property tests run ten thousand cases, on machines that may be busy.
          testTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/*.test.ts', 'test/contract/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'fault',
          include: ['test/fault/**/*.test.ts'],
          globalSetup: 'test/support/build-once.ts',
          // A second try tells a busy machine from a defect; the run names the tests that needed one.
          retry: 1,
          testTimeout: 180_000,
          // As in the browser: a condition that is met late is met.
          expect: { poll: { timeout: 30_000 } },
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'edge',
          include: ['test/edge/**/*.test.ts'],
          globalSetup: 'test/support/build-worker-once.ts',
          retry: 1,
          testTimeout: 240_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'systems',
          include: ['test/systems/**/*.test.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
