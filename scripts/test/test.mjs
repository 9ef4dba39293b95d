// @ts-check
// npm test: installs missing dependencies, then runs the stages (scripts/test/run-tests.ts).
import { ensureDependencies } from '../start/ensure-dependencies.mjs';
import { runPinned } from '../start/pinned-node.mjs';

const TRIES = 3;

for (let attempt = 1; ; attempt += 1) {
  try {
    ensureDependencies();
    break;
  } catch (error) {
    console.error(`The tests cannot run: ${error instanceof Error ? error.message : error}`);
    if (attempt === TRIES) process.exit(2);
  }
}
process.exit(await runPinned(['scripts/test/run-tests.ts', ...process.argv.slice(2)]));
