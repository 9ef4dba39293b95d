import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const CONNECTIONS = 32;
const SCRIPT = path.join(import.meta.dirname, 'load.lua');

/** The last line of the script's output; times in µs. */
const resultSchema = z.object({
  requests: z.number(),
  us: z.number(),
  p50: z.number(),
  p99: z.number(),
  failed: z.number(),
});

/** Sends requests of a kind that `load.lua` has, as fast as the site responds. Rejects without wrk. */
export async function runWrk(
  kind: string,
  url: string,
  seconds: number,
  connections = CONNECTIONS,
  settings: Readonly<Record<string, string>> = {},
) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', SCRIPT, url];
  const env = { ...process.env, ...settings, KIND: kind, SEED: String(Math.floor(Math.random() * 1e9)) };
  const { stdout } = await promisify(execFile)('wrk', args, { env });
  return resultSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

/** Processor time that a process and its main thread have used, in µs. */
export function readProcessorUs(pid: number): { readonly all: number; readonly main: number } {
  const times = readdirSync(`/proc/${pid}/task`).map((id) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ');
    return { id, us: Number(nanoseconds) / 1_000 };
  });
  const main = times.find(({ id }) => id === String(pid))?.us ?? 0;
  return { all: times.reduce((sum, { us }) => sum + us, 0), main };
}

/** Resident memory of a process. */
export function readMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1_024);
}

/** The value below which a share of a list is. */
export function findShare(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
