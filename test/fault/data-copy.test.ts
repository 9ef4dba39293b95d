import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readCopyStatus } from '../../src/stores/data-copy.ts';
import { LEDGER_FILE } from '../../src/stores/node-databases.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { IS_FULL_LENGTH, SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { createFolder } from '../support/create-folder.ts';
import { readEvents } from '../support/events.ts';
import { startCommand } from '../support/run-command.ts';
import { type Site, startSite } from '../support/site.ts';
import { createPostbackUrl, readLedgerFacts } from '../support/site-ledger.ts';

const ROUNDS = IS_FULL_LENGTH ? 15 : 1;
const LEDGER_COPY_KEY = 'a-key-of-the-copy-with-more-than-32-characters';

/** Sends 200 events and 20 postbacks a second, and remembers when each was acknowledged. */
function startTraffic(site: Site, postbackUrl: string) {
  const events = new Map<string, number>();
  const postbacks = new Map<string, { readonly at: number; readonly cents: number }>();
  const refused: number[] = [];
  let isRunning = true;
  const headers = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'user-agent': 'Mozilla/5.0',
  };
  const sendEvents = async () => {
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const sent = ids.map((id) => ({
      id,
      name: 'page_view',
      session: 'a'.repeat(32),
      page: '/',
      time: Date.now(),
    }));
    const body = JSON.stringify({ events: sent });
    const response = await fetch(`${site.url}/api/journey`, { method: 'POST', headers, body });
    if (response.status === 202) for (const id of ids) events.set(id, Date.now());
    else refused.push(response.status);
  };
  const random = createChance(SEED);
  const sendPostback = async () => {
    const id = randomUUID();
    const cents = 1 + Math.floor(random() * 100_000);
    const response = await fetch(`${postbackUrl}?id=${id}&amount=${(cents / 100).toFixed(2)}&currency=USD`);
    if (response.status === 200) postbacks.set(id, { at: Date.now(), cents });
    else refused.push(response.status);
  };
  const repeat = async (send: () => Promise<void>, ms: number) => {
    const sending: Promise<void>[] = [];
    const began = performance.now();
    while (isRunning) {
      sending.push(send().catch(() => undefined));
      await sleep(Math.max(0, began + sending.length * ms - performance.now()));
    }
    await Promise.all(sending);
  };
  const done = Promise.all([repeat(sendEvents, 100), repeat(sendPostback, 50)]);
  const stop = async () => {
    isRunning = false;
    await done;
  };
  return { events, postbacks, refused, stop };
}

const environment = (place: string, credentials = '', wait = 'no') => ({
  LEDGER_COPY: place,
  LEDGER_COPY_KEY,
  LEDGER_COPY_CREDENTIALS: credentials,
  LEDGER_COPY_WAIT: wait,
  EVENT_RATE: '0',
});

/** Loses the data folder, before the process ends or after it, and restores it. Resolves with what was printed. */
async function loseAndRestore(site: Site, env: Record<string, string>, isLostFirst = false): Promise<string> {
  if (isLostFirst) spawnSync('rm', ['-rf', site.dataDir]);
  await site.kill();
  rmSync(site.dataDir, { recursive: true, force: true });
  const restored = await startCommand('restore', [env['LEDGER_COPY'] ?? ''], {
    ...env,
    DATA_DIR: site.dataDir,
    CONTENT_DIR: site.contentDir,
  });
  expect([restored.stderr, restored.code]).toEqual(['', 0]);
  return restored.stdout;
}

/** The cents of each restored commission. */
function readCents(dataDir: string): ReadonlyMap<string, number> {
  const db = new DatabaseSync(path.join(dataDir, LEDGER_FILE), { readOnly: true });
  const rows = db.prepare('SELECT native_id, amount FROM facts').all();
  db.close();
  return new Map(rows.map((row) => [String(row['native_id']), Number(row['amount'])]));
}

/** The number of the last segment that the place of the copy has confirmed; 0: none. */
function readConfirmed(dataDir: string): number {
  const file = path.join(dataDir, 'copy/state');
  return existsSync(file) ? Number(/"sequence":(\d+)/.exec(readFileSync(file, 'latin1'))?.[1]) : 0;
}

