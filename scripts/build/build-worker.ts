// Builds the site for workerd into edge/dist: the worker with the content folder, and the static files.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openBuildStamp } from '../start/build-stamp.mjs';
import { ROOT } from '../start/pinned-node.mjs';
import { buildMedia } from './build-media.ts';
import { checkContent } from './check-content.ts';
import { writeAssetHeaders } from './write-asset-headers.ts';

const CONTENT = path.join(ROOT, 'content');
const DIST = path.join(ROOT, 'edge', 'dist');

const completeStamp = openBuildStamp('edge/dist');
const problem = await checkContent(CONTENT);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
rmSync(DIST, { recursive: true, force: true });
const built = spawnSync(path.join(ROOT, 'node_modules/.bin/astro'), ['build'], {
  cwd: ROOT,
  // Standard output belongs to what was requested, such as an export.
  stdio: ['ignore', 2, 2],
  env: {
    ...process.env,
    NODE_ENV: 'production',
    ASTRO_TELEMETRY_DISABLED: '1',
    BUILD_RUNTIME: 'cloudflare',
  },
});
if (built.status === 0) {
  await buildMedia({
    contentDir: CONTENT,
    outDir: path.join(DIST, 'client'),
    cacheDir: path.join(ROOT, '.cache', 'media'),
    manifestFile: path.join(DIST, 'server', 'images.json'),
  });
  // Images and fonts are static files; everything else of the folder is read by the worker.
  const statics = ['images', 'fonts'].map((name) => path.join(CONTENT, name));
  cpSync(CONTENT, path.join(DIST, 'server', 'content'), {
    recursive: true,
    filter: (file) => !statics.some((one) => file.startsWith(one)) && !file.endsWith('.schema.json'),
  });
  writeAssetHeaders(path.join(DIST, 'client'));
  completeStamp();
}
process.exit(built.status ?? 1);
