import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { PINNED_NODE, ROOT } from '../../scripts/start/pinned-node.mjs';
import { IS_FULL_LENGTH, KILL_ROUNDS, SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { createFolder } from '../support/create-folder.ts';
import { limitFileSize } from '../support/process.ts';
import { runCommand } from '../support/run-command.ts';
import { startSite } from '../support/site.ts';
import { createPostbackUrl, readLedgerFacts } from '../support/site-ledger.ts';
import { startUpstream } from '../support/upstream-server.ts';

/** Posts commissions one after the other over several connections, and remembers which were acknowledged. */
function createSender(url: string) {
  const acknowledged = new Set<string>();
  const statuses = new Map<number, number>();
  const unknown: string[] = [];
  let next = 0;
  let isRunning = false;
  const send = async (id: string) => {
    try {
      const response = await fetch(`${url}?id=${id}&amount=1.00&currency=USD`);
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 200) acknowledged.add(id);
      else unknown.push(id);
    } catch {
      unknown.push(id);
      await sleep(5);
    }
  };
  const loop = async () => {
    while (isRunning) await send(unknown.pop() ?? `c${next++}`);
  };
  return {
    acknowledged,
    statuses,
    /** How many responses had a status. */
    count: (status: number) => statuses.get(status) ?? 0,
    start() {
      isRunning = true;
      const loops = Array.from({ length: 8 }, loop);
      return async () => {
        isRunning = false;
        await Promise.all(loops);
      };
    },
    /** Sends again what was never acknowledged, as a network does. */
    async settle() {
      await until('the acknowledgment of what was sent', async () => {
        for (const id of unknown.splice(0)) await send(id);
        return unknown.length === 0;
      });
    },
  };
}

/** Starts a site with a ledger, and what posts commissions to it. */
async function startLedgerSite() {
  const site = await startSite();
  onTestFinished(() => site.remove());
  return { site, sender: createSender(await createPostbackUrl(site)) };
}

/** Each acknowledged commission is stored once, and nothing else. */
function expectExact(dataDir: string, acknowledged: ReadonlySet<string>): void {
  const { ids, integrity } = readLedgerFacts(dataDir);
  expect(integrity).toBe('ok');
  expect(new Set(ids).size).toBe(ids.length);
  expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`waited 30 s for ${what}`);
    await sleep(10);
  }
}