async function loseOften(place: string, credentials = '', wait = 'no') {
  const env = environment(place, credentials, wait);
  const site = await startSite({ env });
  onTestFinished(() => site.remove());
  const postbackUrl = await createPostbackUrl(site);
  const kept = new Map<string, number>();
  let [longest, sent] = [0, 0];
  const random = createChance(SEED);
  for (let round = 0; round < ROUNDS; round++) {
    const traffic = startTraffic(site, postbackUrl);
    await expect.poll(() => traffic.events.size > 100 && traffic.postbacks.size > 10).toBe(true);
    const [expectedUntil, confirmed] = [Date.now(), readConfirmed(site.dataDir)];
    // The next segment may have been read before; the one after it has everything that was acknowledged until then.
    await expect.poll(() => readConfirmed(site.dataDir)).toBeGreaterThan(confirmed + 1);
    await sleep(random() * 3_000);
    const began = performance.now();
    const output = await loseAndRestore(site, env, round % 2 === 1);
    await traffic.stop();
    sent += traffic.events.size + traffic.postbacks.size;
    const events = new Set(readEvents(site.dataDir).map(({ id }) => id));
    const cents = readCents(site.dataDir);
    const oldEvents = [...traffic.events].filter(([, at]) => at < expectedUntil);
    const oldPostbacks = [...traffic.postbacks].filter(
      ([, { at }]) => at < expectedUntil || wait === 'strict',
    );
    expect(oldEvents.length).toBeGreaterThan(50);
    expect(oldPostbacks.length).toBeGreaterThan(5);
    expect(oldEvents.filter(([id]) => !events.has(id))).toEqual([]);
    expect(oldPostbacks.filter(([id, sent]) => cents.get(id) !== sent.cents)).toEqual([]);
    // What was restored before is still there.
    expect([...kept].filter(([id, amount]) => cents.get(id) !== amount)).toEqual([]);
    for (const [id, amount] of cents) kept.set(id, amount);
    const sum = [...cents.values()].reduce((total, amount) => total + amount, 0);
    const printed = [...output.matchAll(/^\d{4}-\d\d +\d+ +([\d.]+) +USD$/gm)];
    expect(Math.round(printed.reduce((total, [, amount]) => total + Number(amount) * 100, 0))).toBe(sum);
    expect(readLedgerFacts(site.dataDir).integrity).toBe('ok');
    await site.start();
    longest = Math.max(longest, performance.now() - began);
    expect(longest).toBeLessThan(60_000);
  }
  if (IS_FULL_LENGTH)
    console.log(`${place}: ${ROUNDS} losses, ${sent} acknowledged, back in ${Math.round(longest)} ms`);
}

// The test with the bucket does not wait either.
it.runIf(IS_FULL_LENGTH)('a lost folder of data comes back from a folder with all that it had', async () => {
  await loseOften(createFolder());
});

it('a lost folder of data comes back from a bucket with all that it had', async () => {
  const server = await startBucketServer(createFolder());
  onTestFinished(() => server.close());
  await loseOften(server.address, server.credentials);
  // A request every seven seconds, and those that restore and remove.
  expect(server.counts.get('PUT')).toBeLessThan(12 * ROUNDS);
});

it('loses no acknowledged message with LEDGER_COPY_WAIT=strict', { tags: ['rest'] }, async () => {
  await loseOften(createFolder(), '', 'strict');
});

// What is missing meanwhile, and on a disk that is full or read-only, is tested in memory: src/stores/data-copy.test.ts.
it.each<[string, number]>([['strict', 503], ...(IS_FULL_LENGTH ? [['wait', 200] as [string, number]] : [])])(
  'goes on while the copy is away, says so, and follows; %s tells networks %d meanwhile',
  { tags: ['rest'] },
  async (wait, meanwhile) => {
    const server = await startBucketServer(createFolder());
    onTestFinished(() => server.close());
    const env = environment(server.address, server.credentials, wait);
    const site = await startSite({ env });
    onTestFinished(() => site.remove());
    const postbackUrl = await createPostbackUrl(site);
    const send = async (id: string) =>
      (await fetch(`${postbackUrl}?id=${id}&amount=1.00&currency=USD`)).status;
    const readHealth = async () => (await fetch(`${site.url}/readyz`)).text();
    await expect.poll(() => send('before')).toBe(200);
    server.fail(503);
    const began = performance.now();
    expect(await send('meanwhile')).toBe(meanwhile);
    expect(performance.now() - began).toBeGreaterThan(1_900);
    expect((await fetch(`${site.url}/`)).status).toBe(200);
    await expect.poll(readHealth).toContain('The copy of the data cannot be written');
    if (wait === 'wait') expect(await readHealth()).toContain('Networks were told');
    server.fail(null, 300);
    await expect.poll(() => send('meanwhile')).toBe(200);
    await expect.poll(readHealth).not.toContain('cannot be written');
    await loseAndRestore(site, env);
    expect([...readCents(site.dataDir).keys()].sort()).toEqual(['before', 'meanwhile']);
    await site.start();
  },
);

