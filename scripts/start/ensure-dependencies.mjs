// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outsidePath, PINNED_NODE, ROOT } from './pinned-node.mjs';

/** @typedef {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock */

/** Installs the dependencies when they are missing or differ from package-lock.json. Throws when npm fails. */
export function ensureDependencies() {
  if (isInstalled()) return;
  console.log('Installing dependencies (npm ci) …');
  // Without node_modules/.bin on the PATH: npm deletes that Node while it installs.
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: ROOT,
      env: { ...process.env, PATH: outsidePath().join(path.delimiter) },
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  );
  if (error) throw new Error(`npm cannot be run: ${error.message}`);
  if (status !== 0) throw new Error('npm ci failed; its message is above.');
  if (!existsSync(PINNED_NODE)) {
    throw new Error(
      'npm ci did not install the pinned Node: allow the install script of the package "node".',
    );
  }
}

/** npm writes its list of installed packages last, so an incomplete installation never matches. */
function isInstalled() {
  const installed = readLock(path.join(ROOT, 'node_modules', '.package-lock.json'));
  const wanted = readLock(path.join(ROOT, 'package-lock.json'));
  if (!installed || !wanted || !existsSync(PINNED_NODE)) return false;
  return Object.entries(wanted.packages).every(([name, entry]) => {
    if (name === '') return true;
    const found = installed.packages[name];
    return found
      ? found.version === entry.version && found.integrity === entry.integrity
      : entry.optional === true;
  });
}

/**
 * @param {string} file
 * @returns {Lock | null}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
