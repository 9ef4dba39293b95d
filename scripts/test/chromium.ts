import { chromium } from 'playwright';
import {
  findPrograms,
  installPackages,
  isExecutable,
  isRunningBrowser,
  runInstaller,
} from './install-browser.ts';

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
  const findRunning = () => findChromiums().find(isRunningBrowser);
  const installed = findRunning();
  if (installed) return installed;
  const configured = process.env['CHROMIUM_PATH'];
  if (configured) throw new Error(`CHROMIUM_PATH is ${configured}, which does not run as a browser.`);
  console.log('No Chromium found; installing one …');
  installPackages('chromium', 'fonts-liberation');
  const packaged = findRunning();
  if (packaged) return packaged;
  runInstaller('playwright', ['install', 'chromium']);
  const downloaded = findRunning();
  if (downloaded) return downloaded;
  throw new Error(
    'Chromium is missing and could not be installed. Install one (on Debian: apt-get install chromium; ' +
      'elsewhere: npx playwright install --with-deps chromium), or set CHROMIUM_PATH to the path of yours.',
  );
}
