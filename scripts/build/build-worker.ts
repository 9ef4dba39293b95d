// Builds the site for workerd into edge/dist: the worker, its checked content, and the static files.
import path from 'node:path';
import { createSecurityHeaders } from '../../src/server/http/security-headers.ts';
import { remove, syncTree, writeDraft } from '../../src/stores/disk.ts';
import { ROOT } from '../start/pinned-node.mjs';
import { buildMedia } from './build-media.ts';
import { buildWorkerContent, WORKER_IMAGES } from './build-worker-content.ts';
import { CONTENT, checkContentOrExit, openBuildStamp, runAstroBuild } from './builds.ts';

const DIST = path.join(ROOT, 'edge', 'dist');
/** Folders whose files never change under their name. */
const HASHED = ['_astro', 'fonts', 'images'];

const completeStamp = openBuildStamp('edge/dist');
await checkContentOrExit();
remove(DIST);
// Standard output belongs to what was requested, such as an export.
runAstroBuild(['ignore', 2, 2], { BUILD_RUNTIME: 'cloudflare' });
await buildMedia({
  contentDir: CONTENT,
  outDir: path.join(DIST, 'client'),
  cacheDir: path.join(ROOT, '.cache', 'media'),
  manifestFile: WORKER_IMAGES,
});
for (const [name, text] of Object.entries(await buildWorkerContent(CONTENT, false)))
  await writeDraft(path.join(DIST, 'server', `${name}.json`), text);
await writeAssetHeaders(path.join(DIST, 'client'));
syncTree(DIST);
completeStamp();

/** Writes the `_headers` file of Workers static assets: the headers that the Node server sends with files. */
function writeAssetHeaders(folder: string): Promise<void> {
  const sources = { hsts: 'day' as const, imageHosts: [], analytics: null };
  const { file } = createSecurityHeaders(sources, { scripts: new Set(), styles: new Set() });
  const write = (pattern: string, headers: Readonly<Record<string, string>>) =>
    [pattern, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  const rules = [
    write('/*', { ...file, 'cache-control': 'public, max-age=3600' }),
    // A rule adds to what earlier rules have set, so the general value is removed first.
    ...HASHED.map((name) =>
      [`/${name}/*`, '  ! cache-control', '  cache-control: public, max-age=31536000, immutable'].join('\n'),
    ),
  ];
  return writeDraft(path.join(folder, '_headers'), `${rules.join('\n\n')}\n`);
}
