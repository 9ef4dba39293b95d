import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { compressFully, isCompressible } from '../../src/server/node/encoded-body.ts';
import { openBuildStamp } from '../start/build-stamp.mjs';
import { buildMedia } from './build-media.ts';
import { checkContent } from './check-content.ts';
import { compactModules } from './compact-modules.ts';

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

/** Writes `.br` and `.gz` beside every file below `folder`, unless the file would not get smaller. */
async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCompressible(getMimeType(entry.name) ?? ''))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const { br, gzip } = await compressFully(content);
      if (br.length < content.length) writeFileSync(`${file}.br`, br);
      if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip);
    }),
  );
}
