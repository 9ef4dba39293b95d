import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readImageCatalog } from '../../scripts/build/read-image-catalog.ts';
import { readSaving } from '../../test/support/content-copy.ts';
import { createFolder, createSmallContent } from '../../test/support/create-folder.ts';
import { ContentFiles } from './content-files.ts';
import { hashText } from './parse-yaml.ts';

const saving = readSaving();

let root: string;
let files: ContentFiles;
beforeEach(async () => {
  root = createFolder();
  createSmallContent(root);
  const images = await readImageCatalog(root);
  files = new ContentFiles(root, () => images);
});

const PAGE = 'pages/new-page.yaml';
const PAGE_TEXT =
  '# A comment.\ntitle: A new page\ndescription: A page that is written by a test, long enough for search results.\n' +
  'sections:\n  - { type: hero, title: New }\n';
const ARTICLE = 'articles/new-article.md';
const ARTICLE_TEXT =
  '---\ntitle: New words\nexcerpt: An excerpt.\ncategories: [Guides]\npublishedAt: 2026-01-01\n---\nThe body.\n';

const save = (file: string, text: string, opened: string | null = null) =>
  files.save(file, text, opened, saving);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it.each([
  [PAGE, PAGE_TEXT],
  [ARTICLE, ARTICLE_TEXT],
  [ARTICLE, `\ufeff${ARTICLE_TEXT.replaceAll('\n', '\r\n')}`],
])('writes %s, reads it with its hash and lists it', (file, text) => {
  expect(save(file, text)).toEqual({ outcome: 'saved', hash: hashText(text) });
  expect(files.read(file)).toEqual({ text, hash: hashText(text) });
  expect(read(file)).toBe(text);
  expect(files.list().map((entry) => entry.file)).toContain(file);
  const next = text.replace('New', 'Newer');
  expect(save(file, next, hashText(text))).toEqual({ outcome: 'saved', hash: hashText(next) });
  expect(readdirSync(path.dirname(path.join(root, file))).filter((name) => name.endsWith('.tmp'))).toEqual(
    [],
  );
});

it.each(['foo/bar.yaml', 'constructor/x.yaml', 'redirects/x.yaml', 'images/x.yaml', 'other.yaml'])(
  'does not create %s, which the site does not read',
  (file) => {
    const failed = { outcome: 'failed', reason: `content/${file} is not a content file that can be edited.` };
    expect(save(file, 'a: 1\n')).toEqual(failed);
    expect(files.saveTogether([{ file, text: 'a: 1\n', opened: null }], saving)).toEqual(failed);
    expect(readdirSync(root, { recursive: true })).not.toContain(file);
  },
);

const GAP = ARTICLE_TEXT.replace('The body.', 'The body TK.');
const DRAFT = GAP.replace('---\n', '---\ndraft: true\n');
const later = (text: string) => text.replace('2026-01-01', '2999-01-01');
const RENAMED = 'articles/new-name.md';
const together = (
  ...changes: readonly (readonly [file: string, before: string | null, after: string | null])[]
) =>
  files.saveTogether(
    changes.map(([file, before, text]) => ({ file, text, opened: before && hashText(before) })),
    saving,
  );

it.each<[way: string, before: string | null, save: (before: string | null) => unknown]>([
  ['a new file', null, () => save(ARTICLE, GAP)],
  ['an edit of a draft', DRAFT, (before) => save(ARTICLE, GAP, before && hashText(before))],
  ['a time of publication', DRAFT, (before) => save(ARTICLE, later(GAP), before && hashText(before))],
  ['several files at once', DRAFT, (before) => together([ARTICLE, before, GAP])],
  ['a new file beside others', null, (before) => together([ARTICLE, before, GAP])],
  ['a draft that is renamed', DRAFT, (before) => together([RENAMED, null, GAP], [ARTICLE, before, null])],
  [
    'a gap more at a new address',
    GAP,
    (before) => together([RENAMED, null, GAP.replace('TK', 'TK TK')], [ARTICLE, before, null]),
  ],
])('writes no text that may not be public, whoever asks: %s', (_, before, write) => {
  if (before !== null) writeFileSync(path.join(root, ARTICLE), before);
  expect(write(before)).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('“TK”') });
  expect(existsSync(path.join(root, ARTICLE))).toBe(before !== null);
  expect(existsSync(path.join(root, RENAMED))).toBe(false);
});

it('writes no gap in a page either', () => {
  const text = `${PAGE_TEXT}  - { type: faq, title: Q, items: [{ question: What?, answer: TK. }] }\n`;
  const draft = `draft: true\n${text}`;
  expect(save(PAGE, text)).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('“TK”') });
  expect(save(PAGE, draft)).toMatchObject({ outcome: 'saved' });
  expect(together([PAGE, draft, text])).toMatchObject({ outcome: 'refused' });
});

it('renames what is public with a fault, and writes drafts with any', () => {
  expect(save(ARTICLE, DRAFT)).toMatchObject({ outcome: 'saved' });
  writeFileSync(path.join(root, ARTICLE), GAP);
  expect(together([RENAMED, null, GAP], [ARTICLE, GAP, null])).toEqual({ outcome: 'saved' });
});

it('keeps the mode of a file', () => {
  save(PAGE, PAGE_TEXT);
  chmodSync(path.join(root, PAGE), 0o664);
  save(PAGE, `${PAGE_TEXT}# Later.\n`, hashText(PAGE_TEXT));
  expect(statSync(path.join(root, PAGE)).mode & 0o777).toBe(0o664);
});

