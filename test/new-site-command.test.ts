import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkContent } from '../scripts/build/check-content.ts';
import { checkCopy } from '../scripts/commands/content/check-copy.ts';
import { createSite } from '../scripts/commands/new/create-site.ts';
import { readContent } from '../src/sources/content/read-content.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const NAMES = ['Desks', 'Desk & "Chair" \\ Guide: <b>', 'Größe # 7'];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'new-site-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (name: string, content = path.join(folder, 'content'), isReplacing = false) =>
  createSite({ name, folder: content, isReplacing, day: '2026-03-12' });

const run = (args: readonly string[]) =>
  spawnSync(process.execPath, [path.join(ROOT, 'scripts/commands/new.ts'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

it.each(NAMES)('a new site called %j is valid', async (name) => {
  create(name);
  const root = path.join(folder, 'content');
  expect(await checkContent(root, true)).toBeNull();
  expect(readContent(root).site).toMatchObject({ name, copyright: { year: 2026, holder: name } });
});

it('the copy check of a new site finds the texts to write, and nothing else', () => {
  create('Desks');
  const faults = checkCopy(path.join(folder, 'content'));
  expect(faults.length).toBeGreaterThan(10);
  expect(faults.filter(({ kind }) => kind !== 'placeholder')).toEqual([]);
});

it('a new site takes the place of content/, which stays under another name', () => {
  expect(run(['site', 'First']).status).toBe(0);
  const { status, stdout } = run(['site', 'Second', 'Site']);
  expect([status, stdout]).toEqual([0, expect.stringContaining('is now in content-before-')]);
  const day = new Date().toISOString().slice(0, 10);
  const read = (name: string) => readFileSync(path.join(folder, name, 'site.yaml'), 'utf8');
  expect(read(`content-before-${day}`)).toContain('name: "First"');
  expect(read('content')).toContain('name: "Second Site"');
  const third = run(['site', 'Third']);
  expect([third.status, third.stderr]).toEqual([1, expect.stringContaining('nothing was changed')]);
  expect(read('content')).toContain('name: "Second Site"');
});

it('--into writes to an empty folder only', () => {
  expect(run(['site', 'First', '--into', 'other']).status).toBe(0);
  const { status, stderr } = run(['site', 'Second', '--into', 'other']);
  expect([status, stderr]).toEqual([1, 'other is not empty; nothing was changed.\n']);
  expect(existsSync(path.join(folder, 'content'))).toBe(false);
});

it('a new article has the first topic of the site', () => {
  run(['site', 'Desks']);
  expect(run(['article', 'The best desk']).status).toBe(0);
  const article = readFileSync(path.join(folder, 'content/articles/the-best-desk.md'), 'utf8');
  expect(article).toContain('categories: ["Getting Started"]');
});

it('the privacy policy of a new site says the same as the shipped one', () => {
  const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8').replace(/^updated: .*$/m, '');
  const shipped = read('content/pages/privacy.yaml')
    .replaceAll('ad platforms', 'ad networks')
    .replaceAll('platform', 'seller');
  expect(read('scripts/commands/new/site-template/pages/privacy.yaml')).toBe(shipped);
});
