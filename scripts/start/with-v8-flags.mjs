// @ts-check
// node scripts/start/with-v8-flags.mjs serve | import …: runs a program with its flags of V8, in place of this process.
import { IMPORT_FLAGS, SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import './env-file.mjs';
import { projectEnvironment, runPinned } from './pinned-node.mjs';

const [program, ...rest] = process.argv.slice(2);
const args =
  program === 'import'
    ? [...IMPORT_FLAGS, 'src/commands/main.ts', 'import', ...rest]
    : [...SERVE_FLAGS, 'dist/server/main.mjs'];
if (process.platform === 'win32') process.exit(await runPinned(args));
// @ts-expect-error: the types do not know it yet.
process.execve(process.execPath, [process.execPath, ...args], projectEnvironment());
