import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';

const run = promisify(execFile);

/** Runs `npm run events -- export` over a data folder and returns its lines (one JSON object each). */
export async function exportEvents(dataDir: string, ...options: readonly string[]): Promise<string[]> {
  const { stdout } = await run(PINNED_NODE, ['scripts/commands/main.ts', 'events', 'export', ...options], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
    maxBuffer: 512 * 1024 * 1024,
  });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Every stored event of a data folder, flagged ones too, as the export writes it. */
export async function readEvents(dataDir: string): Promise<Record<string, unknown>[]> {
  return (await exportEvents(dataDir, '--all')).map((line) => JSON.parse(line) as Record<string, unknown>);
}
