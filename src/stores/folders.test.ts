import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { describeEventArchive } from '../../test/contract/event-archive.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import { buildArchiveName } from './archive-name.ts';
import { createFolderEventArchive } from './folder-archive.ts';
import { readSampleState, writeSampleState } from './last-backup.ts';

const root = mkdtempSync(path.join(tmpdir(), 'event-archive-'));
afterAll(() => rmSync(root, { recursive: true }));
const newFolder = () => path.join(mkdtempSync(path.join(root, 'archive-')), 'created when missing');

describeEventArchive('folder', () => createFolderEventArchive(newFolder()));

it('leaves other files of the folder alone, and files that were not completed', async () => {
  const folder = newFolder();
  const archive = createFolderEventArchive(folder);
  const name = buildArchiveName(1, 2, '0123456789abcdef');
  await archive.write(name, Uint8Array.of(1));
  writeFileSync(path.join(folder, 'notes.txt'), 'mine');
  writeFileSync(path.join(folder, `${name}.partial`), 'cut');
  expect(await archive.list()).toEqual([name]);
  await expect(archive.read('../notes.txt')).rejects.toThrow('no archive name');
  await expect(archive.remove('notes.txt')).rejects.toThrow('no archive name');
  expect(readdirSync(folder)).toContain('notes.txt');
});

let dir = '';
beforeEach(() => {
  dir = createFolder();
});

it('finds no sample data in a folder without a mark, or without a folder', () =>
  expect([readSampleState(dir), readSampleState(path.join(dir, 'missing'))]).toEqual(['none', 'none']));

it('reads the state that was written, and creates the folder', () => {
  const folder = path.join(dir, 'demo');
  writeSampleState(folder, 'incomplete');
  expect(readSampleState(folder)).toBe('incomplete');
  writeSampleState(folder, 'complete');
  expect(readSampleState(folder)).toBe('complete');
});

it('treats a damaged mark as data that are not complete', () => {
  writeFileSync(path.join(dir, 'sample-data.json'), '{"sta');
  expect(readSampleState(dir)).toBe('incomplete');
});
