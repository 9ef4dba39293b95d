import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { openBuildStamp } from '../start/build-stamp.mjs';
import { buildMedia } from './build-media.ts';
import { checkContent } from './check-content.ts';
import { compactModules } from './compact-modules.ts';
import { compressFiles } from './compress-files.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

// npm run build: checks the content, builds the code, converts the images, compresses the files. An invalid content
// file stops it before anything is built.
const completeStamp = openBuildStamp();
const problem = await checkContent(path.join(ROOT, 'content'));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
const built = spawnSync(path.join(ROOT, 'node_modules/.bin/astro'), ['build'], {
  cwd: ROOT,
  stdio: 'inherit',
  // A test runner sets NODE_ENV to "test", which would build the development version of React.
  env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
});
if (built.status === 0) {
  await compactModules(path.join(ROOT, 'dist', 'server'));
  await buildMedia({
    contentDir: path.join(ROOT, 'content'),
    outDir: path.join(ROOT, 'dist', 'client'),
    cacheDir: path.join(ROOT, '.cache', 'media'),
    manifestFile: path.join(ROOT, 'dist', 'images.json'),
  });
  await compressFiles(path.join(ROOT, 'dist', 'client'));
  completeStamp();
}
process.exit(built.status ?? 1);
