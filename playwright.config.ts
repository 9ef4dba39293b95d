import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromiums } from './scripts/find-chromium.ts';

const [executablePath] = findChromiums();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  globalSetup: './test/support/build-once.ts',
  workers: 2,
  retries: 0,
  timeout: 90_000,
  // Generous: a machine that builds beside the tests is slow, not wrong.
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
  },
});
