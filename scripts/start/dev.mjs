// @ts-check
// npm run dev: installs missing dependencies, serves the sources and reloads on save.
import { ensureDependencies } from './ensure-dependencies.mjs';
import { runPinned } from './pinned-node.mjs';

try {
  ensureDependencies();
} catch (error) {
  console.error(`Signpost cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
// Astro would look for a newer version of itself.
process.env['ASTRO_DISABLE_UPDATE_CHECK'] = 'true';
process.exit(
  await runPinned([
    '--import',
    './scripts/start/env-file.mjs',
    'node_modules/astro/bin/astro.mjs',
    'dev',
    ...process.argv.slice(2),
  ]),
);
