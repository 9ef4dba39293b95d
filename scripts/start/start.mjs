// @ts-check
// npm start: installs missing dependencies, builds the site when a source has changed, serves it.
import { SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { runPinned } from './pinned-node.mjs';

try {
  ensureDependencies();
  ensureBuild();
} catch (error) {
  console.error(`Signpost cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
process.exit(
  await runPinned(['--import', './scripts/start/env-file.mjs', ...SERVE_FLAGS, 'dist/server/main.mjs']),
);
