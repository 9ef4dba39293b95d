import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEvents } from '../support/events.ts';
import { navigate } from '../support/navigate.ts';
import { expectIdle } from '../support/process-load.ts';
import { type Site, startSite } from '../support/site.ts';

const LONG = Array.from({ length: 15 }, (_, index) => `utm_${index}=${'x'.repeat(250)}`).join('&');

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.remove());

it('sends every visitor on and stores what the rate of an address allows, when one address clicks without end', async () => {
  const until = performance.now() + 4_000;
  let sent = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (; performance.now() < until; sent += 1) {
        const { status, html } = await navigate(`${site.url}/go/highlevel?page=trial&${LONG}`);
        expect(status).toBe(200);
        expect(html).toContain('Redirecting to GoHighLevel');
      }
    }),
  );
  await expectIdle(site.pid());
  const clicks = (await readEvents(site.dataDir)).filter(({ name }) => name === 'affiliate_redirect');
  const counted = clicks.filter(({ flags }) => (flags as string[]).length === 0);
  expect(sent).toBeGreaterThan(600);
  // 400 at once and 20 a second, in clicks of four KB; then a minute's share of short ones.
  expect(counted.length).toBeLessThan(150);
  expect(clicks.length - counted.length).toBeGreaterThan(50);
  expect(clicks.length - counted.length).toBeLessThan(80);
});

it('takes 50 MB of posted bodies from one address within its rate, and is idle afterwards', async () => {
  const body = JSON.stringify({
    events: [{ id: crypto.randomUUID(), name: 'page_view', data: { x: 'y'.repeat(60_000) } }],
  });
  const head = `POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const statuses = new Map<string, number>();
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
  socket.on('data', (chunk: Buffer) => {
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  socket.on('error', () => undefined);
  for (let count = 0; count < 850 && !socket.destroyed; count += 1) {
    if (!socket.write(head + body))
      await Promise.race([new Promise((done) => socket.once('drain', done)), sleep(500)]);
  }
  await sleep(500);
  socket.destroy();
  expect(statuses.get('429') ?? 0).toBeGreaterThan(500);
  expect((statuses.get('202') ?? 0) + (statuses.get('400') ?? 0)).toBeLessThan(120);
  await expectIdle(site.pid());
});
