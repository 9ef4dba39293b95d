import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ROOT } from '../scripts/start/pinned-node.mjs';
import { createNodeSiteOpener } from '../src/commands/data/node-data.ts';
import { Salvage } from '../src/commands/data/salvage.ts';
import { joinRows } from '../src/commands/data/transfer.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { SqlEventStore } from '../src/stores/events.ts';
import { LEDGER_FILE } from '../src/stores/node-databases.ts';
import { DATABASE_FILE } from '../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { quarantine } from '../src/stores/sql/quarantine.ts';
import { createFolder } from './support/create-folder.ts';
import {
  archiveEvents,
  createMovingSite,
  MOVING_TIME,
  openMovingEvents,
  readMovedRows,
} from './support/moving-site.ts';
import { openLedgerDatabase } from './support/node-databases.ts';
import { runCommand } from './support/run-command.ts';
import { buildSampleFact, SAMPLE_CLICK } from './support/sample-commissions.ts';
import { buildSampleEvent, buildSampleVisit } from './support/sample-events.ts';

const recover = (dataDir: string, ...words: string[]) =>
  runCommand('recover', words, { DATA_DIR: dataDir, CONTENT_DIR: path.join(ROOT, 'content') });
const run = async (name: string, dataDir: string, ...words: string[]) =>
  (await runCommand(name, words, { DATA_DIR: dataDir })).stdout;
const countAll = async (dataDir: string) => Number(await run('events', dataDir, 'count', '--all'));
const reportDays = (dataDir: string) => run('events', dataDir, 'report', '--by', 'day');

const NEWER = [20, 21, 22].map((day) => buildSampleEvent({ serverTime: MOVING_TIME + day * DAY_MS }));

async function addEvents(dataDir: string, events = NEWER): Promise<void> {
  const store = new SqlEventStore(openMovingEvents(dataDir));
  await store.append(events);
  await store.close();
}

/** A site whose events were moved away, and that went on; and one in which nothing happened. */
async function moveAway({ isArchived = false } = {}) {
  const [whole, dataDir] = [createFolder(), createFolder()];
  await createMovingSite(dataDir);
  if (isArchived) expect(await archiveEvents(dataDir, MOVING_TIME + 5 * DAY_MS)).toBeGreaterThan(0);
  await run('data', dataDir, 'export', path.join(whole, 'site.gz'));
  await run('data', whole, 'import', path.join(whole, 'site.gz'));
  await addEvents(whole);
  const moved = quarantine(path.join(dataDir, DATABASE_FILE), new Date());
  await addEvents(dataDir);
  return { whole, dataDir, moved };
}

it.each([false, true])(
  'adds a database that was moved away, once however often; events archived: %s',
  async (isArchived) => {
    const { whole, dataDir, moved } = await moveAway({ isArchived });
    const before = readFileSync(moved);
    const first = await recover(dataDir);
    expect([first.stderr, first.code]).toEqual(['', 0]);
    expect(first.stdout).toContain('All of it could be read.');
    expect([await countAll(dataDir), await reportDays(dataDir)]).toEqual([
      await countAll(whole),
      await reportDays(whole),
    ]);
    const rows = readMovedRows(dataDir);
    expect((await recover(dataDir, path.basename(moved))).stdout).toMatch(/^ +0 {2}events\.events$/m);
    expect(readMovedRows(dataDir)).toEqual(rows);
    expect(await reportDays(dataDir)).toEqual(await reportDays(whole));
    expect(readFileSync(moved)).toEqual(before);
  },
);

it('goes on after an interruption at any row, also when the site counts meanwhile', async () => {
  const { whole, dataDir, moved } = await moveAway();
  const opener = createNodeSiteOpener(dataDir, 'files', () => undefined);
  for (const stopAt of [0, 1, 150, 211, 215]) {
    using db = new DatabaseSync(moved, { readOnly: true });
    const salvage = new Salvage(db, 'events', '2024-05-13');
    function* stop() {
      let count = 0;
      for (const row of salvage.readRows()) {
        if (count++ === stopAt) throw new Error('killed');
        yield row;
      }
    }
    const kept = { day: `2024-05-13 ${Date.UTC(2024, 4, 14)}`, archivedBefore: 0 };
    await expect(joinRows(opener, 'UTC', salvage.tables, stop(), kept)).rejects.toThrow('killed');
    expect(await reportDays(dataDir)).not.toBe('');
  }
  expect((await recover(dataDir)).code).toBe(0);
  expect(await countAll(dataDir)).toBe(await countAll(whole));
  expect(await reportDays(dataDir)).toBe(await reportDays(whole));
});

