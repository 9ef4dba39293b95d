import { chromium } from 'playwright';
import {
  ensureBrowser,
  findPrograms,
  installPackages,
  isExecutable,
  isRunningBrowser,
  runInstaller,
} from './install-browser.ts';

const SHELL = 'chromium-headless-shell';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Flags for a browser that runs in a container and connects to nothing but the pages under test. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * Paths of every Chromium on this machine, best first: CHROMIUM_PATH alone when it is set, else those of the system,
 * else the one that Playwright installs.
 */
export function findChromiums(): string[] {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured) return [configured];
  return [...findPrograms(NAMES), ...[chromium.executablePath()].filter(isExecutable)];
}

/**
 * Path of a Chromium that runs. Installs one if it is missing: the package of Debian for root on Debian, else the
 * browser of Playwright. Throws with instructions when neither can be installed.
 */
export function ensureChromium(): string {
  return ensureBrowser({
    name: 'Chromium',
    setting: 'CHROMIUM_PATH',
    find: findChromiums,
    installers: [
      () => installPackages('chromium', 'fonts-liberation'),
      () => runInstaller('playwright', ['install', 'chromium']),
    ],
    advice: 'on Debian: apt-get install chromium; elsewhere: npx playwright install --with-deps chromium',
  });
}

/**
 * Path of the headless shell, Chromium without its windows, in which a page takes a third of the processor time. Installs
 * it for root on Debian. Null when it is missing, or when CHROMIUM_PATH names the browser to use.
 */
export function ensureHeadlessShell(): string | null {
  if (process.env['CHROMIUM_PATH']) return null;
  const find = () => findPrograms([SHELL]).find(isRunningBrowser);
  const known = find();
  if (known !== undefined) return known;
  installPackages(SHELL, 'fonts-liberation');
  return find() ?? null;
}
