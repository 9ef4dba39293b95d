// @ts-check
// npm start, npm run dev, demo and edge: installs what is missing, builds what has changed, runs the program.
import path from 'node:path';
import { SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { ensureBuild, ensureWorkerBuild } from './ensure-build.mjs';
import { ensureDependencies, ensureEdgeTools } from './ensure-dependencies.mjs';
import { ROOT, runPinned, runPinnedSync } from './pinned-node.mjs';
import { listSending } from './sending-settings.mjs';

const [name = 'start', ...words] = process.argv.slice(2);
const SETTINGS = ['--import', './scripts/start/env-file.mjs'];
const SITE = [...SERVE_FLAGS, 'dist/server/main.mjs'];

/** What is built, and the program with its arguments. @type {Readonly<Record<string, () => Promise<string[]>>>} */
const PROGRAMS = {
  async start() {
    ensureBuild();
    return [...SETTINGS, ...SITE];
  },
  async dev() {
    // Astro would look for a newer version of itself.
    process.env['ASTRO_DISABLE_UPDATE_CHECK'] = 'true';
    return [...SETTINGS, 'node_modules/astro/bin/astro.mjs', 'dev', ...words];
  },
  /** Fills a data folder of its own with generated data, which are sent to nobody and mixed with no real ones. */
  async demo() {
    await import('./env-file.mjs');
    ensureBuild();
    Object.assign(process.env, listSending(ROOT, Object.keys(process.env)));
    process.env['DATA_DIR'] = path.join(process.env['DATA_DIR'] || './data', 'demo');
    runPinnedSync(['src/commands/main.ts', 'demo', ...words]);
    return SITE;
  },
  async edge() {
    ensureEdgeTools();
    ensureWorkerBuild();
    return [...SETTINGS, 'src/runtimes/cloudflare/tools/main.ts', ...words];
  },
};

try {
  ensureDependencies();
  const args = await PROGRAMS[name]?.();
  if (args === undefined) throw new Error(`there is no program ${name}`);
  process.exit(await runPinned(args));
} catch (error) {
  console.error(`Signpost cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
