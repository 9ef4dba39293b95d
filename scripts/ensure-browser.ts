import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findChromiums } from './find-chromium.ts';
import { projectEnvironment, ROOT } from './pinned-node.mjs';

/**
 * Path of a Chromium that runs. Installs one when there is none: Debian's package when root on Debian, else
 * Playwright's own. Throws with what to do when none can be had.
 */
export function ensureBrowser(): string {
  const present = findRunning();
  if (present) return present;
  const set = process.env['CHROMIUM_PATH'];
  if (set) throw new Error(`CHROMIUM_PATH is ${set}, which does not run as a browser.`);
  console.log('No Chromium found; installing one …');
  if (isRootOnDebian()) installPackage();
  const packaged = findRunning();
  if (packaged) return packaged;
  run('playwright', ['install', 'chromium']);
  const own = findRunning();
  if (own) return own;
  throw new Error(
    'There is no Chromium and none could be installed. Install one (on Debian: apt-get install chromium; ' +
      'elsewhere: npx playwright install --with-deps chromium) or set CHROMIUM_PATH to yours.',
  );
}

function findRunning(): string | undefined {
  return findChromiums().find(isRunning);
}

/** A file of that name is not enough: some systems ship a stub that only names a package. */
function isRunning(file: string): boolean {
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

function isRootOnDebian(): boolean {
  const release = '/etc/os-release';
  return (
    process.getuid?.() === 0 && existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'))
  );
}

function installPackage(): void {
  if (run('apt-get', ['update', '-q'])) {
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-liberation']);
  }
}

function run(command: string, args: readonly string[]): boolean {
  const env = { ...projectEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { cwd: ROOT, env, stdio: 'inherit', timeout: 300_000 }).status === 0;
}
