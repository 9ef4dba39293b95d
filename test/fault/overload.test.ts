import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findWrongHeaders } from '../support/header-set.ts';
import { type Site, startSite } from '../support/site.ts';

/** As many requests as the server answers at one time. */
const CAPACITY = 1_000;
/** A request whose body does not come: it is in flight until the server cuts it. */
const UNFINISHED =
  'POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.remove());

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(UNFINISHED);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

it('sheds what comes beyond its capacity with 503 and all headers, and recovers at once', async () => {
  const port = Number(new URL(site.url).port);
  const sockets = await Promise.all(Array.from({ length: CAPACITY }, () => open(port)));
  const shed: Response[] = [];
  for (let tries = 0; tries < 100 && shed.length === 0; tries += 1) {
    const answer = await fetch(`${site.url}/`);
    if (answer.status === 503) shed.push(answer);
    else await sleep(20);
  }
  const [busy] = shed;
  expect(busy?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await busy?.json()).toMatchObject({ code: 'overloaded' });
  expect(findWrongHeaders(Object.fromEntries(busy?.headers ?? []))).toEqual([]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await fetch(site.url)).status, { timeout: 10_000 }).toBe(200);
});
