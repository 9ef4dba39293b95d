import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensureEdgeTools } from '../scripts/start/ensure-dependencies.mjs';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { createFolder, writeWhole } from '../src/stores/disk.ts';

const isClone = path.basename(import.meta.dirname) === 'edge';

/** The folder of the worker, with its configuration, its build and its tools: in a clone this one, else that of the site. */
export const EDGE = isClone ? import.meta.dirname : path.resolve('edge');

if (!isClone) writeFiles();
ensureEdgeTools(EDGE);

/** Gives the folder of a site what the package has for it. The configuration is the site's own from then on. */
function writeFiles(): void {
  createFolder(EDGE);
  // npm leaves the file of this name out of a package.
  writeWhole(path.join(EDGE, '.npmrc'), 'legacy-peer-deps=true\n');
  for (const name of ['package.json', 'package-lock.json', 'wrangler.jsonc']) {
    const file = path.join(EDGE, name);
    if (name === 'wrangler.jsonc' && existsSync(file)) continue;
    const text = readFileSync(path.join(ROOT, 'edge', name), 'utf8');
    writeWhole(file, text.replaceAll('../migrations', '../node_modules/signpost/migrations'));
  }
}

/** What is installed in that folder alone: packages are found from the folder of the file that imports them. */
const load = createRequire(path.join(EDGE, 'package.json'));

export type Miniflare = import('miniflare').Miniflare;
export const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = load(
  'miniflare',
) as typeof import('miniflare');
export const {
  startRemoteProxySession,
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} = load('wrangler') as typeof import('wrangler');

/** Loads workerd, a CommonJS module whose default export is the path of the program for this machine. */
export const loadWorkerd = (): unknown => load('workerd');
