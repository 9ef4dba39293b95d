import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { stringifyParsed } from '../../src/content-files/parse-yaml.ts';
import { compressFully, isCompressible } from '../../src/runtimes/node/encoded-body.ts';
import { move, remove, syncTree, writeDraft } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';
import { buildMedia } from './build-media.ts';
import { CONTENT, checkContentOrExit, openBuildStamp, runAstroBuild } from './builds.ts';

const { BUILD_DIR = 'dist' } = process.env;
/** The build before is replaced once this one is whole. */
const DIST = path.join(ROOT, `${BUILD_DIR}.part`);

// npm run build: checks the content, builds the code, converts the images, compresses the files. An invalid content
// file stops it before anything is built. BUILD_DIR: the folder of the build, below the project.
const completeStamp = openBuildStamp(`${BUILD_DIR}.part`);
await checkContentOrExit();
remove(DIST);
runAstroBuild('inherit', { BUILD_DIR: DIST });
// The check has parsed the content.
await writeDraft(path.join(DIST, 'parsed.json'), stringifyParsed());
await buildMedia({
  contentDir: CONTENT,
  outDir: path.join(DIST, 'client'),
  cacheDir: path.join(ROOT, '.cache', 'media'),
  manifestFile: path.join(DIST, 'images.json'),
});
await compressFiles(path.join(DIST, 'client'));
// A power cut must not leave a build that counts as complete and has empty files.
syncTree(DIST);
completeStamp();
remove(path.join(ROOT, BUILD_DIR));
move(DIST, path.join(ROOT, BUILD_DIR));

/** Writes `.br` and `.gz` beside every file below `folder`, unless the file would not get smaller. */
async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isCompressible(getMimeType(entry.name) ?? ''))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const { br, gzip } = await compressFully(content);
      if (br.length < content.length) await writeDraft(`${file}.br`, br);
      if (gzip.length < content.length) await writeDraft(`${file}.gz`, gzip);
    }),
  );
}
