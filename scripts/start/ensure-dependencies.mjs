// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outsidePath, PINNED_NODE, ROOT } from './pinned-node.mjs';

/** @typedef {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock */

/** Installs the dependencies when they are missing or differ from package-lock.json. Throws when npm fails. */
export function ensureDependencies() {
  if (existsSync(PINNED_NODE) && isInstalled(ROOT)) return;
  console.log('Installing dependencies (npm ci) …');
  install(ROOT);
  if (existsSync(PINNED_NODE)) return;
  throw new Error('npm ci did not install the pinned Node: allow the install script of the package "node".');
}

/**
 * Installs Cloudflare's tools, which are in the package `edge/` of a clone or a site, in the same way.
 * @param {string} folder
 */
export function ensureEdgeTools(folder) {
  ensurePackage(folder, 'the tools of Cloudflare Workers');
}

/** Installs Lighthouse, which only the benchmark needs, in the same way. */
export function ensureLighthouse() {
  ensurePackage(path.join(ROOT, 'tools/lighthouse'), 'Lighthouse');
}

/**
 * @param {string} folder
 * @param {string} title
 */
function ensurePackage(folder, title) {
  if (isInstalled(folder)) return;
  console.error(`Installing ${title} (npm ci in ${folder}) …`);
  install(folder);
}

/** @param {string} folder */
function install(folder) {
  // Without node_modules/.bin on the PATH: npm deletes that Node while it installs.
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      env: { ...process.env, PATH: outsidePath().join(path.delimiter) },
      // Standard output belongs to what was requested.
      stdio: ['inherit', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (error) throw new Error(`npm cannot be run: ${error.message}`);
  if (status !== 0) throw new Error('npm ci failed; its message is above.');
}

/**
 * npm writes its list of installed packages last, so an incomplete installation never matches.
 * @param {string} folder
 */
function isInstalled(folder) {
  const installed = readLock(path.join(folder, 'node_modules', '.package-lock.json'));
  const wanted = readLock(path.join(folder, 'package-lock.json'));
  if (!installed || !wanted) return false;
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
