// @ts-check
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT, runPinnedSync } from './pinned-node.mjs';

/** @param {string} folder The folder of a build, below the project. */
export const buildStampFile = (folder) => path.join(ROOT, folder, '.build-stamp');

/** Everything that a build reads. */
const SOURCES = [
  'src',
  'content',
  'public',
  'deploy/site',
  'edge/package-lock.json',
  'edge/package.json',
  'edge/run-workerd.sh',
  'edge/tools.ts',
  'edge/wrangler.jsonc',
  'scripts',
  'migrations',
  'networks',
  'astro.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * State of the sources: changes when a file is written, added, renamed or removed.
 * Tests beside the sources are left out: they do not change a build.
 * @param {string} root
 * @param {readonly string[]} [sources] Files and folders; everything that a build reads when left out.
 * @returns {string}
 */
export function readSourceState(root, sources = SOURCES) {
  const hash = createHash('sha256');
  for (const source of sources) addToState(root, source, hash);
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} name
 * @param {import('node:crypto').Hash} hash
 */
function addToState(root, name, hash) {
  const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) {
    for (const entry of readdirSync(path.join(root, name)).sort()) addToState(root, `${name}/${entry}`, hash);
  } else if (!/\.test\.tsx?$/.test(name)) {
    hash.update(`${name}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
}

/**
 * Whether there is a complete build of the present sources.
 * @param {string} [folder] The folder of the build, below the project.
 */
export function isBuildFresh(folder = 'dist') {
  try {
    return readFileSync(buildStampFile(folder), 'utf8') === readSourceState(ROOT);
  } catch {
    return false;
  }
}

/** Builds the site when a source has changed since the last complete build. Throws when the build fails. */
export function ensureBuild() {
  const former = lstatSync(path.join(ROOT, 'site/content'), { throwIfNoEntry: false });
  if (former?.isDirectory())
    throw new Error(
      'this clone has a site in site/content, which this version does not read: ' +
        'npm run create -- ../my-site --from-clone .',
    );
  if (isBuildFresh()) return;
  console.log('Building the site …');
  runPinnedSync(['scripts/build/build.ts']);
}

/** Packs the site in the same way. */
export function ensurePackage() {
  if (isBuildFresh('release')) return;
  console.log('Packing the site …');
  runPinnedSync(['scripts/package.ts']);
}

/** Builds the worker for Cloudflare in the same way. */
export function ensureWorkerBuild() {
  if (isBuildFresh('edge/dist')) return;
  console.error('Building the worker …');
  runPinnedSync(['scripts/build/build-worker.ts']);
}
