import { execFile } from 'node:child_process';
import { Writable } from 'node:stream';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { COMMANDS } from '../../src/commands/main.ts';
import { DataFolderSite } from '../../src/commands/site.ts';
import { COMPILE_CACHE } from './site.ts';

/** What a command has printed. */
export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** Runs `npm run NAME -- …` in this process; only `env` has settings. */
export async function runCommand(
  name: string,
  argv: readonly string[],
  env: Environment = {},
): Promise<CommandOutcome> {
  const { command } = (await COMMANDS[name]?.load()) ?? {};
  if (command === undefined) throw new Error(`There is no command "${name}".`);
  const [stdout, stderr] = [new TextSink(), new TextSink()];
  const site = new DataFolderSite(env, (line) => stderr.write(`${line}\n`));
  const code = await command.run(argv, { stdout, stderr }, site);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Runs it as a process of its own. */
export function startCommand(
  name: string,
  argv: readonly string[],
  env: Environment = {},
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const options = {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    const words = ['src/commands/main.ts', name, ...argv];
    execFile(PINNED_NODE, words, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

class TextSink extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
