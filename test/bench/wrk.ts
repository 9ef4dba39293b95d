import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';

/** Requests a second and the time of the slowest hundredth in ms. */
export interface Throughput {
  readonly perSecond: number;
  readonly p99: number;
  readonly failed: number;
}

const CONNECTIONS = 32;

/** Requests the paths in turn, each with its own number in place of `#`, and prints the result as JSON. */
const SCRIPT = `
local paths = { PATHS }
local count = 0
request = function()
  count = count + 1
  local path = paths[1 + count % #paths]:gsub("#", count)
  return wrk.format("GET", path)
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p99":%d,"failed":%d}\\n', summary.requests, summary.duration,
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end`;

const schema = z.object({ requests: z.number(), us: z.number(), p99: z.number(), failed: z.number() });

/** Whether wrk, which asks faster than a program of ours could, is installed. */
export function hasWrk(): boolean {
  return spawnSync('wrk', ['-v']).error === undefined;
}

/** Loads an origin over 32 connections for `seconds`, after a warm-up. Rejects when wrk fails. */
export async function loadWithWrk(
  origin: string,
  paths: readonly string[],
  seconds: number,
): Promise<Throughput> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-wrk-'));
  const script = path.join(folder, 'load.lua');
  writeFileSync(script, SCRIPT.replace('PATHS', paths.map((one) => JSON.stringify(one)).join(',')));
  try {
    await run([script, '1', origin]);
    const { requests, us, p99, failed } = schema.parse(
      JSON.parse(await run([script, String(seconds), origin])),
    );
    return { perSecond: (requests * 1_000_000) / us, p99: p99 / 1_000, failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run([script = '', seconds = '', origin = '']: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}`, '-s', script, origin];
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve(output.trim().split('\n').at(-1) ?? '')
        : reject(new Error(`wrk ended with ${code}`)),
    );
  });
}
