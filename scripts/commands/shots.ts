import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { readRoutes } from '../../test/support/routes.ts';
import { startSite } from '../../test/support/site.ts';
import { ensureBuild } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { CHROMIUM_ARGS, ensureChromium } from '../test/chromium.ts';
import { FLAG, failWithUsage, parseArguments } from './arguments/parse-arguments.ts';
import { compareShots, formatShotDifference } from './shots/compare-shots.ts';
import { takeConsoleShots } from './shots/take-console-shots.ts';

const WIDTHS = [390, 768, 1440];
const HEIGHT = 900;
const LIGHT_PAGE = '/no-such-page';
const SETTLE_MS = 250;
const MODES = ['light', 'dark'] as const;
const MAX_ATTEMPTS = 4;
/** Pages that no sitemap lists. */
const UNLISTED = ['/blog?page=2', '/blog?q=xylophone', '/no-such-page', '/go/highlevel?page=trial'];

/** Views of the console that docs/console.md shows. */
const DOCUMENTED_VIEWS = ['overview', 'pages', 'campaigns', 'commissions', 'unmatched'];

const USAGE = `Usage:
  npm run shots                                     every page
  npm run shots -- /blog /assessment                these pages
  npm run shots -- --width 390 --mode dark /blog    one of them
  npm run shots -- console [VIEW]...                the console's views with sample data
  npm run shots -- console --docs                   the images of docs/console.md
  npm run shots -- compare BEFORE AFTER             lists the images of two folders that differ

Takes full-page screenshots at ${WIDTHS.join(', ')} px in both modes, into shots/ or the folder of --out.`;

const { values, positionals } = parseArguments(USAGE, {
  options: {
    width: { type: 'string', multiple: true },
    mode: { type: 'string', multiple: true },
    out: { type: 'string', default: path.join(ROOT, 'shots') },
    docs: FLAG,
  },
  words: { min: 0, max: Number.POSITIVE_INFINITY },
});
if (positionals[0] === 'compare') await compare(positionals[1], positionals[2]);
else if (positionals[0] === 'console') await takeConsole(positionals.slice(1));
else await takeAll();

async function compare(before: string | undefined, after: string | undefined): Promise<void> {
  if (before === undefined || after === undefined) failWithUsage('compare requires two folders.', USAGE);
  const differences = await compareShots(before, after);
  for (const difference of differences) console.log(formatShotDifference(difference));
  console.log(`${differences.length} images differ`);
  if (differences.length > 0) process.exitCode = 1;
}

async function takeConsole(views: readonly string[]): Promise<void> {
  ensureBuild();
  const files = await takeConsoleShots({
    out: values.docs ? path.join(ROOT, 'docs/images') : values.out,
    widths: values.docs ? [1440] : (values.width?.map(Number) ?? WIDTHS),
    modes: MODES.filter((mode) => values.mode?.includes(mode) ?? true),
    views: values.docs && views.length === 0 ? DOCUMENTED_VIEWS : views,
    isForDocs: values.docs,
  });
  console.log(`${files.length} screenshots`);
}

async function takeAll(): Promise<void> {
  const widths = values.width?.map(Number) ?? WIDTHS;
  const modes = MODES.filter((mode) => values.mode?.includes(mode) ?? true);
  ensureBuild();
  const executablePath = ensureChromium();
  const site = await startSite();
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  try {
    const routes = positionals.length > 0 ? positionals : [...(await readRoutes(site.url)), ...UNLISTED];
    mkdirSync(values.out, { recursive: true });
    for (const width of widths) {
      for (const mode of modes) await takeShots(browser, site.url, routes, width, mode);
    }
    console.log(`${routes.length * widths.length * modes.length} screenshots in ${values.out}`);
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
  for (const route of routes) {
    // A page of its own: from a shared cache the browser may choose a larger image of a `srcset`.
    const page = await browser.newPage({
      viewport: { width, height: HEIGHT },
      colorScheme,
      reducedMotion: 'reduce',
    });
    await stayOn(page, origin);
    // The font is optional: a page shows it only when it is in the cache or arrives at once.
    await page.goto(origin + LIGHT_PAGE);
    await page.goto(origin + route, { waitUntil: 'networkidle' });
    await loadLazyParts(page);
    // `fullPage` lays the page out again for the capture, at times with other font sizes than those on the screen.
    const fullHeight = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: fullHeight });
    const file = `${nameOf(route)}-${width}-${colorScheme}.png`;
    const shot = await takeStableShot(page);
    if (!isAt(page, origin + route)) throw new Error(`${route} left for ${page.url()}`);
    writeFileSync(path.join(values.out, file), shot);
    await page.close();
  }
}

/** Pages may change their own query: the redirect page notes that it was shown. */
function isAt(page: Page, url: string): boolean {
  const [at, wanted] = [new URL(page.url()), new URL(url)];
  return at.origin === wanted.origin && at.pathname === wanted.pathname;
}

/** Keeps the redirect page, which leaves by itself, in the window: an answer without content ends a navigation. */
async function stayOn(page: Page, origin: string): Promise<void> {
  await page.route(
    (url) => url.origin !== origin,
    (route) => (route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.fallback()),
  );
}

/** Islands replace what the server rendered, so a shot counts once two in a row are equal. */
async function takeStableShot(page: Page): Promise<Buffer> {
  let shot = await page.screenshot();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await page.waitForTimeout(SETTLE_MS);
    const next = await page.screenshot();
    if (next.equals(shot)) return shot;
    shot = next;
  }
  return shot;
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
    await Promise.allSettled([...document.images].map((image) => image.decode()));
  });
  await page.waitForLoadState('networkidle');
}

function nameOf(route: string): string {
  return route === '/' ? 'home' : route.slice(1).replace(/[^a-z0-9-]+/gi, '.');
}