it('acknowledged postbacks are stored once, whatever moment the site is killed at', async () => {
  const { site, sender } = await startLedgerSite();
  const random = createChance(SEED);
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const stop = sender.start();
    const goal = sender.acknowledged.size + 50;
    await until('acknowledged postbacks', () => sender.acknowledged.size >= goal);
    await sleep(random() * 50);
    await site.kill();
    await stop();
    await site.start();
  }
  await sender.settle();
  // A collector that sheds load refuses with 503; what it refused was sent again.
  expect([...sender.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(sender.acknowledged.size).toBeGreaterThanOrEqual(KILL_ROUNDS * 50);
  expectExact(site.dataDir, sender.acknowledged);
  expect(site.output()).not.toContain(new URL(await createPostbackUrl(site)).pathname.split('/').at(-1));
});

it('responds 503 while the ledger cannot grow, the site continues, and it recovers', async () => {
  const { site, sender } = await startLedgerSite();
  const { count } = sender;
  const stop = sender.start();
  await until('200', () => count(200) > 20);
  limitFileSize(site.pid(), 4_096);
  await until('503', () => count(503) > 20);
  expect((await fetch(`${site.url}/`)).status).toBe(200);
  limitFileSize(site.pid(), 'unlimited');
  const before = count(200);
  await until('200 again', () => count(200) > before + 50);
  await stop();
  await sender.settle();
  expectExact(site.dataDir, sender.acknowledged);
});

it('responds 503 while another process has locked the ledger, and recovers', { tags: ['rest'] }, async () => {
  const { site, sender } = await startLedgerSite();
  const { count } = sender;
  const stop = sender.start();
  await until('200', () => count(200) > 20);
  const other = new DatabaseSync(path.join(site.dataDir, 'commissions.sqlite'), { timeout: 5_000 });
  other.exec('BEGIN EXCLUSIVE');
  await until('503', () => count(503) > 20);
  other.exec('ROLLBACK');
  other.close();
  const before = count(200);
  await until('200 again', () => count(200) > before + 50);
  await stop();
  await sender.settle();
  expectExact(site.dataDir, sender.acknowledged);
});

it('refuses a damaged ledger instead of starting an empty one, while the site continues', async () => {
  const site = await startSite();
  onTestFinished(() => site.remove());
  const url = await createPostbackUrl(site);
  expect((await fetch(`${url}?id=1&amount=1.00&currency=USD`)).status).toBe(200);
  await site.stop();
  const file = path.join(site.dataDir, 'commissions.sqlite');
  writeFileSync(file, 'damaged'.repeat(2_000));
  for (const suffix of ['-wal', '-shm']) await rm(file + suffix, { force: true });
  await site.start();
  const response = await fetch(`${url}?id=2&amount=1.00&currency=USD`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  const ready = await fetch(`${site.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('ledger of commissions')]);
  expect((await runCommand('commissions', ['report'], { DATA_DIR: site.dataDir })).stderr).toContain(
    'is damaged',
  );
  expect(site.output()).toContain('The ledger of commissions cannot be used');
});

/** The folder of a site that has begun: it has a ledger without a commission. */
async function createSiteFolder(): Promise<string> {
  const dir = createFolder();
  const { code } = await runCommand('commissions', ['rates', 'set', 'EUR', 'USD', '1.1'], { DATA_DIR: dir });
  expect(code).toBe(0);
  return dir;
}

/** Runs a command and kills it after a while, unless it ends before. Resolves with whether it ended by itself. */
async function runAndKill(
  dataDir: string,
  words: readonly string[],
  ms: number,
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(PINNED_NODE, ['src/commands/main.ts', 'commissions', ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...env },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const code = await ended;
  clearTimeout(timer);
  return code === 0;
}

/** Of a report whose import takes most of a second. */
const ROWS = IS_FULL_LENGTH ? 20_000 : 6_000;

it('an import that is killed is whole or absent', { tags: ['rest'] }, async () => {
  const dir = await createSiteFolder();
  const file = path.join(dir, 'report.csv');
  const rows = Array.from({ length: ROWS }, (_, index) => `a${index},1.00,approved`);
  writeFileSync(file, ['id,commission,status', ...rows].join('\n'));
  const words = [
    'import',
    file,
    '--partner',
    'highlevel',
    '--currency',
    'USD',
    '--time-zone',
    'UTC',
    '--yes',
  ];
  const readTotal = async () => {
    const { stdout } = await runCommand('commissions', ['report', '--by', 'partner', '--format', 'json'], {
      DATA_DIR: dir,
    });
    return JSON.parse(stdout).total.currencies.USD?.approved ?? 0;
  };
  const started = performance.now();
  expect(await runAndKill(createFolder(), words, 180_000)).toBe(true);
  const duration = performance.now() - started;
  const random = createChance(SEED + 1);
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const isDone = await runAndKill(dir, words, duration * (0.3 + 0.7 * random()));
    const total = await readTotal();
    expect([0, ROWS * 100]).toContain(total);
    if (!isDone) continue;
    expect(total).toBe(ROWS * 100);
    const { stdout } = await runCommand('commissions', ['imports', '--format', 'json'], { DATA_DIR: dir });
    await runCommand('commissions', ['undo', JSON.parse(stdout).imports[0].id], { DATA_DIR: dir });
  }
  expect(await runAndKill(dir, words, 180_000)).toBe(true);
  expect(await readTotal()).toBe(ROWS * 100);
  expect(readLedgerFacts(dir).ids).toHaveLength(ROWS);
});

it('a poll that is killed goes on where it stopped, and stores every reward once', {
  tags: ['rest'],
}, async () => {
  const pages = 40;
  const upstream = await startUpstream((url) => {
    const page = Number((url.searchParams.get('starting_after') ?? 'rew_-1').slice(4).split('_')[0]) + 1;
    const items = Array.from({ length: 25 }, (_, index) => ({
      key: `rew_${page}_${index}`,
      amount: 100,
      created_at: Date.parse('2025-11-20T10:00:00Z'),
      updated_at: Date.parse('2025-11-20T10:00:00Z'),
      reward_status: 'approved',
    }));
    return { json: { data: { has_more: page < pages - 1, items } } };
  });
  onTestFinished(() => upstream.close());
  upstream.delay(40);
  const env = { TEST_HOSTS: `api.partnerstack.com=${upstream.url}`, PARTNERSTACK_KEY: 'key' };
  // Most of a round is spent waiting, so folders take turns at the same time.
  const dirs = await Promise.all(Array.from({ length: Math.min(4, KILL_ROUNDS) }, createSiteFolder));
  const random = createChance(SEED + 2);
  const killRepeatedly = async (dir: string) => {
    for (let round = 0; round < Math.ceil(KILL_ROUNDS / dirs.length); round++) {
      await runAndKill(dir, ['sync', '--partner', 'kit'], 900 + random() * 1_000, env);
      // The lease of the killed process expires.
      await sleep(3_100);
    }
  };
  await Promise.all(dirs.map(killRepeatedly));
  upstream.delay(0);
  for (const dir of dirs) {
    expect(await runAndKill(dir, ['sync', '--partner', 'kit'], 180_000, env)).toBe(true);
    const { ids, integrity } = readLedgerFacts(dir);
    expect([integrity, ids.length, new Set(ids).size]).toEqual(['ok', pages * 25, pages * 25]);
  }
});
