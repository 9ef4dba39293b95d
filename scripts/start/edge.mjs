// @ts-check
// npm run edge: installs what is missing, builds the worker when a source has changed, runs src/runtimes/cloudflare/tools/main.ts.
import { ensureWorkerBuild } from './ensure-build.mjs';
import { ensureDependencies, ensureEdgeTools } from './ensure-dependencies.mjs';
import { runPinned } from './pinned-node.mjs';

try {
  ensureDependencies();
  ensureEdgeTools();
  ensureWorkerBuild();
} catch (error) {
  console.error(`The worker cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
process.exit(
  await runPinned([
    '--import',
    './scripts/start/env-file.mjs',
    'src/runtimes/cloudflare/tools/main.ts',
    ...process.argv.slice(2),
  ]),
);
