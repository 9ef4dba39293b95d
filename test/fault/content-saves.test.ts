import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { KILL_ROUNDS } from '../support/cases.ts';
import { copyContent } from '../support/content-copy.ts';
import { createFolder } from '../support/create-folder.ts';
import { buildLongPage } from '../support/long-page.ts';
import { limitFileSize } from '../support/process.ts';

const PAGE = 'pages/saved.yaml';

/** Starts a process that saves a page as often as it can. */
function startSaving(root: string, version: number) {
  const script = path.resolve(import.meta.dirname, '../support/save-content.ts');
  const child = spawn(process.execPath, [script, root, String(version)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
  for (let round = 0; round < KILL_ROUNDS * 10; round++) {
    const saving = startSaving(root, round * 1000 + 1);
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

it('leaves the file as it is and says why when the disk is full', async () => {
  const root = createContent();
  writeFileSync(path.join(root, PAGE), buildLongPage(0));
  const saving = startSaving(root, 1);
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
