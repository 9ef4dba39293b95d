// npm run bench: how many events a second the built site takes, each answered after it is on disk.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { startSite } from '../support/site.ts';

interface Measured {
  readonly eventsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly failed: number;
}

const ROUNDS = 3;
const SECONDS = 5;

const run = promisify(execFile);

/** The load comes from a process of its own, on the same two cores. */
async function measure(port: string, eventsPerPost: number): Promise<Measured> {
  const args = ['test/bench/journey-client.ts', port, String(eventsPerPost), String(SECONDS)];
  const { stdout } = await run(PINNED_NODE, args, { cwd: ROOT });
  return JSON.parse(stdout) as Measured;
}

function readMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

ensureBuild();
const site = await startSite({ env: { EVENT_RATE: '0' } });
try {
  const { port } = new URL(site.url);
  console.log('POST /api/journey, 32 connections, each answer after its events are on disk');
  console.log(`server memory at start: ${readMegabytes(site.pid())} MB`);
  for (const eventsPerPost of [1, 20]) {
    const rounds: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(port, eventsPerPost));
    rounds.sort((a, b) => a.eventsPerSecond - b.eventsPerSecond);
    for (const { eventsPerSecond, p50, p99, max, failed } of rounds) {
      const times = [p50, p99, max].map((ms) => ms.toFixed(1));
      console.log(
        `${eventsPerPost} per post: ${eventsPerSecond} events/s, ` +
          `p50 ${times[0]} ms, p99 ${times[1]} ms, longest ${times[2]} ms, failed ${failed}`,
      );
    }
    console.log(
      `median ${rounds[1]?.eventsPerSecond} events/s; server memory ${readMegabytes(site.pid())} MB`,
    );
  }
} finally {
  await site.remove();
}
