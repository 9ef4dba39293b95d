import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../test/support/create-folder.ts';
import { readSampleState, writeSampleState } from './data-marks.ts';

let dir = '';
beforeEach(() => {
  dir = createFolder();
});

it('finds no sample data in a folder without a mark, or without a folder', () => {
  expect([readSampleState(dir), readSampleState(path.join(dir, 'missing'))]).toEqual(['none', 'none']);
});

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
