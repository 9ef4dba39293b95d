import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readContent } from '../src/adapters/content/read-content.ts';
import { ContentError } from '../src/core/content/content-error.ts';
import { openBuildStamp } from './build-stamp.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Checks the content, builds the code, draws the pictures. A wrong content file stops it before anything is built. */
const sealBuild = openBuildStamp();
try {
  readContent(path.join(ROOT, 'content'));
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
const built = spawnSync(path.join(ROOT, 'node_modules/.bin/astro'), ['build'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
});
if (built.status === 0) sealBuild();
process.exit(built.status ?? 1);
