// @ts-check
// npm start: installs missing dependencies, builds the site when a source has changed, serves it.
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
  await runPinned([
    '--import',
    './scripts/start/env-file.mjs',
    '--max-semi-space-size=16',
    '--heap-growing-percent=25',
    '--v8-pool-size=1',
    'dist/server/main.mjs',
  ]),
);
