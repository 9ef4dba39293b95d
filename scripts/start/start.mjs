// @ts-check
// npm start: installs what is missing, builds what has changed, serves.
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
process.exit(await runPinned(['--import', './scripts/env-file.mjs', 'dist/server/main.mjs']));
