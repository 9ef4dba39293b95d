import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { ContentWatcher } from './content-watcher.ts';
import { ContentJournal } from './journal.ts';

/** So long that only an event of the file system brings a look. */
const NEVER_MS = 3_600_000;

async function watchFolder(intervalMs: number, isLink = false) {
  const folder = createFolder();
  const root = isLink ? path.join(createFolder(), 'content') : folder;
  if (isLink) symlinkSync(folder, root);
  for (const name of ['pages', 'images/team']) mkdirSync(path.join(root, name), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);
  for (const file of ['site.yaml', 'pages/help.yaml', 'images/team/a.png']) write(file, 'one');
  const watcher = await ContentWatcher.open(root, intervalMs);
  onTestFinished(() => watcher.close());
  const found: string[] = [];
  watcher.start((files) => found.push(...files));
  return { root, write, watcher, found };
}

it('reports changed, new and removed files of every folder soon after an event of the file system', async () => {
  const { root, write, found } = await watchFolder(NEVER_MS);
  write('site.yaml', 'other');
  write('pages/new.yaml', 'new');
  write('images/team/a.png', 'other');
  rmSync(path.join(root, 'pages/help.yaml'));
  write('notes.txt', 'no content');
  await expect
    .poll(() => found.toSorted())
    .toEqual(['images/team/a.png', 'pages/help.yaml', 'pages/new.yaml', 'site.yaml']);
  write('pages/new.yaml', 'edited again');
  await expect.poll(() => found.length).toBe(5);
});

it('reports a file that came and went while the folder was changing, and no file that its writer has left out', async () => {
  const { root, write, watcher, found } = await watchFolder(NEVER_MS);
  write('pages/short.yaml', 'new');
  write('pages/saved.yaml', 'new');
  await watcher.skip(['pages/saved.yaml']);
  // After the look that an event brings, before the folder counts as settled.
  await sleep(200);
  expect(found).toEqual([]);
  rmSync(path.join(root, 'pages/short.yaml'));
  await expect.poll(() => found).toEqual(['pages/short.yaml']);
});

it('finds a folder that was put in the place of another, and leaves to others what they have read', async () => {
  const { root, watcher, found } = await watchFolder(10, true);
  const other = createFolder();
  mkdirSync(path.join(other, 'pages'));
  for (const file of ['site.yaml', 'pages/saved.yaml']) writeFileSync(path.join(other, file), 'another');
  rmSync(root);
  symlinkSync(other, root);
  await watcher.skip(['pages/saved.yaml', 'pages/missing.yaml']);
  await expect.poll(() => found.toSorted()).toEqual(['images/team/a.png', 'pages/help.yaml', 'site.yaml']);
});

it('reports no part of what several files are written by, also when it was seen before the writing began', async () => {
  const root = createFolder();
  const journal = new ContentJournal(root);
  const busy = { kind: 'busy', reason: 'files are being written' } as const;
  let state: 'free' | 'begins' | 'writes' = 'free';
  let looks = 0;
  const look = vi.spyOn(journal, 'look').mockImplementation(() => {
    if (state === 'writes') {
      looks += 1;
      return busy;
    }
    // The look that sees the first file is the last before the writing begins.
    if (state === 'begins') state = 'writes';
    return null;
  });
  const watcher = await ContentWatcher.open(root, 10, journal);
  onTestFinished(() => {
    watcher.close();
    look.mockRestore();
  });
  const found: string[] = [];
  watcher.start((files) => found.push(...files));
  writeFileSync(path.join(root, 'site.yaml'), 'one');
  state = 'begins';
  await expect.poll(() => looks).toBeGreaterThan(2);
  expect(found).toEqual([]);
  writeFileSync(path.join(root, 'other.yaml'), 'two');
  state = 'free';
  await expect.poll(() => found.toSorted()).toEqual(['other.yaml', 'site.yaml']);
});

it('reports a journal that cannot be used, and shows what was edited meanwhile when it can be used again', async () => {
  const root = createFolder();
  writeFileSync(path.join(root, 'site.yaml'), 'one');
  let isBroken = true;
  const journal = new ContentJournal(root, () => {
    if (isBroken) throw Object.assign(new Error('EACCES'), { code: 'EACCES', path: 'journal-owner' });
    return 'own';
  });
  mkdirSync(path.join(root, '.import'));
  const file = path.join(root, '.import/journal.json');
  writeFileSync(file, JSON.stringify({ owner: 'own', work: 'work-1', files: [] }));
  utimesSync(file, 0, 0);
  const watcher = await ContentWatcher.open(root, 10, journal);
  onTestFinished(() => watcher.close());
  const found: string[] = [];
  watcher.start((files) => found.push(...files));
  writeFileSync(path.join(root, 'site.yaml'), 'edited');
  await expect.poll(() => watcher.readProblem()).toContain('journal-owner cannot be used (EACCES)');
  expect(found).toEqual([]);
  isBroken = false;
  await expect.poll(() => found).toEqual(['site.yaml']);
  expect(watcher.readProblem()).toBeNull();
});
