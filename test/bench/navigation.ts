import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from 'chrome-launcher';
import { z } from 'zod';
import { CHROMIUM_ARGS, findChromiums } from '../../scripts/test/chromium.ts';
import { attachToTab } from './devtools.ts';

/** From the click on a link to the next page's paint. */
export interface Navigation {
  readonly ms: number;
  /** Whether the browser had loaded the page ahead, while the link was pointed at. */
  readonly wasAhead: boolean;
}

const POINTED_MS = 1_500;
const FIND_LINK = `(() => {
  const link = document.querySelector('main a[href^="/blog/"]:not([href*="/topic/"])');
  link.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = link.getClientRects()[0];
  return { path: link.getAttribute('href'), x: box.x + box.width / 2, y: box.y + box.height / 2 };
})()`;

const linkSchema = z.object({ path: z.string(), x: z.number(), y: z.number() });
const shownSchema = z.object({ shownAt: z.number(), wasAhead: z.boolean() });

/** Of the page of a path that is shown and painted: when that was, in ms since 1970. Else null. */
const readShown = (path: string) => `(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const paint = performance.getEntriesByName('first-contentful-paint')[0];
  if (location.pathname !== ${JSON.stringify(path)} || !paint || document.prerendering) return null;
  const ahead = navigation.activationStart;
  return { shownAt: performance.timeOrigin + Math.max(ahead, paint.startTime), wasAhead: ahead > 0 };
})()`;

/**
 * Points at a link of the front page, waits as long as a person reads it, presses it; `runs` times, `isStill` as
 * a visitor who prefers reduced motion, for whom the pages change without a transition. Playwright
 * would keep the browser from loading pages ahead.
 */
export async function measureNavigation(
  origin: string,
  runs: number,
  isStill: boolean,
): Promise<Navigation[]> {
  const measured: Navigation[] = [];
  const [chromePath] = findChromiums();
  for (let run = 0; run < runs; run += 1) {
    const chrome = await launch({
      ...(chromePath ? { chromePath } : {}),
      chromeFlags: [
        '--headless=new',
        '--window-size=1280,900',
        ...(isStill ? ['--force-prefers-reduced-motion'] : []),
        ...CHROMIUM_ARGS,
      ],
      startingUrl: `${origin}/`,
    });
    try {
      measured.push(await pressOnce(chrome.port));
    } finally {
      chrome.kill();
    }
  }
  return measured;
}

async function pressOnce(port: number): Promise<Navigation> {
  const tab = await attachToTab(port);
  await sleep(1_000);
  const [page] = tab.pages();
  if (!page) throw new Error('the browser has no page');
  const { path, x, y } = linkSchema.parse(await page.evaluate(FIND_LINK));
  const mouse = (type: string, more: object = {}) =>
    page.send('Input.dispatchMouseEvent', { type, x, y, ...more });
  await mouse('mouseMoved');
  await sleep(POINTED_MS);
  const press = { button: 'left', clickCount: 1 };
  await mouse('mousePressed', press);
  const pressedAt = Date.now();
  // This may stay unanswered: a page that was loaded ahead takes the place of the one that was asked.
  void mouse('mouseReleased', press);
  for (let tries = 0; tries < 200; tries += 1) {
    await sleep(25);
    for (const next of tab.pages()) {
      const shown = shownSchema.safeParse(await Promise.race([next.evaluate(readShown(path)), sleep(500)]));
      if (!shown.success) continue;
      tab.close();
      return { ms: shown.data.shownAt - pressedAt, wasAhead: shown.data.wasAhead };
    }
  }
  throw new Error(`${path} was not shown`);
}