it('reads around damaged pages, and says how many rows at most are gone', async () => {
  const { dataDir, moved } = await moveAway();
  const content = readFileSync(moved);
  const all = 210 + NEWER.length;
  let damaged = 0;
  const unreadable: number[] = [];
  for (let page = 2; page * 4_096 < content.length; page += 1) {
    const copy = Buffer.from(content);
    copy.fill(7, page * 4_096, (page + 1) * 4_096);
    const target = createFolder();
    await addEvents(target);
    writeFileSync(path.join(target, 'events.sqlite.damaged'), copy);
    const { code, stdout, stderr } = await recover(target, 'events.sqlite.damaged');
    if (code !== 0) {
      expect(stderr, `page ${page}`).toContain('its list of tables cannot be read');
      unreadable.push(page);
      continue;
    }
    const lost = all - (await countAll(target));
    const said = Number(/At most (\d+) rows cannot/.exec(stdout)?.[1] ?? 0);
    expect(said, `page ${page}`).toBeGreaterThanOrEqual(lost);
    // Pages within the tree of the events name others; a leaf has some twenty.
    expect(lost).toBeLessThan(210);
    if (lost > 0) damaged += 1;
  }
  expect(unreadable).toEqual([]);
  expect(damaged).toBeGreaterThan(5);
  expect(existsSync(path.join(dataDir, DATABASE_FILE))).toBe(true);
});

it('matches postbacks with the clicks that are back, and adds messages of a ledger that was moved away', async () => {
  const dataDir = createFolder();
  await addEvents(dataDir, [...buildSampleVisit(SAMPLE_CLICK)]);
  quarantine(path.join(dataDir, DATABASE_FILE), new Date());
  await addEvents(dataDir);
  const append = async (folder: string, nativeId: string, token = '') => {
    const { ledger } = openLedgerDatabase(folder, () => undefined);
    await ledger.append({ facts: [buildSampleFact({ nativeId, token })] });
    await ledger.close();
  };
  const other = createFolder();
  for (const nativeId of ['before', 'only there']) await append(other, nativeId);
  await append(dataDir, 'before');
  await append(dataDir, 'after', SAMPLE_CLICK);
  const file = path.join(dataDir, LEDGER_FILE);
  copyFileSync(path.join(other, LEDGER_FILE), `${file}.old`);
  expect((await recover(dataDir)).stdout).toContain('1 commissions matched with clicks');
  for (const added of [1, 0]) {
    const { stdout } = await recover(dataDir, `${LEDGER_FILE}.old`);
    expect(stdout).toMatch(new RegExp(`^ +${added} {2}commissions\\.facts$`, 'm'));
    expect(stdout).toContain('0 commissions matched');
  }
  const db = new DatabaseSync(file, { readOnly: true });
  const facts = db.prepare('SELECT native_id AS id FROM facts ORDER BY id').all();
  db.close();
  expect(facts.map(({ id }) => id)).toEqual(['after', 'before', 'only there']);
});

it('says what it cannot add, and changes nothing', async () => {
  const dataDir = createFolder();
  await addEvents(dataDir);
  for (const [name, content, words, reason] of [
    ['', '', [], 'There is no database in'],
    ['', '', ['nothing.sqlite'], 'There is no file nothing.sqlite'],
    ['console.sqlite.old', 'x', ['console.sqlite.old'], 'has to be named as what it was'],
    ['', '', [DATABASE_FILE], 'has to be named as what it was'],
    ['events.sqlite.old', 'x'.repeat(8_192), ['events.sqlite.old'], 'its list of tables cannot be read'],
  ] as const) {
    if (name !== '') writeFileSync(path.join(dataDir, name), content);
    const { code, stderr } = await recover(dataDir, ...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  }
  expect(await countAll(dataDir)).toBe(NEWER.length);
});
