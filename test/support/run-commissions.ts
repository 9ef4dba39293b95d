import { execFile } from 'node:child_process';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';

/** What a command has printed. */
export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run commissions -- …` over a data folder. */
export function runCommissions(
  dataDir: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const options = {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...env },
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(PINNED_NODE, ['scripts/commands/commissions.ts', ...words], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
