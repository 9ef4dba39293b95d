import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright';
import { readRoutes } from '../test/support/routes.ts';
import { startSite } from '../test/support/site.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { ensureBuild } from './ensure-build.mjs';
import { CHROMIUM_ARGS } from './find-chromium.ts';
import { ROOT } from './pinned-node.mjs';

const FOLDER = path.join(ROOT, 'shots');
const WIDTHS = [390, 768, 1440];
const MODES = ['light', 'dark'] as const;
/** Pages that no sitemap lists. */
const UNLISTED = ['/blog?page=2', '/blog?q=nothing-like-this', '/no-such-page', '/go/highlevel?page=trial'];

const HELP = `Screenshots of every page, whole, at ${WIDTHS.join(', ')} px in both modes, into shots/.

  npm run shots                                     every page
  npm run shots -- /blog /assessment                these pages
  npm run shots -- --width 390 --mode dark /blog    one of them`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', multiple: true },
    mode: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  },
});
if (values.help) console.log(HELP);
else await takeAll();

async function takeAll(): Promise<void> {
  const widths = values.width?.map(Number) ?? WIDTHS;
  const modes = MODES.filter((mode) => values.mode?.includes(mode) ?? true);
  ensureBuild();
  const executablePath = ensureBrowser();
  const site = await startSite();
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const routes = positionals.length > 0 ? positionals : [...(await readRoutes(site.url)), ...UNLISTED];
    mkdirSync(FOLDER, { recursive: true });
    for (const width of widths) {
      for (const mode of modes) await takeShots(browser, site.url, routes, width, mode);
    }
    console.log(`${routes.length * widths.length * modes.length} screenshots in ${FOLDER}`);
  } finally {
    await browser.close();
    await site.remove();
  }
}

async function takeShots(
  browser: Browser,
  origin: string,
  routes: readonly string[],
  width: number,
  colorScheme: (typeof MODES)[number],
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
  });
  for (const route of routes) {
    await page.goto(origin + route, { waitUntil: 'networkidle' });
    await loadLazyParts(page);
    const file = `${nameOf(route)}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: path.join(FOLDER, file), fullPage: true });
  }
  await page.close();
}

/** Islands and images load when they come near the viewport, which a screenshot of the whole page does not move. */
async function loadLazyParts(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    scrollTo({ top: 0, behavior: 'instant' });
    await document.fonts.ready;
  });
  await page.waitForLoadState('networkidle');
}

function nameOf(route: string): string {
  return route === '/' ? 'home' : route.slice(1).replace(/[^a-z0-9-]+/gi, '.');
}
