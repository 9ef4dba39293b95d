import type { Browser } from 'playwright';

/** From the press of a link to the next page's paint. */
export interface Navigation {
  readonly ms: number;
  /** Whether the browser had loaded the page ahead, while the link was pointed at. */
  readonly wasAhead: boolean;
}

const POINTED_MS = 1_500;

/** Points at a link of the front page, waits as long as a person reads it, presses it; `runs` times. */
export async function measureNavigation(
  browser: Browser,
  origin: string,
  runs: number,
): Promise<Navigation[]> {
  const measured: Navigation[] = [];
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/`, { waitUntil: 'load' });
    await page.evaluate(() => {
      const note = () =>
        sessionStorage.setItem('pressed', String(performance.timeOrigin + performance.now()));
      document.addEventListener('click', note, { capture: true });
    });
    const link = page.locator('main a[href^="/blog/"]').first();
    await link.hover();
    await page.waitForTimeout(POINTED_MS);
    const path = await link.getAttribute('href');
    await link.click();
    await page.waitForURL(origin + path);
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    measured.push(
      await page.evaluate(() => {
        const pressed = Number(sessionStorage.getItem('pressed'));
        const [navigation] = performance.getEntriesByType('navigation');
        const activated =
          navigation && 'activationStart' in navigation ? Number(navigation.activationStart) : 0;
        const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
        return {
          ms: performance.timeOrigin + Math.max(activated, painted) - pressed,
          wasAhead: activated > 0,
        };
      }),
    );
    await context.close();
  }
  return measured;
}
