import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLocalBindings } from '../../edge/open-bindings.ts';
import { EventArchiver } from '../../src/adapters/events/event-archiver.ts';
import { createR2EventArchive } from '../../src/adapters/events/r2-event-archive.ts';
import { D1Executor } from '../../src/adapters/sql/d1/d1-executor.ts';
import {
  archiveEvents,
  createMovingSite,
  MOVING_TIME,
  readMovedRows,
  runData,
} from '../support/moving-site.ts';

const DAY_MS = 86_400_000;
/** Events of two of the seven days that are stored are older. */
const ARCHIVED_BEFORE = MOVING_TIME + 5 * DAY_MS;

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'edge-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('moves everything from Node to D1 and back with archives on both sides, equal row by row', async () => {
  const folder = createFolder();
  const [node, edge] = [path.join(folder, 'node'), path.join(folder, 'edge')];
  const [out, home] = [path.join(folder, 'out.gz'), path.join(folder, 'home.gz')];
  await createMovingSite(node);
  const source = readMovedRows(node);
  expect(await archiveEvents(node, ARCHIVED_BEFORE)).toBeGreaterThan(40);
  expect(runData(node, 'export', out)).toMatchObject({ stderr: '', status: 0 });

  expect(runData(edge, 'import', out, '--edge')).toMatchObject({ stderr: '', status: 0 });
  // Archived events come first, and get their numbers before the others.
  const sort = (all: ReturnType<typeof readMovedRows>) =>
    Object.entries(all).map(([key, rows]) => [key, rows.map((row) => JSON.stringify(row)).sort()]);
  expect(sort(readMovedRows(edge))).toEqual(sort(source));

  const { miniflare, close } = await openLocalBindings(edge);
  const archive = createR2EventArchive(await miniflare.getR2Bucket('ARCHIVE'));
  const archiver = new EventArchiver(new D1Executor(await miniflare.getD1Database('EVENTS')), archive);
  expect(await archiver.archiveBefore(ARCHIVED_BEFORE)).toBeGreaterThan(40);
  await close();

  // What is in R2 stays there when the same file is imported again.
  const again = runData(edge, 'import', out, '--edge');
  expect([again.stderr, again.stdout]).toEqual(['', expect.stringMatching(/^ +0 {2}events\.events$/m)]);
  expect(runData(edge, 'export', home, '--edge')).toMatchObject({ stderr: '', status: 0 });
  expect(runData(path.join(folder, 'back'), 'import', home).status).toBe(0);
  expect(sort(readMovedRows(path.join(folder, 'back')))).toEqual(sort(source));
});

it('exports nothing where npm run edge has never run, and creates no state', () => {
  const folder = createFolder();
  const empty = path.join(folder, 'empty');
  const { status, stderr } = runData(empty, 'export', path.join(folder, 'x.gz'), '--edge');
  expect([status, stderr]).toEqual([1, expect.stringContaining('no data of npm run edge')]);
  expect(existsSync(empty)).toBe(false);
});

it('names the database_id that a deployed worker needs', () => {
  const folder = createFolder();
  const { status, stderr } = runData(folder, 'export', path.join(folder, 'x.gz'), '--remote');
  expect([status, stderr]).toEqual([1, expect.stringContaining('no "database_id" of signpost-events')]);
});
