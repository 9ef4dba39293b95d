// node test/bench/hostile-load.ts [COUNT]: memory and processor after requests that cost a server most.
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { readProcess } from '../support/process-load.ts';
import { type Site, startSite } from '../support/site.ts';

const COUNT = Number(process.argv[2] ?? 100_000);
const LANES = 24;
const UNFINISHED = 1_100;
const HOSTILE_MEGABYTES = 50;
const HEAD = 'POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

const ADDRESSES: Readonly<Record<string, (number: number) => string>> = {
  'paths without a page': (number) => `/blog/none-${number}`,
  'unknown parameters': (number) => `/?x${number}=${number}`,
  'values of a parameter, each a rendered page': (number) => `/gohighlevel-free-trial?cost=${number}`,
};

/** Requests `COUNT` addresses over 24 connections, each once. */
async function requestAll(site: Site, build: (number: number) => string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let number = 0;
  const request = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = get(site.url + path, { agent, headers: { 'accept-encoding': 'br' } }, (response) => {
        response.resume().on('end', resolve);
      });
      // The server may close an idle connection at the moment when it is used again.
      sent.on('error', (error) => (sent.reusedSocket ? resolve(request(path)) : reject(error)));
    });
  const work = async () => {
    while (number < COUNT) await request(build(++number));
  };
  await Promise.all(Array.from({ length: LANES }, work));
  agent.destroy();
}

/** Keeps requests without their bodies open for 6 s, connected again when they are closed. */
async function leaveUnfinished(site: Site): Promise<void> {
  const until = performance.now() + 6_000;
  const keepOpen = async () => {
    while (performance.now() < until) {
      const socket = open(site).on('error', () => undefined);
      socket.write(`${HEAD}Content-Length: 9\r\n\r\n`);
      const timer = setTimeout(() => socket.destroy(), until - performance.now());
      await new Promise((resolve) => socket.once('close', resolve));
      clearTimeout(timer);
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: UNFINISHED }, keepOpen));
}

/** Posts nested arrays of 60 KB each, one after the other over 8 connections. */
async function postBodies(site: Site): Promise<void> {
  const body = `{"events":[${'['.repeat(30_000)}${']'.repeat(30_000)}]}`;
  let left = Math.ceil((HOSTILE_MEGABYTES * 1_000_000) / body.length);
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const work = async () => {
    while (left-- > 0) {
      const response = await fetch(`${site.url}/api/journey`, { method: 'POST', headers, body });
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

const open = (site: Site) => connect(Number(new URL(site.url).port), '127.0.0.1').resume();

/** Runs one attack on a fresh site; prints the highest and the last memory, and the processor one second later. */
async function measure(name: string, attack: (site: Site) => Promise<void>): Promise<void> {
  const site = await startSite({ env: { EVENT_RATE: '0' } });
  try {
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, readProcess(site.pid()).megabytes);
    }, 100);
    const before = readProcess(site.pid()).cpuMs;
    await attack(site);
    const spent = readProcess(site.pid()).cpuMs - before;
    await sleep(1_000);
    const idle = readProcess(site.pid()).cpuMs;
    await sleep(500);
    clearInterval(timer);
    const { cpuMs, megabytes } = readProcess(site.pid());
    const share = ((cpuMs - idle) / 500) * 100;
    const cells = [name, peak.toFixed(0), megabytes.toFixed(0), (spent / 1_000).toFixed(1), share.toFixed(0)];
    console.log(`| ${cells.join(' | ')} |`);
  } finally {
    await site.remove();
  }
}

ensureBuild();
console.log('| attack | MB at most | MB after | processor s | processor % a second later |');
console.log('| --- | --- | --- | --- | --- |');
await measure(`${UNFINISHED} unfinished requests`, leaveUnfinished);
await measure(`${HOSTILE_MEGABYTES} MB of nested bodies`, postBodies);
for (const [name, build] of Object.entries(ADDRESSES))
  await measure(`${COUNT} ${name}`, (site) => requestAll(site, build));
