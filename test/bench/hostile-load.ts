// node test/bench/hostile-load.ts [COUNT [NAME]]: memory and processor after requests that cost a server most.
// NAME: only the attacks whose name contains it.
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild } from '../../scripts/start/ensure-build.mjs';
import { readProcess } from '../support/process.ts';
import { type Site, startSite } from '../support/site.ts';

const COUNT = Number(process.argv[2] ?? 100_000);
const NAME = process.argv[3] ?? '';
const LANES = 24;
const UNFINISHED = 1_100;
const HOSTILE_MEGABYTES = 50;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0';
const HEAD = 'POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

/** A request of its own for each number. */
interface Wave {
  readonly build: (number: number) => string;
  /** The address that the request came to the proxy from. */
  readonly client?: (number: number) => string;
}

const buildClient = (number: number) => `10.${number >> 16}.${(number >> 8) % 256}.${number % 256}`;
const buildNetwork = (number: number) =>
  `2001:db8:${(number >> 16).toString(16)}:${(number % 65_536).toString(16)}::1`;

const WAVES: Readonly<Record<string, Wave>> = {
  'paths without a page': { build: (number) => `/blog/none-${number}` },
  'unknown parameters': { build: (number) => `/?x${number}=${number}` },
  'clients that search': { build: (number) => `/blog?q=word${number % 50}`, client: buildClient },
  'clients that click': { build: () => '/go/highlevel', client: buildNetwork },
  'values of a parameter, each a rendered page': {
    build: (number) => `/gohighlevel-free-trial?cost=${number}`,
  },
  'clients that each request a rendered page': {
    build: (number) => `/blog?q=word${number}`,
    client: buildNetwork,
  },
};

/** Requests `COUNT` addresses over 24 connections, each once. */
async function requestAll(site: Site, { build, client }: Wave): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let number = 0;
  const request = (value: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string> = { 'accept-encoding': 'br', 'user-agent': BROWSER };
      if (client !== undefined) headers['x-forwarded-for'] = client(value);
      const sent = get(site.url + build(value), { agent, headers }, (response) => {
        response.resume().on('end', resolve);
      });
      // The server may close an idle connection at the moment when it is used again.
      sent.on('error', (error) => (sent.reusedSocket ? resolve(request(value)) : reject(error)));
    });
  const work = async () => {
    while (number < COUNT) await request(++number);
  };
  await Promise.all(Array.from({ length: LANES }, work));
  agent.destroy();
}

/** Sends 2,000 requests on each of 900 connections, all there when the server reads next. */
async function pipeline(site: Site): Promise<void> {
  const sockets = Array.from({ length: 900 }, () => open(site).on('error', () => undefined));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  process.kill(site.pid(), 'SIGSTOP');
  const requests = 'GET /contact HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000);
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(requests, resolve))));
  process.kill(site.pid(), 'SIGCONT');
  while (sockets.some(({ destroyed }) => !destroyed)) await sleep(20);
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
  if (!name.includes(NAME)) return;
  const hops = name.includes('clients') ? '1' : '0';
  const site = await startSite({ env: { EVENT_RATE: '0', TRUSTED_PROXY_HOPS: hops } });
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
await measure('1,800,000 pipelined requests', pipeline);
for (const [name, wave] of Object.entries(WAVES))
  await measure(`${COUNT} ${name}`, (site) => requestAll(site, wave));
