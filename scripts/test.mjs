// @ts-check
// npm test: installs what is missing, then runs every check. `npm test -- unit` runs one part.
import { ensureDependencies } from './ensure-dependencies.mjs';
import { runPinned } from './pinned-node.mjs';

try {
  ensureDependencies();
} catch (error) {
  console.error(`The tests cannot run: ${error instanceof Error ? error.message : error}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
process.exit(await runPinned(['scripts/run-checks.ts', ...process.argv.slice(2)]));
