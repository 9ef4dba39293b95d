import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectEnvironment, ROOT } from '../start/pinned-node.mjs';

/** Paths of the programs with these names on the PATH, by name first. */
export function findPrograms(names: readonly string[]): string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).filter(isExecutable);
}

/** Whether a file exists and may be executed. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Path of a browser that runs. Installs one if it is missing, in the given ways one after the other. Throws with
 * instructions when none of them helps.
 */
export function ensureBrowser(options: {
  readonly name: string;
  /** The setting with the path of the operator's own. */
  readonly setting: string;
  /** Paths of those on this machine, best first. */
  readonly find: () => readonly string[];
  readonly installers: readonly (() => void)[];
  /** How to install one by hand. */
  readonly advice: string;
}): string {
  const { name, setting, find, installers, advice } = options;
  const findRunning = () => find().find(isRunningBrowser);
  const known = findRunning();
  if (known !== undefined) return known;
  const configured = process.env[setting];
  if (configured) throw new Error(`${setting} is ${configured}, which does not run as a browser.`);
  console.log(`No ${name} found; installing one …`);
  for (const install of installers) {
    install();
    const installed = findRunning();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `${name} is missing and could not be installed. Install one (${advice}), or set ${setting} to the path of yours.`,
  );
}

/** Whether a browser starts. Some systems ship a stub that only names a package to install. */
export function isRunningBrowser(file: string): boolean {
  return spawnSync(file, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** Installs packages of Debian; does nothing on other systems, and for users other than root. */
export function installPackages(...packages: string[]): void {
  const release = '/etc/os-release';
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'));
  if (process.getuid?.() !== 0 || !isDebian) return;
  if (!runInstaller('apt-get', ['update', '-q'])) return;
  runInstaller('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages]);
}

/** Runs a program that installs something and shows its output; true when it ends with code 0. */
export function runInstaller(command: string, args: readonly string[]): boolean {
  const env = { ...projectEnvironment(), DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { cwd: ROOT, env, stdio: 'inherit', timeout: 300_000 }).status === 0;
}
