import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { ImageFolder } from '../../src/content-files/image-folder.ts';
import { IS_FULL_LENGTH, KILL_ROUNDS } from '../support/cases.ts';
import { copyContent } from '../support/content-copy.ts';
import { createFolder } from '../support/create-folder.ts';
import { listPlaces } from '../support/image-places.ts';
import { buildLongPage } from '../support/long-page.ts';
import { limitFileSize } from '../support/process.ts';

const PAGE = 'pages/saved.yaml';
/** Most of a save is to check it, so that few kills meet the moment of writing. */
const SAVE_ROUNDS = IS_FULL_LENGTH ? 200 : 3;

/** Starts a program of `test/support` that saves as often as it can. */
function startSaving(program: string, ...words: readonly string[]) {
  const script = path.resolve(import.meta.dirname, '../support', program);
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { child, ended, readOutput: () => output };
}

function createContent(): string {
  const root = createFolder();
  copyContent(root);
  mkdirSync(path.join(root, 'pages'), { recursive: true });
  return root;
}

it('finds the old or the new file, never half of one, whenever the process that saves is killed', async () => {
  const root = createContent();
  for (let round = 0; round < SAVE_ROUNDS; round++) {
    const saving = startSaving('save-content.ts', root, String(round * 1000 + 1));
    const before = saving.readOutput;
    await expect.poll(before, { interval: 5 }).toContain('saved');
    await sleep(Math.random() * 100);
    saving.child.kill('SIGKILL');
    await saving.ended;
    const text = readFileSync(path.join(root, PAGE), 'utf8');
    const version = Number(/^title: Version (\d+)$/m.exec(text)?.[1]);
    expect(text).toBe(buildLongPage(version));
    const acknowledged = saving
      .readOutput()
      .trim()
      .split('\n')
      .map((line) => Number.parseInt(line, 10));
    // What was acknowledged is on the disk; the next version may be as well.
    expect(version).toBeGreaterThanOrEqual(Math.max(...acknowledged));
  }
  expect(readdirSync(path.join(root, 'pages')).filter((name) => name.endsWith('.tmp')).length).toBeLessThan(
    2,
  );
});

it('finds whole images and a list of whole files, whenever the process that uploads them is killed', async () => {
  const root = createFolder();
  const places = listPlaces(root);
  mkdirSync(places.source, { recursive: true });
  writeFileSync(places.builtList, '{}');
  const list = path.join(places.converted, 'images.json');
  const readWhole = (file: string) => sharp(file).stats();
  const listShown = () => [
    ...new Set(
      [...readFileSync(list, 'utf8').matchAll(/\/images\/(photo\.[\w.-]+)/g)].map(([, name = '']) => name),
    ),
  ];
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const uploading = startSaving('save-image.ts', root);
    await expect.poll(uploading.readOutput, { interval: 5 }).toContain('shown');
    await sleep(Math.random() * 1_000);
    uploading.child.kill('SIGKILL');
    await uploading.ended;
    await readWhole(path.join(places.source, 'photo.jpg'));
    expect(listShown().length).toBeGreaterThan(1);
    for (const name of listShown()) await readWhole(path.join(places.converted, name));
  }
  const folder = new ImageFolder(places);
  onTestFinished(() => folder.close());
  await folder.refresh();
  expect(folder.readProblems()).toEqual([]);
  // Nothing is left of the images before, and of files that were being written.
  expect(readdirSync(places.converted).sort()).toEqual(['images.json', ...listShown()].sort());
  expect(readdirSync(places.source).filter((name) => name.endsWith('.tmp')).length).toBeLessThan(2);
});

it('leaves the file as it is and says why when the disk is full', async () => {
  const root = createContent();
  writeFileSync(path.join(root, PAGE), buildLongPage(0));
  const saving = startSaving('save-content.ts', root, '1');
  limitFileSize(saving.child.pid ?? 0, 1000);
  await expect.poll(saving.readOutput).toContain('The disk is full. Nothing was changed');
  limitFileSize(saving.child.pid ?? 0, 'unlimited');
  const failed = saving.readOutput().length;
  await expect.poll(() => saving.readOutput().slice(failed)).toContain('saved');
  saving.child.kill('SIGKILL');
  await saving.ended;
  const text = readFileSync(path.join(root, PAGE), 'utf8');
  expect(text).toBe(buildLongPage(Number(/^title: Version (\d+)$/m.exec(text)?.[1])));
});
