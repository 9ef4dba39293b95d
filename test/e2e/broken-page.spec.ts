import { findAxeViolations, findContrastViolations } from '../support/accessibility.ts';
import { expect, test } from '../support/browser-test.ts';
import { findOverflow } from '../support/layout.ts';
import { findWrongHeaders, PAGE_POLICY } from '../support/raw-request.ts';
import { type Site, startSite } from '../support/site.ts';

/** Loaded ahead of a server: the assessment's page throws whenever it is rendered. */
const BREAK_PAGE = `import { registerHooks } from 'node:module';
  const source = "export const page = () => { throw new Error('a fault that no visitor may see'); };";
  const load = (url, context, next) => ({ ...next(url, context),
    ...(/\\/server\\/assessment_[^/]*\\.mjs$/.test(url) ? { source } : {}) });
  registerHooks({ load });`;
const FAULT = /a fault that no visitor may see|\bat .+\.(?:m?js|ts):\d+/;

let broken: Site;
test.beforeAll(async () => {
  broken = await startSite({
    env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(BREAK_PAGE)}` },
  });
});
test.afterAll(() => broken.remove());
test.use({
  contextOptions: { reducedMotion: 'reduce' },
  tolerated: { patterns: [/status of 500/], reason: 'the browser notes the status of the page that fails' },
});

test('a page that fails is the 500 page: number, way home, headers, no fault', async ({ page }) => {
  const response = await page.goto(`${broken.url}/assessment`);
  const headers = response?.headers() ?? {};
  expect(response?.status()).toBe(500);
  expect(findWrongHeaders(headers)).toEqual([]);
  for (const part of PAGE_POLICY) expect(headers['content-security-policy']).toMatch(part);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['retry-after']).toMatch(/^\d+$/);
  expect(await page.content()).not.toMatch(FAULT);
  expect(await page.content()).toMatch(/<meta name="robots" content="noindex/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expect(page.locator('main code')).toHaveText(headers['x-request-id'] ?? 'no number');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(`${broken.url}/`);
});

test('the 500 page can be read in both modes and with assistive technology', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${broken.url}/assessment`);
  expect(await findOverflow(page)).toEqual([]);
  expect(await findAxeViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findContrastViolations(page)).toEqual([]);
});

test('a page that fails is in the log under its number, and no other page suffers', async ({ request }) => {
  const numbers: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const response = await request.get(`${broken.url}/assessment`);
    expect(response.status()).toBe(500);
    numbers.push(response.headers()['x-request-id'] ?? 'no number');
    expect((await request.get(broken.url)).status()).toBe(200);
  }
  const readLog = () =>
    broken
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Record<string, unknown> => JSON.parse(line));
  for (const number of numbers)
    await expect.poll(readLog).toContainEqual(expect.objectContaining({ level: 'error', requestId: number }));
  expect(JSON.stringify(readLog())).toContain('a fault that no visitor may see');
});
