/**
 * @module-tag rest
 * @module-tag measures
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEvents } from '../support/events.ts';
import { navigate } from '../support/navigate.ts';
import { expectIdle } from '../support/process.ts';
import { type Site, startSite } from '../support/site.ts';

const LONG = Array.from({ length: 15 }, (_, index) => `utm_${index}=${'x'.repeat(250)}`).join('&');

/** More than the rate of an address allows in any case. */
const CLICKS = 1_500;

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.remove());

it('sends every visitor on and stores what the rate of an address allows, when one address clicks without end', async () => {
  const began = performance.now();
  let left = CLICKS;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) {
        const { status, html } = await navigate(`${site.url}/go/highlevel?page=trial&${LONG}`);
        expect(status).toBe(200);
        expect(html).toContain('Redirecting to GoHighLevel');
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await expectIdle(site.pid());
  const clicks = readEvents(site.dataDir).filter(({ name }) => name === 'affiliate_redirect');
  const counted = clicks.filter(({ flags }) => (flags as string[]).length === 0);
  // 400 at once and 20 a second, in clicks of four KB; then one short one a second, 60 at once.
  expect(counted.length).toBeLessThan(110 + 6 * seconds);
  expect(clicks.length - counted.length).toBeGreaterThan(50);
  expect(clicks.length - counted.length).toBeLessThan(65 + 1.1 * seconds);
});

it('takes 50 MB of posted bodies from one address within its rate, and is idle afterwards', async () => {
  const body = JSON.stringify({
    events: [{ id: crypto.randomUUID(), name: 'page_view', data: { x: 'y'.repeat(60_000) } }],
  });
  const head = `POST /api/journey HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const began = performance.now();
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
  const countAll = () => [...statuses.values()].reduce((sum, one) => sum + one, 0);
  await expect.poll(() => socket.destroyed || countAll() === 850).toBe(true);
  const seconds = (performance.now() - began) / 1_000;
  socket.destroy();
  expect(statuses.get('429') ?? 0).toBeGreaterThan(0);
  // 4,000 KB at once and 200 a second, in bodies of 60 KB.
  expect((statuses.get('202') ?? 0) + (statuses.get('400') ?? 0)).toBeLessThan(80 + 4 * seconds);
  await expectIdle(site.pid());
});
