import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { buildFilePath, CONTENT_KINDS, findKind, findPagePath, isFolder, nameOfFile } from './kinds.ts';

const list = (folder: string) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll(path.sep, '/'),
  );

it('has one kind for each shipped file, which builds its path again', () => {
  const files = list('content').filter((name) => /\.(?:yaml|md)$/.test(name));
  expect(files.length).toBeGreaterThan(40);
  for (const file of files) {
    const kind = findKind(file);
    expect([file, kind && buildFilePath(kind, nameOfFile(file))]).toEqual([file, file]);
  }
  expect(new Set(CONTENT_KINDS.map(({ at }) => at)).size).toBe(CONTENT_KINDS.length);
  expect(CONTENT_KINDS.filter(isFolder).length).toBe(7);
});

it.each([
  'plans.yaml',
  'articles/a.yaml',
  'pages/a.md',
  'pages/deep/a.yaml',
  'pages/',
  'pages',
  'brand.yaml/a.yaml',
  'other/a.yaml',
  'images/a.png',
  'redirects/console.csv',
  '',
])('has no kind for what the site does not read as content: %s', (file) => {
  expect(findKind(file)).toBeNull();
  expect(findPagePath(file)).toBeNull();
});

/** What asks for a folder of content by the text of a path. */
const BY_PATH =
  /(?:startsWith\(|[=!]== )'(?:articles|pages|products|partners|authors|claims)\/|\/\^\(?(?:\?:)?\(?(?:articles|pages|products|partners|authors|claims)[|)\\]|[=!]== '(?:brand|site|assessment|calculators|beside|images)\.yaml'/;

it('is asked for by its row, and by no text of a path', () => {
  const sources = ['src/content-files', 'src/console'].flatMap((folder) =>
    list(folder)
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(sources.length).toBeGreaterThan(200);
  const found = sources.filter((file) => BY_PATH.test(readFileSync(path.join(ROOT, file), 'utf8')));
  // A claim whose file is not known yet is named by its folder alone.
  expect(found).toEqual(['src/console/content/updates.ts']);
  expect(BY_PATH.test("file.startsWith('partners/')")).toBe(true);
});

it('is named in sentences, and by no folder: they stand at fields of the console too', () => {
  const sources = ['core', 'content-files'].flatMap((folder) =>
    readdirSync(path.join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => path.join(ROOT, 'src', folder, name)),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((name) => /file in content\//.test(readFileSync(name, 'utf8')))).toEqual([]);
});
