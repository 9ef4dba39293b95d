import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { compactModules } from '../scripts/build/compact-modules.ts';
import { createFolder } from './support/create-folder.ts';

let folder = '';
beforeEach(() => {
  folder = createFolder();
});

it('keeps what a module does, in ASCII and in short lines', async () => {
  const source = String.raw`
// A comment with an “é”.
export const text = 'é – ‘ € 🧭 \t';
export const template = ${'`'}one
  two …${'`'};
export const words = 'l’été, naïve 🧭 a\\’b'.match(/[\p{L}’]+|🧭|\\’/gu);
export const escaped = '’ \\’ –'.replace(/\\’/g, 'x').replace(/\’/g, 'y').replace(/\\\–| –/g, 'z');
export const { größe } = { größe: 1 };
export function findName() {
  return findName.name;
}
`;
  const file = path.join(folder, 'module.mjs');
  const original = path.join(folder, 'original.js');
  writeFileSync(file, source);
  writeFileSync(original, source);
  const before = await import(pathToFileURL(original).href);
  await compactModules(folder);
  const code = readFileSync(file, 'utf8');
  expect(code).toMatch(/^[\0-\x7f]+$/);
  expect(code).not.toContain('comment');
  expect(Math.max(...code.split('\n').map((line) => line.length))).toBeLessThan(200);
  const after = await import(pathToFileURL(file).href);
  expect({ ...after }).toEqual({ ...before, findName: expect.any(Function) });
  expect(after.findName()).toBe('findName');
  expect(after.words).toEqual(['l’été', 'naïve', '🧭', 'a', '\\’', 'b']);
});
