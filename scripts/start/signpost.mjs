#!/usr/bin/env node
// @ts-check
// signpost NAME [ARGUMENT]...: runs a command with its flags of V8 and the settings of .env, in place of this process. In a
// clone the commands are TypeScript; a package has them in its build. Plain JavaScript: an older Node reads this too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  COMMISSION_FLAGS,
  DEMO_RENEWAL,
  IMPORT_FLAGS,
  SERVE_FLAGS,
} from '../../src/runtimes/node/v8-flags.mjs';
import { findNode, projectEnvironment, ROOT, runPinned } from './pinned-node.mjs';
import { listSending } from './sending-settings.mjs';

const MIN_NODE = 24;
const FLAGS = new Map([
  ['commissions', COMMISSION_FLAGS],
  ['import', IMPORT_FLAGS],
]);
const SERVE = [...SERVE_FLAGS, path.join(ROOT, 'dist/server/main.mjs')];
const SOURCE = path.join(ROOT, 'src/commands/main.ts');
const isClone = existsSync(SOURCE);
const COMMANDS = isClone ? SOURCE : path.join(ROOT, 'dist/server/commands.mjs');
const EDGE = path.join(ROOT, isClone ? 'src/runtimes/cloudflare/tools/main.ts' : 'dist/server/edge.mjs');

const node = findNode();
if (node === process.execPath && Number.parseInt(process.versions.node, 10) < MIN_NODE) {
  console.error(`Signpost needs Node ${MIN_NODE} or later, and this is ${process.versions.node}.`);
  process.exit(1);
}
const [name = '', ...words] = process.argv.slice(2);
// The schema of pages depends on no setting.
if (name !== 'page-schema') await import('./env-file.mjs');
const isEdge = name === 'edge';
if (isEdge && isClone && /^(?:serve|deploy)?$/.test(words[0] ?? ''))
  (await import('./ensure-build.mjs')).ensureWorkerBuild();
const isHelp = /^(?:-h|--help)$/.test(words[0] ?? '');
let args =
  name === 'serve' && !isHelp
    ? SERVE
    : isEdge && !isHelp
      ? [EDGE, ...words]
      : [...(FLAGS.get(name) ?? []), COMMANDS, name, ...words];
if (name === 'demo' && !words.includes('--help') && !words.includes('-h')) {
  // The sample with generated data in a folder of their own, which are sent to nobody and mixed with no real ones.
  Object.assign(process.env, listSending(ROOT, Object.keys(process.env)));
  const isLarge = words.includes('--large');
  process.env['DATA_DIR'] = path.join(process.env['DATA_DIR'] || './data', isLarge ? 'demo-large' : 'demo');
  process.env['CONTENT_DIR'] ||= path.join(ROOT, 'content');
  const content = isLarge ? path.join(process.env['DATA_DIR'], 'content') : process.env['CONTENT_DIR'];
  // In public, the data are made anew at each start and each night.
  const isPublic = process.env['DEMO'] === '1';
  let code = 0;
  do {
    if (isPublic) code = await runPinned([...args, '--fresh'], process.cwd(), node);
    else code = spawnSync(node, args, { env: projectEnvironment(), stdio: 'inherit' }).status ?? 1;
    if (code !== 0) process.exit(code);
    const env = { ...projectEnvironment(), CONTENT_DIR: content };
    if (isPublic) code = await runPinned(SERVE, process.cwd(), node, env);
  } while (code === DEMO_RENEWAL);
  if (isPublic) process.exit(code);
  process.env['CONTENT_DIR'] = content;
  args = SERVE;
}
// Node lets no program that it becomes have a socket that systemd passed to it: this process serves itself.
if (name === 'serve' && process.env['LISTEN_PID'] === String(process.pid)) await import(SERVE.at(-1) ?? '');
else if (process.platform === 'win32') process.exit(await runPinned(args, process.cwd()));
// @ts-expect-error: the types do not know it yet.
else process.execve(node, [node, ...args], projectEnvironment());
