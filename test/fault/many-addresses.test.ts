/** @module-tag rest */
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { expectIdle } from '../support/process.ts';
import { findFreePort, type Site, startSite } from '../support/site.ts';

const LANES = 24;
/** Distinct addresses of each kind; `MANY_ADDRESSES=100000` tries as many as docs/security.md says. */
const ADDRESSES = Number(process.env['MANY_ADDRESSES'] ?? (IS_FULL_LENGTH ? 2_000 : 60));

let site: Site;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await findFreePort();
  site = await startSite({ env: { METRICS_PORT: String(metricsPort) } });
});
afterAll(() => site.remove());

/** Percent-encodes one letter after the other in binary: 2^n spellings of a path of n letters. */
function spell(path: string, number: number): string {
  return path.replace(/[a-z]/g, (letter, index: number) =>
    (number >> (index - 1)) % 2 === 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
}

const WAYS: readonly (readonly [name: string, build: (number: number) => string])[] = [
  ['values of a parameter', (number) => `/gohighlevel-free-trial?cost=${number}`],
  ['spellings of a parameter', (number) => `/blog?page=${'0'.repeat(number % 100)}1&q=${number}`],
  ['searched words', (number) => `/blog?q=word${number}`],
  ['unknown parameters', (number) => `/?x${number}=${number}`],
  ['preview tokens', (number) => `/blog/crm-basics?preview=${number}`],
  ['spellings of a path', (number) => spell('/gohighlevel-free-trial', number)],
  ['paths without a page', (number) => `/blog/none-${number}`],
];

/** Counts the timers of the site: each holds in memory what it will work on. */
async function countTimers(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^nodejs_active_resources\{type="Timeout"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

it.each(WAYS)(
  'stays below 400 MB and is idle within a second after many distinct addresses by %s',
  { tags: ['measures'] },
  async (_, build) => {
    const agent = new Agent({ keepAlive: true, maxSockets: LANES });
    let number = 0;
    const request = (path: string): Promise<number> =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'accept-encoding': 'br' };
        const sent = get(site.url + path, { agent, headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        });
        // The server may close an idle connection at the moment when it is used again.
        sent.on('error', (error) => (sent.reusedSocket ? resolve(request(path)) : reject(error)));
      });
    const timers = await countTimers();
    const statuses = new Set<number>();
    const work = async () => {
      while (number < ADDRESSES) {
        const path = build(++number);
        for (let times = 0; times < 3; times += 1) statuses.add(await request(path));
      }
    };
    await Promise.all(Array.from({ length: LANES }, work));
    agent.destroy();
    for (const status of statuses) expect([200, 301, 404]).toContain(status);
    await expectIdle(site.pid());
    expect(await countTimers()).toBeLessThan(timers + 50);
  },
);