it('compares a restored copy with the data while it copies, when the last comparison is long ago', {
  tags: ['rest'],
}, async () => {
  const env = environment(createFolder());
  const site = await startSite({ env });
  onTestFinished(() => site.remove());
  const postbackUrl = await createPostbackUrl(site);
  expect((await fetch(`${postbackUrl}?id=one&amount=1.00&currency=USD`)).status).toBe(200);
  await site.stop();
  writeFileSync(path.join(site.dataDir, 'copy/status.json'), '{"checkedAt":1}');
  await site.start();
  await expect.poll(() => readCopyStatus(site.dataDir).checkedAt).toBeGreaterThan(1);
  expect(readCopyStatus(site.dataDir)).toMatchObject({ difference: '', failingSince: null });
  expect(existsSync(path.join(site.dataDir, 'copy/check'))).toBe(false);
});

it.runIf(IS_FULL_LENGTH).for(['full', 'read-only'])(
  'goes on while the disk of the copy is %s, and follows',
  async (state, { skip }) => {
    const copies = createFolder();
    const isFull = state === 'full';
    const mounted = isFull && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'signpost-test', copies]);
    skip(mounted && mounted.status !== 0, 'this user may not mount a disk');
    onTestFinished(() => void (isFull && execFileSync('umount', [copies])));
    const user = process.getuid?.() === 0 ? 65_534 : undefined;
    chmodSync(copies, 0o777);
    const env = environment(copies);
    const site = await startSite({ env, ...(user !== undefined && { user }) });
    onTestFinished(() => site.remove());
    const listFolders = () => [copies, ...readdirSync(copies).map((name) => path.join(copies, name))];
    const setState = (isBroken: boolean) => {
      const other = path.join(copies, 'other');
      if (!isFull) for (const folder of listFolders()) chmodSync(folder, isBroken ? 0o555 : 0o777);
      else if (isBroken) spawnSync('dd', ['if=/dev/zero', `of=${other}`, 'bs=1k', 'count=4k']);
      else rmSync(other);
    };
    const postbackUrl = `${site.url}/api/journey`;
    const headers = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0',
    };
    const send = async (id: string) => {
      const events = [{ id, name: 'page_view', session: 'a'.repeat(32), page: '/', time: Date.now() }];
      return (await fetch(postbackUrl, { method: 'POST', headers, body: JSON.stringify({ events }) })).status;
    };
    const [first, second] = [randomUUID(), randomUUID()];
    await expect.poll(() => listFolders().length).toBe(2);
    setState(true);
    expect(await send(first)).toBe(202);
    await expect
      .poll(async () =>
        (await (await fetch(`${site.url}/readyz`)).text()).includes('The copy of the data cannot be written'),
      )
      .toBe(true);
    expect(await send(second)).toBe(202);
    setState(false);
    await expect.poll(async () => (await fetch(`${site.url}/readyz`)).text()).not.toContain('The copy');
    await sleep(1_000);
    await site.kill();
    rmSync(site.dataDir, { recursive: true });
    expect(
      (
        await startCommand('restore', [copies], {
          ...env,
          DATA_DIR: site.dataDir,
          CONTENT_DIR: site.contentDir,
        })
      ).code,
    ).toBe(0);
    const restored = readEvents(site.dataDir).map(({ id }) => id);
    expect([first, second].filter((id) => !restored.includes(id))).toEqual([]);
    expect(existsSync(path.join(site.dataDir, 'restoring'))).toBe(false);
  },
);