it('writes nothing over a file that was changed, removed or created since it was opened', () => {
  save(PAGE, PAGE_TEXT);
  const other = `${PAGE_TEXT}# From the shell.\n`;
  writeFileSync(path.join(root, PAGE), other);
  const changed = { outcome: 'changed', current: { text: other, hash: hashText(other) } };
  expect(save(PAGE, PAGE_TEXT.replace('New', 'Mine'), hashText(PAGE_TEXT))).toEqual(changed);
  expect(save(PAGE, PAGE_TEXT)).toEqual(changed);
  expect(read(PAGE)).toBe(other);
  rmSync(path.join(root, PAGE));
  expect(save(PAGE, PAGE_TEXT, hashText(other))).toEqual({ outcome: 'changed', current: null });
});

it.each([
  [
    'a page with an unknown section',
    PAGE,
    PAGE_TEXT.replace('hero', 'heroe'),
    { field: expect.stringMatching(/^line 5, section 1/), path: ['sections', 0, 'type'] },
  ],
  ['a page that is no YAML', PAGE, `${PAGE_TEXT}  a: [`, { reason: expect.stringContaining('bracket') }],
  ['an article without a title', ARTICLE, ARTICLE_TEXT.replace('title:', 'titel:'), { field: 'titel' }],
  ['an article without a body', ARTICLE, ARTICLE_TEXT.replace('The body.', ''), { field: 'body' }],
  [
    'a partner that takes the path of another one',
    'partners/acme.yaml',
    'key: acme\nname: Acme\n',
    { file: 'partners/acme.yaml' },
  ],
  [
    'a text that is too long',
    ARTICLE,
    `${ARTICLE_TEXT}${'x'.repeat(2_000_000)}`,
    { reason: expect.stringContaining('2 MB') },
  ],
  ['a NUL', PAGE, PAGE_TEXT.replace('New', 'N\0w'), { reason: expect.stringContaining('NUL') }],
  [
    'aliases that explode',
    PAGE,
    `${PAGE_TEXT}${['a', 'b', 'c', 'd']
      .map((name, index) => `${name}: &${name} [${`*${'zabc'[index]}, `.repeat(9)}]`)
      .join('\n')
      .replaceAll('*z', '1')}\n`,
    { file: PAGE },
  ],
])('does not save %s', (_, file, text, problem) => {
  const saved = save(file, text);
  expect(saved).toMatchObject({ outcome: 'invalid' });
  expect('problems' in saved ? saved.problems : []).toContainEqual(expect.objectContaining(problem));
  expect(files.read(file)).toHaveProperty('problem');
});

it('saves what corrects one of two invalid files, and nothing that makes another file invalid', () => {
  const broken = PAGE_TEXT.replace('hero', 'heroe');
  writeFileSync(path.join(root, PAGE), broken);
  writeFileSync(path.join(root, 'pages/other.yaml'), broken);
  expect(save(PAGE, PAGE_TEXT, hashText(broken))).toMatchObject({ outcome: 'saved' });
  const claim = 'written-claim:\n  figure: "12"\n  wording: people\n  evidence: A test.\n';
  writeFileSync(path.join(root, 'claims/written.yaml'), claim);
  const page = PAGE_TEXT.replace('title: New }', 'title: "{claim:written-claim} of them" }');
  expect(save(PAGE, page, hashText(PAGE_TEXT))).toMatchObject({ outcome: 'saved' });
  const renamed = claim.replace('written-claim', 'other-claim');
  const refused = save('claims/written.yaml', renamed, hashText(claim));
  expect(refused).toMatchObject({ outcome: 'invalid', problems: [{ file: PAGE }] });
});

it.each([
  '../outside.yaml',
  'pages/../../outside.yaml',
  '/etc/passwd.yaml',
  'pages/.hidden.yaml',
  'pages/a/b.yaml',
  'pages\\a.yaml',
  'pages/a.yaml\0.md',
  'pages/a.md',
  'articles/a.yaml',
  'images/a.svg',
  'page.schema.json',
  '',
])('neither reads nor writes %j', (file) => {
  expect(files.read(file)).toHaveProperty('problem');
  expect(save(file, PAGE_TEXT)).toMatchObject({ outcome: 'failed' });
});

it('follows a link within the folder, and none that leads out of it', () => {
  const outside = createFolder();
  writeFileSync(path.join(outside, 'secret.yaml'), PAGE_TEXT);
  symlinkSync(path.join(outside, 'secret.yaml'), path.join(root, 'pages/leak.yaml'));
  expect(files.read('pages/leak.yaml')).toHaveProperty('problem');
  expect(save('pages/leak.yaml', 'x', hashText(PAGE_TEXT))).toMatchObject({ outcome: 'failed' });
  rmSync(path.join(root, 'pages/leak.yaml'));

  save(PAGE, PAGE_TEXT);
  symlinkSync('new-page.yaml', path.join(root, 'pages/linked.yaml'));
  const next = PAGE_TEXT.replace('New', 'Newer');
  expect(save('pages/linked.yaml', next, hashText(PAGE_TEXT))).toMatchObject({ outcome: 'saved' });
  expect(read(PAGE)).toBe(next);

  mkdirSync(path.join(outside, 'claims'));
  rmSync(path.join(root, 'authors'), { recursive: true });
  symlinkSync(outside, path.join(root, 'authors'));
  expect(save('authors/new-author.yaml', 'name: New\n')).not.toMatchObject({ outcome: 'saved' });
  expect(readdirSync(outside).sort()).toEqual(['claims', 'secret.yaml']);
});
