import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright';
import { projectEnvironment, ROOT } from '../start/pinned-node.mjs';

/** Flags for a browser that runs in a container and connects to nothing but the pages under test. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

const HEADLESS_SHELL = 'chromium-headless-shell';
const BROWSERS = {
  Chromium: {
    /** The setting with the path of the operator's own. */
    setting: 'CHROMIUM_PATH',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    packages: ['chromium', 'fonts-liberation'],
    advice: 'on Debian: apt-get install chromium; elsewhere: npx playwright install --with-deps chromium',
  },
  Firefox: {
    setting: 'FIREFOX_PATH',
    programs: ['firefox-esr', 'firefox'],
    packages: ['firefox-esr'],
    advice: 'on Debian: apt-get install firefox-esr; elsewhere: from mozilla.org',
  },
};
type Browser = keyof typeof BROWSERS;

/**
 * Paths of every such browser on this machine, best first: that of its setting alone when it is set, else those of the
 * system, else the Chromium that Playwright installs.
 */
export function findBrowsers(name: Browser): string[] {
  const { setting, programs } = BROWSERS[name];
  const configured = process.env[setting];
  if (configured) return [configured];
  const own = name === 'Chromium' ? [chromium.executablePath()] : [];
  return [...findPrograms(programs), ...own.filter(isExecutable)];
}

/**
 * Path of a browser that runs. Installs one if it is missing: the package of Debian for root on Debian, else the
 * Chromium of Playwright. Throws with instructions when neither can be installed.
 */
function ensureBrowser(name: Browser): string {
  const { setting, packages, advice } = BROWSERS[name];
  const findRunning = () => findBrowsers(name).find(isRunningBrowser);
  const known = findRunning();
  if (known !== undefined) return known;
  const configured = process.env[setting];
  if (configured) throw new Error(`${setting} is ${configured}, which does not run as a browser.`);
  console.log(`No ${name} found; installing one …`);
  installPackages(...packages);
  if (name === 'Chromium' && findRunning() === undefined) runInstaller('playwright', ['install', 'chromium']);
  const installed = findRunning();
  if (installed !== undefined) return installed;
  throw new Error(
    `${name} is missing and could not be installed. Install one (${advice}), or set ${setting} to the path of yours.`,
  );
}

/**
 * Path of the headless shell, Chromium without its windows, in which a page takes a third of the processor time. Installs
 * it for root on Debian. Null when it is missing, or when CHROMIUM_PATH names the browser to use.
 */
function ensureHeadlessShell(): string | null {
  if (process.env['CHROMIUM_PATH']) return null;
  const find = () => findPrograms([HEADLESS_SHELL]).find(isRunningBrowser);
  const known = find();
  if (known !== undefined) return known;
  installPackages(HEADLESS_SHELL, 'fonts-liberation');
  return find() ?? null;
}

/** Paths of the programs with these names on the PATH, by name first. */
function findPrograms(names: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a browser starts. Some systems ship a stub that only names a package to install. */
function isRunningBrowser(file: string): boolean {
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** Installs packages of Debian; does nothing on other systems, and for users other than root. */
function installPackages(...packages: readonly string[]): void {
  const release = '/etc/os-release';
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
  if (process.getuid?.() !== 0 || !isDebian) return;
  if (!runInstaller('apt-get', ['update', '-q'])) return;
  runInstaller('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages]);
}

/** Runs a program that installs something and shows its output; true when it ends with code 0. */
function runInstaller(command: string, args: readonly string[]): boolean {
  const env = { ...projectEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { cwd: ROOT, env, stdio: 'inherit', timeout: 300_000 }).status === 0;
}

/** Has tests run in Chromium, installed when it is missing. Throws with instructions when it cannot be. */
export function useChromium(): void {
  const shell = ensureHeadlessShell();
  if (shell !== null) process.env['HEADLESS_SHELL'] = shell;
  process.env['CHROMIUM_PATH'] = ensureBrowser('Chromium');
}

/** The same for Firefox. */
export function useFirefox(): void {
  process.env['FIREFOX_PATH'] = ensureBrowser('Firefox');
}
