import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';

const execute = promisify(execFile);

/** Runs a program of the project in a process of its own and parses the last line that it prints as JSON. */
export async function runForJson(args: readonly string[]): Promise<unknown> {
  const { stdout } = await execute(PINNED_NODE, [...args], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as unknown;
}
