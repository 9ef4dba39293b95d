import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, findBrowsers } from './scripts/test/browsers.ts';
import { BROWSER_REST } from './scripts/test/rest.ts';
import { IS_FULL_LENGTH } from './test/support/cases.ts';
import { NEW_SITE_ROOT } from './test/support/site.ts';

// `npm test` chooses the headless shell, which is faster.
const executablePath = process.env['HEADLESS_SHELL'] || findBrowsers('Chromium')[0];

/** Processes of Chromium, and the messages between them, take a tenth of the processor time of the tests. */
const FEW_PROCESSES = [
  '--in-process-gpu',
  '--disable-site-isolation-trials',
  '--process-per-site',
  '--renderer-process-limit=1',
];
const CHROMIUM = {
  launchOptions: {
    args: [...CHROMIUM_ARGS, ...FEW_PROCESSES],
    ...(executablePath ? { executablePath } : {}),
  },
};
const APART = /\/(new-site|screenshots|pictures)\.spec\.ts$/;

const LENGTH = process.env['TEST_LENGTH'];
const CHOSEN =
  LENGTH === 'usual' ? { grepInvert: BROWSER_REST } : LENGTH === 'rest' ? { grep: BROWSER_REST } : {};

export default defineConfig<object, { siteRoot: string }>({
  testDir: 'test/e2e',
  outputDir: process.env['TEST_OUTPUT'] ?? 'test-results',
  globalSetup: './test/support/build-once.ts',
  // More than cores, because tests wait for servers and pages.
  workers: Number(process.env['TEST_WORKERS'] ?? 3),
  timeout: IS_FULL_LENGTH ? 3_600_000 : 240_000,
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
      ...CHOSEN,
      testIgnore: APART,
      use: CHROMIUM,
    },
    {
      // The site on workerd instead of Node: `npm test -- edge` sets SITE_RUNTIME=workers.
      name: 'workers',
      // What the runtime does itself; pages, styles and scripts are the same files on both. What visits and the console
      // store in D1, the tests in workerd know as well.
      testMatch: IS_FULL_LENGTH
        ? /\/(serving|security-headers|journey|redirect|pages-contact|console-(sign-in|work))\.spec\.ts$/
        : /\/(serving|security-headers|redirect|pages-contact)\.spec\.ts$/,
      // Tests tagged `@node` say why; those tagged `@full` run here at full length.
      grepInvert: IS_FULL_LENGTH ? /@node/ : /@node|@full/,
      use: CHROMIUM,
    },
    {
      // Compares with the images in `shots/`, to see what a change has changed.
      name: 'screenshots',
      testMatch: /\/screenshots\.spec\.ts$/,
      snapshotPathTemplate: 'shots/{arg}{ext}',
      use: CHROMIUM,
    },
    { name: 'pictures', testMatch: /\/pictures\.spec\.ts$/, retries: 0, use: CHROMIUM },
    { name: 'build-new-site', testMatch: /\/build-new-site\.ts$/ },
    {
      // The site that `signpost new site` creates: what every site has to do, whatever it is about.
      name: 'new-site',
      dependencies: ['build-new-site'],
      grep: /@generic/,
      use: { ...CHROMIUM, siteRoot: NEW_SITE_ROOT },
    },
    {
      // The system's Firefox through WebDriver BiDi, for what depends most on the browser.
      name: 'firefox',
      testMatch: IS_FULL_LENGTH
        ? /\/(journey|storage-free|redirect|assessment|beside|console-(layout|first-run|sheet|editor)|editor-journey)\.spec\.ts$/
        : /\/(journey|storage-free|redirect|assessment|console-layout|editor-journey)\.spec\.ts$/,
      // Tests tagged `@chromium` say why; those tagged `@full` run here at full length.
      grepInvert: IS_FULL_LENGTH ? /@chromium/ : /@chromium|@full/,
      use: {
        // The style sheet that a screenshot adds would count as a violation of the page's policy.
        screenshot: 'off',
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: path.join(import.meta.dirname, 'scripts/test/firefox-proxy.ts'),
          // What Firefox fetches anew in the background looks to Playwright like a navigation that never ends.
          firefoxUserPrefs: { 'network.http.stale_while_revalidate.enabled': false },
        },
      },
    },
  ],
});
