import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type ContentEdits, copyContent } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import {
  type EditedContent,
  openFolderContent,
  readEdits,
  readStart,
  type ShownContent,
} from './content-source.ts';
import { readContentDocuments } from './read-content.ts';

const BUILT = [
  'signpost',
  ...['pipeline', 'calendar', 'workflow', 'account', 'inbox'].map((name) => `product/${name}`),
];
const images: ImageCatalog = {
  images: new Map(
    BUILT.map((name) => [`${name}.svg`, { src: `/images/${name}.svg`, width: 1, height: 1, sources: [] }]),
  ),
  origin: 'build',
};

let folder: string;
let shown: ShownContent;
beforeEach(() => {
  folder = createFolder();
  copyContent(folder);
  const { documents } = readContentDocuments(folder, { images });
  shown = { documents, leftOut: new Set() };
});

function edit(edits: ContentEdits): EditedContent {
  copyContent(folder, edits);
  const edited = readEdits(folder, { images }, shown);
  shown = { ...shown, documents: edited.documents };
  return edited;
}

const IMAGE = '  - { type: image, image: { src: ../images/new.png, alt: New } }\n';
const NEW_PAGE = `title: New page
description: A page that shows an image which was added while the site was running, to be read later.
sections:
  - { type: hero, title: New }
`;
const addImage = (text: string) => text.replace('title: Help center', 'title: Help with image') + IMAGE;
const listFiles = ({ waiting }: EditedContent) => waiting.map(({ file, field }) => `${file}, ${field}`);

it('a page that names a new image stays as it is shown, and every other edit is shown', () => {
  const edited = edit({
    'pages/help.yaml': addImage,
    'pages/terms.yaml': (text) => text.replace('title: Terms of service', 'title: New terms'),
    'site.yaml': (text) => text.replace('tagline: ', 'tagline: New '),
  });
  expect(edited.content.pages.get('/help')?.title).toBe('Help center');
  expect(edited.content.pages.get('/terms')?.title).toBe('New terms');
  expect(edited.content.site.tagline).toMatch(/^New /);
  expect(edited.waiting).toEqual([
    {
      file: 'pages/help.yaml',
      field: expect.stringMatching(/^line \d+, section \d+ \(image\), field image\.src$/),
      reason: expect.stringContaining('names content/images/new.png, which is not there'),
    },
  ]);
});

it('a page that waits has the prices of later edits, and is shown as edited when it names the image no more', () => {
  edit({ 'pages/gohighlevel-free-trial.yaml': (text) => `${text}${IMAGE}` });
  const later = edit({
    'pages/gohighlevel-free-trial.yaml': (text) => `${text}${IMAGE}`,
    'products/highlevel.yaml': (text) => text.replace('price: 97', 'price: 98.5'),
  });
  expect(listFiles(later)).toHaveLength(1);
  expect(JSON.stringify(later.content.pages.get('/gohighlevel-free-trial'))).toContain('$98.50');
  expect(listFiles(edit({ 'pages/gohighlevel-free-trial.yaml': (text) => text }))).toEqual([]);
});

it('a new page with a new image is not shown, and what links to it waits as well', () => {
  const edited = edit({
    'pages/new.yaml': () => NEW_PAGE + IMAGE,
    'pages/terms.yaml': (text) =>
      text.replace('sections:\n', 'sections:\n  - { type: prose, body: "[x](/new)" }\n'),
    'site.yaml': (text) =>
      text.replace('href: /help }', 'href: /new }').replace('tagline: ', 'tagline: New '),
    'pages/help.yaml': (text) => text.replace('title: Help center', 'title: New help'),
  });
  expect(listFiles(edited)).toEqual([
    'pages/new.yaml, line 5, section 2 (image), field image.src',
    'site.yaml, line 65, footer, entry 3, link 2, field href',
    'pages/terms.yaml, line 6, section 1 (prose), field body',
  ]);
  expect(edited.content.pages.has('/new')).toBe(false);
  expect(edited.content.site.tagline).not.toMatch(/^New /);
  expect(edited.content.pages.get('/help')?.title).toBe('New help');
});

it('an author with a new portrait stays as shown, and a page that names a new author waits', () => {
  const edited = edit({
    'authors/editorial-desk.yaml': (text) =>
      `${text}image: { src: ../images/new.png, alt: The desk }\n`.replace('role: ', 'role: New '),
    'authors/ada.yaml': () => 'name: Ada\nrole: x\nbio: x\nimage: { src: ../images/ada.png, alt: Ada }\n',
    'pages/help.yaml': (text) => `${text}  - { type: author, author: ada, text: x }\n`,
  });
  expect(edited.content.authors.get('editorial-desk')?.role).not.toMatch(/^New/);
  expect([...edited.content.authors.keys()]).toEqual(['editorial-desk']);
  expect(edited.waiting.map(({ file }) => file)).toEqual([
    'authors/ada.yaml',
    'authors/editorial-desk.yaml',
    'pages/help.yaml',
  ]);
});

