import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import sharp from 'sharp';
import { buildConsoleAddress } from '../../../src/console/figures/addresses.ts';
import { CONSOLE_VIEWS } from '../../../src/core/console/console-view.ts';
import { readConsoleUrl } from '../../../test/support/console-access.ts';
import { startSite } from '../../../test/support/site.ts';
import { PINNED_NODE, ROOT } from '../../start/pinned-node.mjs';
import { CHROMIUM_ARGS, ensureChromium } from '../../test/chromium.ts';

/** What to take. */
export interface ConsoleShotOptions {
  /** Folder of the images. */
  readonly out: string;
  readonly widths: readonly number[];
  readonly modes: readonly ('light' | 'dark')[];
  /** Only these views, by key; all when empty. */
  readonly views: readonly string[];
  /** Only the upper part of each view, as WebP for the documentation, in place of PNG files of whole views. */
  readonly isForDocs: boolean;
}

const PASSWORD = 'sample-data-password';
const HEIGHT = 960;
const WEBP_QUALITY = 82;

/** Generates sample data, signs in, and takes a screenshot of every view. Resolves with the files' paths. */
export async function takeConsoleShots(options: ConsoleShotOptions): Promise<string[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'signpost-shots-'));
  const { status } = spawnSync(PINNED_NODE, ['scripts/commands/demo.ts'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sample data could not be generated.');
  const site = await startSite({ env: { DATA_DIR: dataDir } });
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  try {
    const state = await signIn(browser, await readConsoleUrl(site));
    mkdirSync(options.out, { recursive: true });
    const files: string[] = [];
    for (const width of options.widths) {
      for (const mode of options.modes)
        files.push(...(await takeViews(browser, site.url, { state, width, mode }, options)));
    }
    return files;
  } finally {
    await browser.close();
    await site.remove();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type State = Awaited<ReturnType<typeof signIn>>;

async function signIn(browser: Browser, setupUrl: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(setupUrl);
  await page.getByLabel('Name', { exact: true }).fill('Operator');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('main').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

async function takeViews(
  browser: Browser,
  origin: string,
  { state, width, mode }: { readonly state: State; readonly width: number; readonly mode: 'light' | 'dark' },
  { out, views, isForDocs }: ConsoleShotOptions,
): Promise<string[]> {
  const files: string[] = [];
  const context = await browser.newContext({
    storageState: state,
    viewport: { width, height: HEIGHT },
    colorScheme: mode,
    reducedMotion: 'reduce',
  });
  for (const { key } of CONSOLE_VIEWS) {
    if (views.length > 0 && !views.includes(key)) continue;
    const page = await context.newPage();
    // The font is optional: a page shows it only when it is in the cache.
    await page.goto(origin + buildConsoleAddress(key));
    await page.reload();
    await page.evaluate(() => document.fonts.ready);
    const image = await page.screenshot({ fullPage: !isForDocs });
    const file = path.join(
      out,
      isForDocs ? `console-${key}-${mode}.webp` : `console-${key}-${width}-${mode}.png`,
    );
    writeFileSync(file, isForDocs ? await sharp(image).webp({ quality: WEBP_QUALITY }).toBuffer() : image);
    files.push(file);
    await page.close();
  }
  await context.close();
  return files;
}
