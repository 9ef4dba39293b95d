import { expect, test } from '../support/browser-test.ts';
import { readConsoleUrl, setUpOperator } from '../support/console-access.ts';
import { seedConsole } from '../support/console-data.ts';
import { loadAndWeigh } from '../support/page-weight.ts';
import { type Site, startSite } from '../support/site.ts';

const KB = 1024;
const SCRIPT_BYTES = 15 * KB;
const VIEW_BYTES = 60 * KB;
/** What is left of A4 between the margins of a statement, in CSS pixels. */
const SHEET_WIDTH = 688;

let site: Site;
let cookie: string;
test.beforeAll(async () => {
  site = await startSite();
  cookie = await setUpOperator(await readConsoleUrl(site));
  await seedConsole(site);
});
test.afterAll(() => site.remove());
test.beforeEach(async ({ context }) => {
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: 'Strict' }]);
});

test('a first view is small and brings few scripts, and prints without navigation and within the sheet', async ({
  page,
}) => {
  for (const view of ['', '/pages', '/journeys']) {
    const loaded = await loadAndWeigh(page, `${site.url}/console${view}`);
    const scripts = loaded
      .filter(({ type }) => type.endsWith('script'))
      .reduce((total, { bytes }) => total + bytes, 0);
    expect.soft(scripts, `${view}: scripts`).toBeGreaterThan(0);
    expect.soft(scripts, `${view}: scripts`).toBeLessThanOrEqual(SCRIPT_BYTES);
    const all = loaded.reduce((total, { bytes }) => total + bytes, 0);
    expect.soft(all, `${view}: everything`).toBeLessThanOrEqual(VIEW_BYTES);
  }
  await page.setViewportSize({ width: SHEET_WIDTH, height: 900 });
  await page.emulateMedia({ media: 'print' });
  for (const view of ['', '/pages', '/campaigns', '/partners']) {
    await page.goto(`${site.url}/console${view}`);
    await expect(page.locator('.statement-head')).toBeVisible();
    for (const part of ['.rail', '.rail-sheet', '.bar', '.bar-sheet', '.share-link']) {
      expect.soft(await page.locator(part).filter({ visible: true }).count(), `${view}: ${part}`).toBe(0);
    }
    const widest = await page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll('main table')].map((table) => table.getBoundingClientRect().right),
      ),
    );
    expect.soft(widest, `${view}: the widest table`).toBeGreaterThan(100);
    expect.soft(widest, `${view}: the widest table`).toBeLessThanOrEqual(SHEET_WIDTH);
  }
});
