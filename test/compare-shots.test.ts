import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compareShots, formatShotDifference } from '../scripts/commands/shots/compare-shots.ts';

let folder = '';
let before = '';
let after = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'signpost-shots-'));
  before = path.join(folder, 'before');
  after = path.join(folder, 'after');
  mkdirSync(before);
  mkdirSync(after);
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A white image with black pixels at the given places. */
async function writeShot(file: string, black: readonly (readonly [x: number, y: number])[], height = 6) {
  const width = 8;
  const data = Buffer.alloc(width * height * 3, 255);
  for (const [x, y] of black) data.fill(0, (y * width + x) * 3, (y * width + x + 1) * 3);
  await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(file);
}

it('reports nothing for images with the same pixels', async () => {
  await writeShot(path.join(before, 'home.png'), [[1, 1]]);
  await writeShot(path.join(after, 'home.png'), [[1, 1]]);
  expect(await compareShots(before, after)).toEqual([]);
});

it('counts the pixels that differ and reports the box around them', async () => {
  await writeShot(path.join(before, 'home.png'), [[0, 0]]);
  await writeShot(path.join(after, 'home.png'), [
    [0, 0],
    [2, 1],
    [5, 4],
  ]);
  const [difference] = await compareShots(before, after);
  expect(difference).toEqual({
    name: 'home.png',
    kind: 'pixels',
    count: 2,
    box: { left: 2, top: 1, width: 4, height: 4 },
  });
  expect(difference && formatShotDifference(difference)).toBe('home.png: 2 pixels differ, in 4×4 px at 2,1');
});

it('reports images of different sizes with both sizes', async () => {
  await writeShot(path.join(before, 'home.png'), [], 6);
  await writeShot(path.join(after, 'home.png'), [], 7);
  const [difference] = await compareShots(before, after);
  expect(difference && formatShotDifference(difference)).toBe('home.png: 8×6 px before, 8×7 px after');
});

it('reports images that only one of the folders has', async () => {
  await writeShot(path.join(before, 'old.png'), []);
  await writeShot(path.join(after, 'new.png'), []);
  expect((await compareShots(before, after)).map(formatShotDifference)).toEqual([
    'old.png: only in the folder BEFORE',
    'new.png: only in the folder AFTER',
  ]);
});
