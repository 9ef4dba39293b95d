import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { ContentWatcher } from './content-watcher.ts';

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
