import { rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type ContentEdits, copyContent } from '../../test/support/content-copy.ts';
import { createFolder } from '../../test/support/create-folder.ts';
import type { ImageCatalog } from '../core/pages/images/content-image.ts';
import { ParsedFiles } from './content-folder.ts';
import { openFolderContent, readShown, type ShownContent } from './content-source.ts';
import { type ContentReferences, readContent } from './read-content.ts';

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
let references: ContentReferences;
beforeEach(() => {
  folder = createFolder();
  copyContent(folder);
  references = { images, files: new ParsedFiles(folder) };
  shown = readShown(folder, references);
});

/** Shows the folder with edits; files that `edits` does not name are as they are shipped. */
function edit(edits: ContentEdits): ShownContent {
  copyContent(folder, edits);
  shown = readShown(folder, references, shown.documents);
  return shown;
}

const IMAGE = '  - { type: image, image: { src: ../images/new.png, alt: New } }\n';
const NEW_PAGE = `title: New page
description: A page that shows an image which was added while the site was running, to be read later.
sections:
  - { type: hero, title: New }
`;
const addImage = (text: string) => text.replace('title: Help center', 'title: Help with image') + IMAGE;
const listFiles = ({ waiting }: ShownContent) => waiting.map(({ file, field }) => `${file}, ${field}`);

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

it('a new page with a new image is not shown, and what links to it is', () => {
  const edited = edit({
    'pages/new.yaml': () => NEW_PAGE + IMAGE,
    'pages/terms.yaml': (text) =>
      text.replace('sections:\n', 'sections:\n  - { type: prose, body: "[x](/new)" }\n'),
    'site.yaml': (text) => text.replace('tagline: ', 'tagline: New '),
  });
  expect(edited.leftOut.map(({ file, field }) => `${file}, ${field}`)).toEqual([
    'pages/new.yaml, line 5, section 2 (image), field image.src',
  ]);
  expect([edited.waiting, edited.warnings]).toEqual([[], []]);
  expect(edited.content.pages.has('/new')).toBe(false);
  expect(JSON.stringify(edited.content.pages.get('/terms'))).toContain('[x](/new)');
  expect(edited.content.site.tagline).toMatch(/^New /);
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
  expect(edited.waiting.map(({ file }) => file)).toEqual(['authors/editorial-desk.yaml', 'pages/help.yaml']);
  expect(edited.leftOut.map(({ file }) => file)).toEqual(['authors/ada.yaml']);
});

it('an invalid edit stays as it was valid, and every other edit is shown', () => {
  const edited = edit({
    'pages/help.yaml': addImage,
    'site.yaml': (text: string) => text.replace('tagline:', 'tagine:'),
    'pages/terms.yaml': (text) => text.replace('title: Terms of service', 'title: New terms'),
  });
  expect(new Set(edited.waiting.map(({ file }) => file))).toEqual(new Set(['site.yaml', 'pages/help.yaml']));
  expect(edited.content.pages.get('/terms')?.title).toBe('New terms');
  expect(edited.content.site.tagline).toBe(edit({}).content.site.tagline);
});

it('what a page needs stays when it is removed, and goes with the page', () => {
  const withAda = (text: string) => `${text}  - { type: author, author: ada, text: x }\n`;
  edit({ 'authors/ada.yaml': () => 'name: Ada\nrole: x\nbio: x\n', 'pages/help.yaml': withAda });
  rmSync(path.join(folder, 'authors/ada.yaml'));
  const kept = edit({ 'pages/help.yaml': withAda });
  expect(kept.waiting).toEqual([
    {
      file: 'authors/ada.yaml',
      field: '',
      reason: 'is gone, and pages/help.yaml needs it: there is no author "ada"',
    },
  ]);
  expect([kept.content.authors.has('ada'), kept.content.pages.has('/help')]).toEqual([true, true]);
  const gone = edit({});
  expect([gone.waiting, gone.content.authors.has('ada')]).toEqual([[], false]);
});

it('a change that makes another file wrong waits, and no other change does', () => {
  const removePage = (text: string) => text.replace(/ {2}trial: .*\n/, '');
  const edited = edit({
    'partners/highlevel.yaml': removePage,
    'partners/kit.yaml': (text) => text.replace('name: Kit', 'name: New kit'),
  });
  expect(edited.waiting.map(({ file }) => file)).toEqual(['partners/highlevel.yaml']);
  expect(edited.content.partners.get('highlevel')?.destinations.has('trial')).toBe(true);
  expect(edited.content.partners.get('kit')?.name).toBe('New kit');
});

