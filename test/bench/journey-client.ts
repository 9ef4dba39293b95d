// node test/bench/journey-client.ts PORT EVENTS_PER_POST SECONDS: loads a running site, prints one line of JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '../support/journey-load.ts';

const CONNECTIONS = 32;
const WARM_UP_MS = 1_000;

const [port = 0, eventsPerPost = 1, seconds = 5] = process.argv.slice(2).map(Number);
const times: number[] = [];
let failed = 0;
let isMeasured = false;

const load = startLoad({
  port,
  eventsPerPost,
  connections: CONNECTIONS,
  onAnswer: (status, _, ms) => {
    if (!isMeasured) return;
    if (status === 202) times.push(ms);
    else failed++;
  },
  onBroken: () => failed++,
});
await sleep(WARM_UP_MS);
isMeasured = true;
const began = performance.now();
await sleep(seconds * 1_000);
isMeasured = false;
const ms = performance.now() - began;
await load.stop();

times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
process.stdout.write(
  `${JSON.stringify({
    eventsPerSecond: Math.round((times.length * eventsPerPost * 1_000) / ms),
    p50: at(0.5),
    p99: at(0.99),
    max: times.at(-1) ?? 0,
    failed,
  })}\n`,
);
