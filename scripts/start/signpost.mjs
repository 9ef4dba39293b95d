#!/usr/bin/env node
// @ts-check
// signpost NAME [ARGUMENT]...: runs a command of src/commands/main.ts with its flags of V8 and the settings of .env, in place
// of this process; signpost serve runs the built site, signpost demo what npm run demo does.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMMISSION_FLAGS, IMPORT_FLAGS, SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import { PINNED_NODE, projectEnvironment, ROOT, runPinned } from './pinned-node.mjs';

const FLAGS = new Map([
  ['commissions', COMMISSION_FLAGS],
  ['import', IMPORT_FLAGS],
]);

/** Node strips no types below node_modules. */
const TYPES = ROOT.split(path.sep).includes('node_modules')
  ? [
      '--disable-warning=ExperimentalWarning',
      '--import',
      pathToFileURL(path.join(ROOT, 'scripts/start/strip-types.mjs')).href,
    ]
  : [];

const [name = ''] = process.argv.slice(2);
if (name === 'demo') await import('./start.mjs');
// The schema of pages depends on no setting.
if (name !== 'page-schema') await import('./env-file.mjs');
const args =
  name === 'serve'
    ? [...SERVE_FLAGS, 'dist/server/main.mjs']
    : [
        ...(FLAGS.get(name) ?? []),
        ...TYPES,
        path.join(ROOT, 'src/commands/main.ts'),
        ...process.argv.slice(2),
      ];
if (process.platform === 'win32') process.exit(await runPinned(args, process.cwd()));
// The container has no Node of its own beside the one that runs this.
const node = existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath;
// @ts-expect-error: the types do not know it yet.
process.execve(node, [node, ...args], projectEnvironment());
