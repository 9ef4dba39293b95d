import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildMedia } from './build-media.ts';
import { openBuildStamp } from './build-stamp.mjs';
import { bundleServer } from './bundle-server.ts';
import { checkContent } from './check-content.ts';
import { compressFiles } from './compress-files.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Checks the content, builds the code, draws the pictures, compresses the files. A wrong content file stops it before anything is built. */
const sealBuild = openBuildStamp();
const wrong = checkContent(path.join(ROOT, 'content'));
if (wrong !== null) {
  process.stderr.write(`${wrong}\n`);
  process.exit(1);
}
const built = spawnSync(path.join(ROOT, 'node_modules/.bin/astro'), ['build'], {
  cwd: ROOT,
  stdio: 'inherit',
  // A test runner sets NODE_ENV to "test", which would build the development form of React and of our own code.
  env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
});
if (built.status === 0) {
  await buildMedia({
    contentDir: path.join(ROOT, 'content'),
    outDir: path.join(ROOT, 'dist', 'client'),
    cacheDir: path.join(ROOT, '.cache', 'media'),
  });
  await bundleServer();
  await compressFiles(path.join(ROOT, 'dist', 'client'));
  sealBuild();
}
process.exit(built.status ?? 1);
