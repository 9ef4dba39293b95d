// @ts-check
// npm start, npm run dev, demo and create: installs what is missing, builds what has changed, runs the program.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { ensureBuild, ensurePackage } from './ensure-build.mjs';
import { ensureDependencies } from './ensure-dependencies.mjs';
import { outsidePath, ROOT, runPinned } from './pinned-node.mjs';

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
  async demo() {
    ensureBuild();
    return ['scripts/start/signpost.mjs', 'demo', ...words];
  },
};

/** The environment of the machine, whose Node a site runs on. Throws when it is too old, before anything is installed. */
function checkMachine() {
  const env = { ...process.env, PATH: outsidePath().join(path.delimiter) };
  const found = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout?.trim() || 'none';
  if (!(Number.parseInt(found.slice(1), 10) >= 24))
    throw new Error(
      `a site needs Node 24 or later, and this machine has ${found}. Install it from https://nodejs.org first. Nothing was changed.`,
    );
  return env;
}

try {
  const machine = name === 'create' ? checkMachine() : null;
  ensureDependencies();
  if (machine !== null) {
    ensurePackage();
    process.exit(await runPinned(['scripts/create.mjs', ...words], ROOT, 'node', machine));
  }
  const args = await PROGRAMS[name]?.();
  if (args === undefined) throw new Error(`there is no program ${name}`);
  process.exit(await runPinned(args));
} catch (error) {
  console.error(`Signpost cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
