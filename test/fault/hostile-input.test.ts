/** @module-tag rest */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import {
  buildHostileRequests,
  buildHugeRequests,
  findFaults,
  generateRequests,
  type Judge,
  type RawRequest,
  sendRequests,
} from '../support/hostile-input.ts';
import { readProcess } from '../support/process.ts';
import { readRoutes } from '../support/routes.ts';
import { readSamplePartners, SHIPPED_CONTENT } from '../support/sample-content.ts';
import { watchMachine } from '../support/scale-to-machine.ts';
import { type Site, startSite } from '../support/site.ts';

const GENERATED = IS_FULL_LENGTH ? 10_000 : 500;
const LANES = 16;
/** How long another visitor may wait while hostile requests come in, on a machine that may be busy. */
const MAX_WAIT_MS = 5_000;
/** Processor time that one request may take at first, and the quickest of three. An honest one takes about 2 ms. */
const MAX_CPU_MS = { first: 150, best: 50 };
const MAX_MEGABYTES = 700;

let site: Site;
let judge: Judge;
let routes: string[];

beforeAll(async () => {
  site = await startSite({ env: { EVENT_RATE: '0' } });
  judge = { origin: site.url, partners: [...readSamplePartners(SHIPPED_CONTENT).values()] };
  routes = await readRoutes(site.url);
});
afterAll(() => site.remove());

async function findWrong(requests: readonly RawRequest[], lanes: number): Promise<string[]> {
  const wrong: string[] = [];
  await sendRequests(Number(new URL(site.url).port), requests, lanes, (request, response) => {
    for (const fault of findFaults(request, response, judge)) wrong.push(`${fault} ← ${request.name}`);
  });
  return wrong;
}

/**
 * Sends requests while another visitor requests pages in a loop; returns the failures and that visitor's longest
 * wait.
 */
async function sendBesideOthers(requests: readonly RawRequest[]) {
  const scale = watchMachine();
  const probing = { isDone: false, longest: 0, failed: 0 };
  const probe = (async () => {
    while (!probing.isDone) {
      const began = performance.now();
      const isAlive = await fetch(`${site.url}/healthz`).then(
        (response) => response.ok,
        () => false,
      );
      if (!isAlive) probing.failed++;
      probing.longest = Math.max(probing.longest, performance.now() - began);
      await sleep(20);
    }
  })();
  const wrong = await findWrong(requests, LANES);
  probing.isDone = true;
  await probe;
  return { wrong, longest: probing.longest, failed: probing.failed, maxWaitMs: scale(MAX_WAIT_MS) };
}

function expectUnharmed(result: Awaited<ReturnType<typeof sendBesideOthers>>, pid: number): void {
  expect(result.wrong.slice(0, 20)).toEqual([]);
  expect(result.failed).toBe(0);
  expect(result.longest).toBeLessThan(result.maxWaitMs);
  expect(site.pid()).toBe(pid);
  expect(site.output()).not.toMatch(/"level":"error"|request failed|\bat .+\.m?[jt]s:\d+/);
  expect(readProcess(pid).megabytes).toBeLessThan(MAX_MEGABYTES);
}

const SAFE = 'Content-Type: text/html\r\nX-Content-Type-Options: nosniff';

it.each([
  ['a response of the server’s fault', `500 Bad\r\n${SAFE}\r\n\r\n`, 'status 500'],
  ['a refusal that names no time', `503 Busy\r\n${SAFE}\r\n\r\n`, 'status 503'],
  ['a response without security headers', '200 OK\r\nContent-Type: text/html\r\n\r\n', 'no security headers'],
  ['a header of the visitor’s', `200 OK\r\n${SAFE}\r\nSet-Cookie: zq9=1\r\n\r\n`, 'a cookie'],
  ['another site', `301 Moved\r\n${SAFE}\r\nLocation: //evil.example/\r\n\r\n`, 'Location'],
  ['another site by a backslash', `301 Moved\r\n${SAFE}\r\nLocation: /\\evil.example/\r\n\r\n`, 'Location'],
  ['a tag', `200 OK\r\n${SAFE}\r\n\r\n<p>"<zq9>"</p>`, 'reflected'],
  ['an attribute', `200 OK\r\n${SAFE}\r\n\r\n<p title="" zq9="1">`, 'reflected'],
  ['an address with a script', `200 OK\r\n${SAFE}\r\n\r\n<a href="javascript:zq9()">`, 'reflected'],
  [
    'a redirect to an unknown partner',
    `200 OK\r\n${SAFE}\r\n\r\n<div class="spinner"><a href="https://evil.example/?fp_ref=hlmax">`,
    'leads to',
  ],
  [
    'a repeated request of another path',
    `200 OK\r\n${SAFE}\r\n\r\n<div class="spinner" data-repeat="//evil.example/go/kit?again=1"><a href="https://www.gohighlevel.com/?fp_ref=hlmax">`,
    'requests //evil.example',
  ],
  [
    'a redirect for another visitor',
    `200 OK\r\n${SAFE}\r\n\r\n<div class="spinner"><a href="https://www.gohighlevel.com/?fp_ref=hlmax&amp;fp_ref=b">`,
    'leads to',
  ],
])('the judge finds %s', (_, response, fault) => {
  const bytes = Buffer.from(`HTTP/1.1 ${response}`);
  expect(findFaults({ name: '', bytes: '' }, bytes, judge).join()).toContain(fault);
});

describe('hostile input', { tags: ['measures'] }, () => {
  it('of every known kind, in every place, gets a harmless response', async () => {
    const requests = buildHostileRequests();
    expect(requests.length).toBeGreaterThan(3_000);
    const pid = site.pid();
    expectUnharmed(await sendBesideOthers(requests), pid);
  });

  it(`made up ${GENERATED.toLocaleString('en')} times gets a harmless response`, async () => {
    const pid = site.pid();
    expectUnharmed(await sendBesideOthers(generateRequests(GENERATED, routes)), pid);
  });

  it('of any size takes no more of the processor than it has to', async () => {
    const pid = site.pid();
    const slow: string[] = [];
    const scale = watchMachine();
    for (const request of buildHugeRequests()) {
      const times: number[] = [];
      // Scaling measures the machine, which takes longer than most requests.
      const isWithin = (ms: number, limit: number) => ms <= limit || ms <= scale(limit);
      for (let round = 0; round < 3 && Math.min(...times) > MAX_CPU_MS.best; round += 1) {
        const before = readProcess(pid).cpuMs;
        expect(await findWrong([request], 1)).toEqual([]);
        times.push(readProcess(pid).cpuMs - before);
      }
      const isFast =
        isWithin(times[0] ?? 0, MAX_CPU_MS.first) && isWithin(Math.min(...times), MAX_CPU_MS.best);
      if (!isFast) slow.push(`${request.name}: ${times.join(', ')} ms`);
    }
    expect(slow).toEqual([]);
  });
});
