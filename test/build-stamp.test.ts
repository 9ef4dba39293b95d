import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readSourceState } from '../scripts/start/ensure-build.mjs';
import { createFolder } from './support/create-folder.ts';

let root = '';
const file = (name: string) => path.join(root, name);

beforeEach(() => {
  root = createFolder();
  mkdirSync(file('src/pages'), { recursive: true });
  mkdirSync(file('content'));
  writeFileSync(file('src/pages/index.astro'), '<h1>One</h1>');
  writeFileSync(file('content/site.yaml'), 'name: One');
});

it.each<[string, () => void]>([
  ['a file is written', () => writeFileSync(file('src/pages/index.astro'), '<h1>Three</h1>')],
  ['a file is saved again', () => utimesSync(file('content/site.yaml'), 2e9, 2e9)],
  ['a file older than the build is put in its place', () => utimesSync(file('content/site.yaml'), 1, 1)],
  ['a file is added', () => writeFileSync(file('content/calculators.yaml'), '')],
  ['a file is removed', () => rmSync(file('content/site.yaml'))],
  ['a file is renamed', () => renameSync(file('content/site.yaml'), file('content/seite.yaml'))],
  ['a dependency changes', () => writeFileSync(file('package-lock.json'), '{}')],
])('changes when %s', (_, change) => {
  const before = readSourceState(root);
  change();
  expect(readSourceState(root)).not.toBe(before);
});

it.each<[string, () => void]>([
  ['nothing happens', () => undefined],
  ['a test is written', () => writeFileSync(file('src/pages/index.test.ts'), 'it')],
  ['the site stores something', () => mkdirSync(file('data'))],
])('stays when %s', (_, change) => {
  const before = readSourceState(root);
  change();
  expect(readSourceState(root)).toBe(before);
});
