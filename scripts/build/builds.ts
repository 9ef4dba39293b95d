import { type StdioOptions, spawnSync } from 'node:child_process';
import path from 'node:path';
import { remove, writeWhole } from '../../src/stores/disk.ts';
import { buildStampFile, readSourceState } from '../start/ensure-build.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { canStart, checkContent, listFormerFields, listOldPriceWarnings } from './check-content.ts';

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

/** The content folder that a build reads. */
export const CONTENT = path.resolve(ROOT, process.env['CONTENT_DIR'] || 'content');

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
