import { type StdioOptions, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { findContentFolder } from '../../src/content-files/site-folder.ts';
import {
  copyWhole,
  createFolder,
  linkDraft,
  move,
  placeLink,
  remove,
  writeWhole,
} from '../../src/stores/disk.ts';
import { buildStampFile, readSourceState } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { canStart, checkContent, listFormerFields, listOldPriceWarnings } from './check-content.ts';

/** Folders whose files never change under their name. */
const HASHED = ['_astro', 'fonts', 'images'];
/** Pages that name these files stay in browsers and caches for a day after they became stale. */
const KEPT_MS = 7 * 24 * 3_600_000;
const KEPT_BUILDS = 2;
/** Builds that stay on the disk: a server may still load a module of the one that it was started from. */
const STORED_BUILDS = 5;
const LIST = 'former.json';

const keptSchema = z.array(z.object({ until: z.number(), files: z.array(z.string()) }));

/** The name of a folder for a build beside `dist`, in the order of time. */
export const nameBuild = (now: number): string =>
  `dist-${new Date(now).toISOString().replaceAll(/\D/g, '')}-${process.pid}`;

/**
 * Adds the hashed files of the two builds before, for seven days after they were replaced: visitors have pages of these
 * builds. `former`: the build that is served now; `next`: the new one.
 */
export function keepFormerFiles(former: string, next: string, now: number): void {
  const own = listHashed(next);
  const list = path.join(former, LIST);
  const before = existsSync(list) ? keptSchema.parse(JSON.parse(readFileSync(list, 'utf8'))) : [];
  const inherited = new Set(before.flatMap(({ files }) => files));
  const replaced = listHashed(former).filter((file) => !inherited.has(file));
  const kept = [{ until: now + KEPT_MS, files: replaced }, ...before]
    .filter(({ until, files }) => until > now && files.length > 0)
    .slice(0, KEPT_BUILDS);
  for (const file of new Set(kept.flatMap(({ files }) => files))) {
    if (own.includes(file)) continue;
    const [source, target] = [former, next].map((build) => path.join(build, 'client', file));
    if (source !== undefined && target !== undefined) linkOrCopy(source, target);
  }
  // What the new build has itself is replaced with it.
  const lists = kept.map(({ until, files }) => ({
    until,
    files: files.filter((file) => !own.includes(file)),
  }));
  writeWhole(path.join(next, LIST), JSON.stringify(lists));
}

const listHashed = (build: string): string[] =>
  HASHED.flatMap((folder) => {
    const full = path.join(build, 'client', folder);
    const entries = existsSync(full) ? readdirSync(full, { recursive: true, withFileTypes: true }) : [];
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(path.join(build, 'client'), path.join(entry.parentPath, entry.name)));
  });

function linkOrCopy(source: string, target: string): void {
  if (!existsSync(source)) return;
  createFolder(path.dirname(target));
  linkDraft(source, target);
}

/**
 * Marks a build as incomplete and returns the function that marks it as complete. The state is read now, so that a file
 * saved during the build makes the build stale. `folder`: of the build, below the project.
 */
export function openBuildStamp(folder: string): () => void {
  const stamp = buildStampFile(folder);
  remove(stamp);
  const state = readSourceState(ROOT);
  return () => writeWhole(stamp, state);
}

/**
 * Makes `dist` a link to a complete build, in one step: a server that was started by the link goes on in the folder of
 * its own build. Builds that are five builds old are removed.
 */
export function switchBuild(root: string, name: string): void {
  const link = path.join(root, 'dist');
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    // Earlier versions were built in the folder itself, and may run: their modules stay at their addresses.
    const server = path.join(link, 'server');
    for (const file of existsSync(server) ? readdirSync(server) : []) {
      const target = path.join(root, name, 'server', file);
      if (!existsSync(target) && lstatSync(path.join(server, file)).isFile())
        copyWhole(path.join(server, file), target);
    }
    move(link, path.join(root, nameBuild(0)));
  }
  placeLink(name, link);
  const builds = readdirSync(root).filter((entry) => /^dist-\d+-\d+$/.test(entry));
  const served = readlinkSync(link);
  for (const old of builds.sort().slice(0, -STORED_BUILDS))
    if (old !== path.basename(served)) remove(path.join(root, old));
}

/** The content folder that a build reads. */
export const CONTENT = path.resolve(ROOT, findContentFolder(ROOT, process.env['CONTENT_DIR']));

/**
 * Checks the content and prints the errors; ends the process when a site cannot start with it. Pages and articles that
 * are invalid are left out of the site.
 */
export async function checkContentOrExit(): Promise<void> {
  const problem = await checkContent(CONTENT);
  for (const warning of [...listOldPriceWarnings(CONTENT, problem), ...listFormerFields(CONTENT)])
    process.stderr.write(`${warning}\n`);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  if (!(await canStart(CONTENT))) process.exit(1);
  process.stderr.write('[content] The site is built without these files.\n');
}

/** Builds the code with Astro; ends the process when that fails. */
export function runAstroBuild(stdio: StdioOptions, env: Readonly<Record<string, string>> = {}): void {
  const { status } = spawnSync(path.join(ROOT, 'node_modules/.bin/astro'), ['build'], {
    cwd: ROOT,
    stdio,
    // A test runner sets NODE_ENV to "test", which would build the development version of React.
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}
