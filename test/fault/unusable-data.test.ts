/** @module-tag rest */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openConsoleSite } from '../support/console-access.ts';
import { startSite } from '../support/site.ts';
import { createPostbackUrl } from '../support/site-ledger.ts';

/** Starts what receives alerts and heartbeats. */
async function startReceiver() {
  const titles: string[] = [];
  let beats = 0;
  const server = createServer((request, response) => {
    if (request.url === '/beat') beats++;
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const [, title] = /"title":"([^"]*)"/.exec(body) ?? [];
      if (title !== undefined) titles.push(title);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, titles, countBeats: () => beats };
}

function makeNewer(file: string): Buffer {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 99');
  db.close();
  return readFileSync(file);
}

it('lives with unusable databases, serves every page, answers 503 where it needs them, and tells each once', async () => {
  const receiver = await startReceiver();
  const env = {
    ALERT_WEBHOOK_URL: `${receiver.url}/alerts`,
    HEARTBEAT_URL: `${receiver.url}/beat`,
    WEBHOOK_KEY: 'k'.repeat(32),
  };
  const site = await startSite({ env });
  onTestFinished(() => site.remove());
  const postback = `${await createPostbackUrl(site)}?amount=1.00&currency=USD&id=`;
  expect((await fetch(`${postback}1`)).status).toBe(200);
  await openConsoleSite(site);
  const find = (name: string) => path.join(site.dataDir, name);
  // The thread of the console creates the outbox.
  while (!(await fetch(`${site.url}/readyz`).then(() => readSize(find('notifications.sqlite')))))
    await sleep(100);
  await site.stop();
  const newer = {
    ledger: makeNewer(find('commissions.sqlite')),
    outbox: makeNewer(find('notifications.sqlite')),
  };
  for (const end of ['-wal', '-shm']) rmSync(find(`console.sqlite${end}`), { force: true });
  writeFileSync(find('console.sqlite'), 'damaged'.repeat(2_000));
  await site.start();

  const read = async (address: string) => (await fetch(site.url + address, { redirect: 'manual' })).status;
  expect(await Promise.all(['/', '/blog', '/help', '/go/highlevel', '/readyz'].map(read))).toEqual(
    Array(5).fill(200),
  );
  expect(await Promise.all(['/console', '/readyz?all'].map(read))).toEqual([503, 503]);
  expect((await fetch(`${postback}2`)).status).toBe(503);
  const ready = await (await fetch(`${site.url}/readyz`)).text();
  expect(ready.match(/use the newer program/g)).toHaveLength(2);
  expect(ready).toContain('The database of the console cannot be used: ');
  for (let waited = 0; receiver.titles.length < 3 && waited < 240; waited++) await sleep(500);
  expect([...receiver.titles].sort()).toEqual([
    'The database of the console cannot be used.',
    'The ledger of commissions cannot be used.',
    'The outbox of notifications cannot be used.',
  ]);
  expect(receiver.countBeats()).toBe(0);
  expect(readFileSync(find('commissions.sqlite')).equals(newer.ledger)).toBe(true);
  expect(readFileSync(find('notifications.sqlite')).equals(newer.outbox)).toBe(true);

  // Events of a newer program, and then gone, while the site runs.
  for (const end of ['', '-wal', '-shm']) rmSync(find(`events.sqlite${end}`), { force: true });
  while ((await read('/go/highlevel')) !== 200 || readSize(find('events.sqlite')) === 0) await sleep(50);
  await expect
    .poll(async () => (await fetch(`${site.url}/readyz`)).text(), { timeout: 20_000 })
    .toContain('events.sqlite was gone and is replaced by an empty one');
  expect(await read('/')).toBe(200);
});

function readSize(file: string): number {
  try {
    return readFileSync(file).length;
  } catch {
    return 0;
  }
}
