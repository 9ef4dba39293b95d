import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../../src/core/clock.ts';
import { createFolder, listReadableByOthers } from '../support/create-folder.ts';
import {
  archiveEvents,
  createMovingSite,
  MOVING_TIME,
  type RowsByTable,
  readMovedRows,
} from '../support/moving-site.ts';
import { startCommand } from '../support/run-command.ts';
import { startSite } from '../support/site.ts';

/** Events of two of the seven days that are stored are older. */
const ARCHIVED_BEFORE = MOVING_TIME + 5 * DAY_MS;

/** The tables of the site of the test; a worker that runs fills others as well. */
const TABLES = (
  'events.events events.contact_message_states events.rollups commissions.facts ' +
  'commissions.decisions commissions.journeys commissions.imports commissions.raw_messages ' +
  'console.sessions'
).split(' ');

const runData = (dataDir: string, ...words: string[]) => startCommand('data', words, { DATA_DIR: dataDir });

/** The rows of the tables that the site of the test has, in any order: archived events get their numbers first. */
const sortRows = (rows: RowsByTable) =>
  Object.fromEntries(TABLES.map((key) => [key, rows[key]?.map((row) => JSON.stringify(row)).sort()]));

it('moves everything from Node to a worker and back with archives on both, equal row by row', async () => {
  const folder = createFolder();
  const [node, back] = [path.join(folder, 'node'), path.join(folder, 'back')];
  const [out, home] = [path.join(folder, 'out.gz'), path.join(folder, 'home.gz')];
  await createMovingSite(node);
  const source = sortRows(readMovedRows(node));
  expect(Object.values(source)).not.toContain(undefined);
  expect(await archiveEvents(node, ARCHIVED_BEFORE)).toBeGreaterThan(40);
  expect(await runData(node, 'export', out)).toMatchObject({ stderr: '', code: 0 });

  const site = await startSite({ runtime: 'workers', env: { EVENT_HOT_DAYS: '30' } });
  onTestFinished(() => site.remove());
  await site.stop();
  expect(await runData(site.dataDir, 'import', out, '--edge')).toMatchObject({ stderr: '', code: 0 });
  expect(sortRows(readMovedRows(site.dataDir))).toEqual(source);

  await site.start();
  const countEvents = () => readMovedRows(site.dataDir)['events.events']?.length ?? 0;
  // Messages of the contact form stay.
  await expect.poll(countEvents, { timeout: 270_000, interval: 500 }).toBeLessThan(20);
  await site.stop();

  // What is in R2 stays there when the same file is imported again.
  const again = await runData(site.dataDir, 'import', out, '--edge');
  expect([again.stderr, again.stdout]).toEqual(['', expect.stringMatching(/^ +0 {2}events\.events$/m)]);
  expect(await runData(site.dataDir, 'export', home, '--edge')).toMatchObject({ stderr: '', code: 0 });
  expect((await runData(back, 'import', home)).code).toBe(0);
  expect(sortRows(readMovedRows(back))).toEqual(source);
  expect([folder, site.dataDir].map(listReadableByOthers)).toEqual([[], []]);
});

it('exports nothing where signpost edge has never run, and creates no state', async () => {
  const folder = createFolder();
  const empty = path.join(folder, 'empty');
  const { code, stderr } = await runData(empty, 'export', path.join(folder, 'x.gz'), '--edge');
  expect([code, stderr]).toEqual([1, expect.stringContaining('no data of signpost edge')]);
  expect(existsSync(empty)).toBe(false);
});

it('names the database_id that a deployed worker needs', async () => {
  const folder = createFolder();
  const { code, stderr } = await runData(folder, 'export', path.join(folder, 'x.gz'), '--remote');
  expect([code, stderr]).toEqual([1, expect.stringContaining('no "database_id" of signpost-events')]);
});
