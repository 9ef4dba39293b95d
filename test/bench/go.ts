// node test/bench/go.ts: how many visitors a second the redirect sends on, each click on disk before the answer.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { startSite } from '../support/site.ts';

const ROUNDS = 3;
const SECONDS = 4;
const run = promisify(execFile);

ensureBuild();
const site = await startSite({ env: { CLICK_RATE: '0' } });
try {
  console.log('GET /go/highlevel, 32 connections, a new click each, on disk before the answer');
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = ['test/bench/go-client.ts', new URL(site.url).port, String(SECONDS)];
    const { stdout } = await run(PINNED_NODE, args, { cwd: ROOT });
    const { perSecond, p50, p99, max, failed } = JSON.parse(stdout) as Record<string, number>;
    const [median, late, longest] = [p50, p99, max].map((ms) => ms?.toFixed(1));
    console.log(`${perSecond}/s, p50 ${median} ms, p99 ${late} ms, longest ${longest} ms, failed ${failed}`);
  }
} finally {
  await site.remove();
}
