import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildContentParts } from '../../scripts/build/build-worker-content.ts';
import { readImageCatalog } from '../../scripts/build/read-image-catalog.ts';
import { createTestFilesSource } from '../../test/support/article-setup.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import type { FilesSource } from './articles/files-source.ts';
import { type BuiltParts, openBuiltContent, parseMaps, stringifyMaps } from './built-content.ts';
import { type ContentSource, openFolderContent } from './content-source.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const VERSION = 'sources';

const root = mkdtempSync(path.join(tmpdir(), 'built-content-'));
afterAll(() => rmSync(root, { recursive: true }));

let images: ImageCatalog;
let folder: ContentSource;
let parts: Readonly<Record<keyof BuiltParts, string>>;
beforeAll(async () => {
  cpSync(path.resolve(import.meta.dirname, '../../content'), root, { recursive: true });
  const write = (slug: string, front: string) =>
    writeFileSync(
      path.join(root, 'articles', `${slug}.md`),
      `---\ntitle: About ${slug}\nexcerpt: An excerpt.\ncategories: [Growth]\n${front}\n---\nOkapi.\n`,
    );
  write('next-day', 'publishedAt: 2026-11-02');
  write('last-day', 'publishedAt: 2026-01-01\nunpublishAt: 2026-11-02');
  write('never-shown', 'publishedAt: 2026-01-01\ndraft: true');
  images = await readImageCatalog(root);
  folder = openFolderContent(root, () => images);
  parts = await buildContentParts(root, images, VERSION, true);
});

const openBuilt = (version = VERSION) => openBuiltContent((name) => parts[name], version);

function openArticles({ articles }: ContentSource, now = () => NOW): FilesSource {
  return createTestFilesSource(
    { now, monotonic: () => 0 },
    {
      files: articles,
      defaultAuthor: 'Editorial desk',
      readImages: () => images,
      figures: folder.readStart().content.figures,
    },
  );
}

it('has the same content as the files', () => {
  const { content } = folder.readStart();
  const built = openBuilt();
  expect(built.readStart().content).toEqual(content);
  expect([...built.readStart().content.partners.values()].map(({ destinations }) => destinations)).toEqual(
    [...content.partners.values()].map(({ destinations }) => destinations),
  );
  expect(built.readImages()).toEqual(images);
  expect(built.readClaimUses(content.claims)).toEqual(folder.readClaimUses(content.claims));
});

it('has the same articles as the files, drafts and later ones included', () => {
  // Built articles have their figures; those of files get them when they are read.
  const { figures } = folder.readStart().content;
  const files = folder.articles.read({ images, figures });
  expect(openBuilt().articles.read({ images })).toEqual(files);
  expect(files.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['next-day', 'never-shown']));
  const [read, built] = [openArticles(folder), openArticles(openBuilt())];
  expect(built.getSummaries()).toEqual(read.getSummaries());
  expect(built.getUnpublished(NOW)).toEqual(read.getUnpublished(NOW));
});

it('refuses content that other sources have built', () =>
  expect(() => openBuilt('others')).toThrow(/content\.json.*built from other sources.*signpost edge/s));

it.each([
  ['texts, numbers and lists', { a: 'ü "\u2028"', b: [1.5, -1, [true, null]], c: {} }],
  [
    'maps in objects, lists and maps',
    { a: new Map([['b', new Map([['c', [new Map([[1, 'd']])]]])]]), e: [new Map()] },
  ],
  ['a map', new Map([['a', { b: new Map([['c', null]]) }]])],
  [
    'keys that look like others',
    { 'a.b': new Map([['__proto__', 1]]), maps: [['value']], value: [['a', 1]] },
  ],
])('returns %s', (_, value) => expect(parseMaps(stringifyMaps(value))).toStrictEqual(value));

it('leaves out fields without a value', () =>
  expect(parseMaps(stringifyMaps({ a: undefined, b: 1 }))).toStrictEqual({ b: 1 }));

it.each([
  ['a date', new Date(0)],
  ['a set', new Set()],
  ['a pattern', /a/],
  ['a function', () => 1],
  ['a number that JSON does not have', Number.NaN],
  ['an item without a value', [undefined]],
  ['an instance', new (class Example {})()],
])('refuses %s and names its place', (_, value) => {
  expect(() => stringifyMaps({ page: { field: value } })).toThrow(/page\.field/);
});
