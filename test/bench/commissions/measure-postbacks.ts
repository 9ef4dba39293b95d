import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { ensureBuild } from '../../../scripts/start/ensure-build.mjs';
import { startSite } from '../../support/site.ts';
import { createPostbackUrl } from '../../support/site-ledger.ts';

const CONNECTIONS = 32;
const SECONDS = 5;

/** Measures how many postbacks a second the site has on disk when it responds. */
export async function measurePostbacks(print: (text: string) => void): Promise<void> {
  ensureBuild();
  const site = await startSite();
  try {
    const url = await createPostbackUrl(site);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const times: number[] = [];
    let failed = 0;
    const post = () =>
      new Promise<void>((resolve) => {
        const began = performance.now();
        const address = `${url}?id=${randomUUID()}&click=${randomUUID()}&amount=1.00&currency=USD`;
        const call = request(address, { agent }, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) times.push(performance.now() - began);
            else failed++;
            resolve();
          });
        });
        call.on('error', () => {
          failed++;
          resolve();
        });
        call.end();
      });
    const end = performance.now() + SECONDS * 1_000;
    const loop = async () => {
      while (performance.now() < end) await post();
    };
    const before = readProcessorMs(site.pid());
    await Promise.all(Array.from({ length: CONNECTIONS }, loop));
    const cost = (readProcessorMs(site.pid()) - before) / Math.max(1, times.length);
    agent.destroy();
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1);
    const rate = Math.round(times.length / SECONDS);
    print(`postbacks: ${rate}/s on disk, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, failed ${failed}`);
    print(`processor time of the site per postback: ${(cost * 1_000).toFixed(0)} µs`);
  } finally {
    await site.remove();
  }
}

/** User and system time of a process, whose ticks are 10 ms. */
function readProcessorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
