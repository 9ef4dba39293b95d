// @ts-check
// node scripts/start/with-v8-flags.mjs serve | import … | commissions …: runs a program with its flags of V8, in place of this process.
import { COMMISSION_FLAGS, IMPORT_FLAGS, SERVE_FLAGS } from '../../src/runtimes/node/v8-flags.mjs';
import './env-file.mjs';
import { projectEnvironment, runPinned } from './pinned-node.mjs';

const [program = '', ...rest] = process.argv.slice(2);
const args =
  program === 'serve'
    ? [...SERVE_FLAGS, 'dist/server/main.mjs']
    : [...(program === 'import' ? IMPORT_FLAGS : COMMISSION_FLAGS), 'src/commands/main.ts', program, ...rest];
if (process.platform === 'win32') process.exit(await runPinned(args));
// @ts-expect-error: the types do not know it yet.
process.execve(process.execPath, [process.execPath, ...args], projectEnvironment());
