// @ts-check
// npm test: installs missing dependencies, then runs the stages (scripts/test/run-tests.ts).
import { ensureDependencies } from '../start/ensure-dependencies.mjs';
import { runPinned } from '../start/pinned-node.mjs';

try {
  ensureDependencies();
} catch (error) {
  console.error(`The tests cannot run: ${error instanceof Error ? error.message : error}`);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
process.exit(await runPinned(['scripts/test/run-tests.ts', ...process.argv.slice(2)]));
