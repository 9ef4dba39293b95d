import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findChromiums } from './scripts/test/chromium.ts';

const [executablePath] = findChromiums();

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  globalSetup: './test/support/build-once.ts',
  workers: 2,
  // A second try tells a busy machine from a defect; the run names the tests that needed one.
  retries: 1,
  timeout: 90_000,
  // Generous: a machine that builds beside the tests is slow, not wrong.
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'chromium',
      use: { launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) } },
    },
    {
      // The system's Firefox through WebDriver BiDi, for what depends most on the browser.
      name: 'firefox',
      testMatch: /\/(journey|redirect|assessment|calculators|layout)\.spec\.ts$/,
      // Tests tagged `@chromium` say why.
      grepInvert: /@chromium/,
      use: {
        // The style sheet that a screenshot adds would count as a violation of the page's policy.
        screenshot: 'off',
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: path.join(import.meta.dirname, 'scripts/test/firefox-proxy.ts') },
      },
    },
  ],
});