it('an edit that is invalid is refused as a whole, whatever waits', () => {
  const edits = {
    'pages/help.yaml': addImage,
    'site.yaml': (text: string) => text.replace('tagline:', 'tagine:'),
  };
  expect(() => edit(edits)).toThrow(/content\/site\.yaml/);
});

it('a page that waits and whose shown version does not fit the other edits is reported', () => {
  writeFileSync(path.join(folder, 'authors/ada.yaml'), 'name: Ada\nrole: x\nbio: x\n');
  edit({ 'pages/help.yaml': (text) => `${text}  - { type: author, author: ada, text: x }\n` });
  rmSync(path.join(folder, 'authors/ada.yaml'));
  expect(() => edit({ 'pages/help.yaml': addImage })).toThrow('no file in content/authors/ is called "ada"');
});

const BROKEN = {
  'pages/help.yaml': (text: string) => text.replace('type: faq', 'type: fqa'),
  'pages/new.yaml': () => NEW_PAGE.replace('title: New }', 'title: New, lead: Running text in Markdown. }'),
};
const start = (edits: ContentEdits) => {
  copyContent(folder, edits);
  return readStart(folder, { images });
};

it('a start leaves out the pages that are invalid, to which others may link, and says why', () => {
  const { content, leftOut } = start(BROKEN);
  expect(leftOut.map(({ file, reason }) => [file, reason.slice(0, 30)])).toEqual([
    ['pages/help.yaml', 'there is no section type `fqa`'],
    ['pages/new.yaml', 'still has "Running text in Mar'],
  ]);
  expect([content.pages.has('/help'), content.pages.has('/new'), content.pages.has('/terms')]).toEqual([
    false,
    false,
    true,
  ]);
});

it('a start leaves out a page with a broken link, and then no other', () => {
  const { leftOut } = start({
    'pages/new.yaml': () => `${NEW_PAGE}  - { type: prose, body: "[x](/nowhere)" }\n`,
  });
  expect(leftOut.map(({ file }) => file)).toEqual(['pages/new.yaml']);
});

it('a start fails with everything that is wrong when a file is invalid that every page needs', () =>
  expect(() => start({ ...BROKEN, 'site.yaml': (text) => text.replace('tagline:', 'tagine:') })).toThrow(
    /3 problems[\s\S]*help\.yaml[\s\S]*new\.yaml|site\.yaml/,
  ));

it('a page that is left out prevents no edit, and is shown when it is corrected', () => {
  const { documents, leftOut } = start(BROKEN);
  shown = { documents, leftOut: new Set(leftOut.map(({ file }) => file)) };
  const edited = edit({
    ...BROKEN,
    'pages/terms.yaml': (text) => text.replace('title: Terms of service', 'title: New terms'),
  });
  expect(edited.content.pages.get('/terms')?.title).toBe('New terms');
  expect([edited.waiting, edited.leftOut.length]).toEqual([[], 2]);
  const corrected = edit({ 'pages/new.yaml': () => NEW_PAGE });
  expect([corrected.content.pages.has('/help'), corrected.content.pages.has('/new')]).toEqual([true, true]);
  expect(corrected.leftOut).toEqual([]);
});

it('starts without the articles when their folder cannot be read, and names the reason', () => {
  rmSync(path.join(folder, 'articles'), { recursive: true, force: true });
  // A file in the place of a folder fails for every user, also for an administrator.
  writeFileSync(path.join(folder, 'articles'), '');
  const { articles, files } = openFolderContent(folder, () => images);
  expect(articles.listSlugs()).toEqual([]);
  const { files: found, leftOut } = articles.readStart({ images });
  expect(found).toEqual([]);
  const problems = [{ field: 'the folder', reason: 'cannot be read (ENOTDIR)' }];
  expect(leftOut).toEqual([{ file: '', problems }]);
  expect(files?.list().length).toBeGreaterThan(10);
});

it('begins with what another thread has parsed, and parses a file again once it has changed', () => {
  const { known, readStart: start } = openFolderContent(folder, () => images);
  start();
  const value = Object(known.get('site.yaml')?.value);
  known.set('site.yaml', {
    state: known.get('site.yaml')?.state ?? '',
    value: { ...value, tagline: 'Known' },
  });
  const other = openFolderContent(folder, () => images, undefined, undefined, structuredClone(known));
  expect(other.readStart().content.site.tagline).toBe('Known');
  copyContent(folder, { 'site.yaml': (text) => text.replace('tagline: ', 'tagline: New ') });
  expect(other.readStart().content.site.tagline).toMatch(/^New /);
});