const BROKEN = {
  'pages/help.yaml': (text: string) => text.replace('type: faq', 'type: fqa'),
  'pages/new.yaml': () => NEW_PAGE.replace('title: New }', 'title: New, lead: Running text in Markdown. }'),
};
const start = (edits: ContentEdits, last?: ShownContent['documents']) => {
  copyContent(folder, edits);
  return readShown(folder, references, last, true);
};

it('a start leaves out what is invalid, to which others may link, and says why', () => {
  const { content, leftOut, warnings } = start(BROKEN);
  expect(leftOut.map(({ file, reason }) => [file, reason.slice(0, 30)])).toEqual([
    ['pages/help.yaml', 'there is no section type `fqa`'],
    ['pages/new.yaml', 'still has "Running text in Mar'],
  ]);
  expect([content.pages.has('/help'), content.pages.has('/new'), content.pages.has('/terms')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(warnings).toEqual([]);
});

it('links, redirects and images that lead nowhere keep nothing from being shown', () => {
  const { content, leftOut, warnings } = start({
    'pages/new.yaml': () => `${NEW_PAGE}  - { type: prose, body: "[x](/nowhere)" }\n${IMAGE}`,
    'redirects/old.csv': () => 'from,to\n/gone,/nowhere\n/good,/help\n/good,/terms\n/help,/terms\n/bad\n',
  });
  expect(leftOut).toEqual([]);
  expect(content.pages.has('/new')).toBe(true);
  expect([...content.redirects]).toEqual([['/good', '/help']]);
  expect(warnings.map(({ file, field, reason }) => `${file}, ${field}: ${reason}`)).toEqual([
    'redirects/old.csv, line 6: must have two cells',
    expect.stringMatching(/^pages\/new\.yaml, line 5, .*: leads to \/nowhere, which does not exist/),
    'redirects/old.csv, line 2: /gone leads to /nowhere, which does not exist',
    'redirects/old.csv, line 4: /good is in redirects/old.csv, line 3, already',
    'redirects/old.csv, line 5: /help is a page of this site',
    expect.stringContaining('names content/images/new.png, which is not there'),
  ]);
  // With the file, the page waits for nothing but its conversion.
  writeFileSync(path.join(folder, 'images/new.png'), 'an image');
  expect(
    start({ 'pages/new.yaml': () => `${NEW_PAGE}${IMAGE}` }).warnings.filter(
      ({ file }) => file === 'pages/new.yaml',
    ),
  ).toEqual([]);
});

it('what is not read any more is named once, and wrong for neither a start nor a check', () => {
  const allow = ['scarcity', 'tested-words'].map(
    (rule) => `  - { rule: ${rule}, reason: specified, by: A, day: 2026-11-21 }\n`,
  );
  const proof = '{ words: stars, source: "https://a.example/", until: 2026-12-01, scheme: A }';
  const edits: ContentEdits = {
    'allowed.yaml': () => '- { file: site.yaml, rule: scarcity, reason: a, by: A, day: 2026-11-21 }\n',
    'site.yaml': (text) =>
      `${text}dossier: { Disclosure: Offenlegung }\n`.replace(
        /^operator:.*$/m,
        (line) => `${line}\n  ties: { stated: 2026-11-21, list: [] }`,
      ),
    'authors/editorial-desk.yaml': (text) =>
      `${text}ties: { stated: 2026-11-21, list: [{ with: Kit, kind: gift }] }\n`,
    'pages/new.yaml': () =>
      `${NEW_PAGE}provenance: { kind: human }\npublicInterest: true\nallow:\n${allow.join('')}proofs: [${proof}]\n`,
    'products/kit.yaml': (text) => `${text}allow:\n${allow[0]}`,
  };
  const { content, documents, waiting, leftOut, warnings } = start(edits);
  expect([waiting, leftOut]).toEqual([[], []]);
  expect(warnings.map(({ file, field, reason }) => `${file}, ${field}: ${reason}`)).toEqual([
    expect.stringMatching(/^site\.yaml, line \d+, field dossier: .* no dossiers any more\. Remove it$/),
    expect.stringMatching(
      /^site\.yaml, line \d+, field operator\.ties: is not read any more: no rule asks for it/,
    ),
    expect.stringMatching(/^authors\/editorial-desk\.yaml, line \d+, field ties: /),
    expect.stringMatching(/^products\/kit\.yaml, line \d+, allow, entry 1: .*its rule is gone/),
    expect.stringMatching(/^pages\/new\.yaml, line 5, field provenance: /),
    expect.stringMatching(/^pages\/new\.yaml, line 6, field publicInterest: /),
    expect.stringMatching(/^pages\/new\.yaml, line 10, proof 1, field until: /),
    expect.stringMatching(/^pages\/new\.yaml, line 10, proof 1, field scheme: /),
    expect.stringMatching(/^pages\/new\.yaml, line 8, allow, entry 1: /),
    expect.stringMatching(/^allowed\.yaml, : is not read any more: .*Remove it$/),
  ]);
  expect(documents.get('pages/new.yaml')).toMatchObject({
    allow: [{ rule: 'tested-words' }],
    proofs: [{ words: 'stars', source: 'https://a.example/' }],
  });
  expect([content.pages.has('/new'), content.products.has('kit')]).toEqual([true, true]);
  expect(readContent(folder, references)).toBeDefined();
});

it('a former file to take away leads to the page that links to it, unless a redirect says where', () => {
  const link = (name: string) => () => `${NEW_PAGE}  - { type: prose, body: "[x](/takeaways/${name})" }\n`;
  const edits = { 'pages/new.yaml': link('trial-plan.ics'), 'pages/newer.yaml': link('audit-sheet.csv') };
  const shipped = start(edits);
  expect([...shipped.content.redirects]).toEqual([]);
  expect(shipped.content.site.aliases).toMatchObject({
    '/takeaways/audit-sheet.csv': '/business-tool-consolidation-guide',
    '/takeaways/trial-plan.ics': '/gohighlevel-free-trial',
  });
  const { content, warnings } = start({
    'site.yaml': (text: string) => text.replace(/^ {2}\/takeaways\/.*\n/gm, ''),
  });
  expect(Object.fromEntries(content.redirects)).toEqual({
    '/takeaways/trial-plan.ics': '/new',
    '/takeaways/audit-sheet.csv': '/newer',
  });
  expect(warnings.map(({ file, reason }) => `${file} ${reason}`)).toEqual([
    'pages/newer.yaml links to /takeaways/audit-sheet.csv, which is not there any more: remove the link',
    'pages/new.yaml links to /takeaways/trial-plan.ics, which is not there any more: remove the link',
  ]);
});

it.each(['site.yaml', 'assessment.yaml', 'calculators.yaml', 'partners/kit.yaml'])(
  'a first start fails with everything that is wrong when %s is, and a later one shows what was valid last',
  { tags: ['rest'] },
  (file) => {
    const { documents } = shown;
    const edits = { ...BROKEN, [file]: () => 'x: [' };
    expect(() => start(edits)).toThrow(`content/${file}, line 1: has a wrong indentation`);
    const later = start(edits, documents);
    expect(later.waiting.map((problem) => problem.file)).toContain(file);
    expect(later.content).toEqual(readShown(folder, references, documents).content);
    rmSync(path.join(folder, file));
    expect(start(BROKEN, documents).content.partners.has('kit')).toBe(true);
  },
);

it('a page that is left out is shown when it is corrected', () => {
  shown = start(BROKEN);
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

it('what is shown outlives the process, and only for its folder', () => {
  const copyFile = path.join(createFolder(), 'data', 'last-content.json');
  const open = (root = folder) => openFolderContent(root, () => images, { copyFile });
  expect(open().remember(open().readStart().documents)).toBeNull();
  expect(statSync(copyFile).mode & 0o777).toBe(0o600);
  writeFileSync(path.join(folder, 'partners/kit.yaml'), 'x: [');
  expect(open().readStart().content.partners.has('kit')).toBe(true);
  const other = createFolder();
  copyContent(other, { 'partners/kit.yaml': () => 'x: [' });
  expect(() => open(other).readStart()).toThrow('partners/kit.yaml');
  writeFileSync(copyFile, '{');
  expect(() => open().readStart()).toThrow('partners/kit.yaml');
});

it('starts without the articles when their folder cannot be read, and names the reason', () => {
  rmSync(path.join(folder, 'articles'), { recursive: true, force: true });
  // A file in the place of a folder fails for every user, also for an administrator.
  writeFileSync(path.join(folder, 'articles'), '');
  const { articles, files } = openFolderContent(folder, () => images);
  expect(articles.listSlugs()).toEqual([]);
  const { files: found, leftOut } = articles.readShown({ images }, null);
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
  const other = openFolderContent(folder, () => images, { known: structuredClone(known) });
  expect(other.readStart().content.site.tagline).toBe('Known');
  copyContent(folder, { 'site.yaml': (text) => text.replace('tagline: ', 'tagline: New ') });
  expect(other.readStart().content.site.tagline).toMatch(/^New /);
});
