import { expect, site, test } from '../support/console-test.ts';
import { loadAndWeigh } from '../support/page-weight.ts';

const KB = 1024;
const SCRIPT_BYTES = 15 * KB;
const VIEW_BYTES = 60 * KB;

test('a first view is small and brings few scripts', async ({ page }) => {
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
});
