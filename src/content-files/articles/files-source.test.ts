import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestFilesSource } from '../../../test/support/article-setup.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { HOLD_MS } from '../../core/articles/held-deletions.ts';
import { buildArticleDraft } from '../../core/pages/drafts.ts';
import type { ImageCatalog } from '../../core/pages/images/content-image.ts';
import { packArticle, parseArticleFile, renewArticle } from './article-file.ts';
import type { FilesSource } from './files-source.ts';
import { openArticleFolder } from './read-article-files.ts';

const PHOTO = {
  src: '/images/whole.jpg',
  width: 1600,
  height: 900,
  sources: [{ type: 'image/avif', srcset: '/images/whole-480.avif 480w, /images/whole-800.avif 800w' }],
};
const IMAGES: ImageCatalog = { images: new Map([['whole.jpg', PHOTO]]), origin: 'folder' };

let dir = '';
beforeEach(() => {
  dir = createFolder();
});

function write(name: string, head: string, body = 'Words.'): void {
  writeFileSync(path.join(dir, name), `---\n${head}\n---\n${body}\n`);
}

const head = (publishedAt: string, more = '') =>
  `title: A title\nexcerpt: An excerpt.\ncategories: [CRM Strategy]\npublishedAt: ${publishedAt}${more}`;

const clockAt = (iso: string) => ({ now: () => Date.parse(iso), monotonic: () => 0 });

/** What an edit shows besides files: nothing. */
const PLAIN_EDIT = {
  figures: new Map(),
  products: new Map(),
  defaultAuthor: '',
  authors: new Map(),
  partners: new Map(),
};

const create = (iso = '2026-06-01T00:00:00Z') =>
  createTestFilesSource(clockAt(iso), {
    files: openArticleFolder(dir),
    defaultAuthor: 'Editorial desk',
    readImages: () => IMAGES,
    partners: new Map([['highlevel', null]]),
  });

const slugs = async (iso?: string) =>
  (await create(iso).list({ page: 1, limit: 99 })).articles.map(({ slug }) => slug);

it('lists newest first, articles of the same day by slug', async () => {
  write('b.md', head('2026-01-01'));
  write('c.md', head('2026-02-01'));
  write('a.md', head('2026-01-01'));
  expect(await slugs()).toEqual(['c', 'a', 'b']);
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that this thread still needs. */
function readMemory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it('frees the texts that were edited, without a search', { tags: ['measures'] }, async () => {
  const count = 40;
  const writeAll = (text: string) => {
    for (let index = 0; index < count; index += 1)
      write(`a-${index}.md`, head('2026-01-01'), `${text} ${'🙂 A sentence. '.repeat(10_000)}`);
  };
  writeAll('Old');
  const source = create();
  await source.updateSearch();
  const before = readMemory();
  writeAll('Edited');
  source.prepareEdits(PLAIN_EDIT, new Set()).show();
  source.getSummaries();
  await setImmediate();
  // Buffers are freed by another thread, after the collection.
  await expect.poll(() => readMemory() - before, { timeout: 10_000 }).toBeLessThan(count * 80_000);
  expect((await source.search({ text: 'edited', page: 1, limit: 99 })).articles).toHaveLength(count);
});

it('keeps the articles that were rendered last, and no others', async () => {
  const count = 250;
  for (let index = 0; index < count; index += 1) write(`a-${index}.md`, head('2026-01-01'));
  const source = create();
  const first = new WeakRef((await source.get('a-0')) ?? {});
  const last = await source.get('a-1');
  for (let index = 2; index < count; index += 1) {
    await source.get(`a-${index}`);
    expect(await source.get('a-1')).toBe(last);
  }
  await setImmediate();
  collectGarbage();
  expect(first.deref()).toBeUndefined();
});

it('keeps one text for all versions of an article, and none for its front matter', {
  tags: ['measures'],
}, () => {
  const build = (index: number) =>
    `---\n${head('2026-01-01', `\nseoTitle: T ${index}`)}\n---\n${'🙂 A sentence. '.repeat(10_000)}`;
  const before = readMemory();
  // Read twice: the second time, its front matter is known.
  for (let index = 0; index < 80; index += 1) parseArticleFile(`a-${index % 40}.md`, build(index % 40));
  expect(readMemory() - before).toBeLessThan(3_000_000);
  const parsed = parseArticleFile('a.md', build(0));
  if ('problems' in parsed) throw new Error('the file is invalid');
  const file = packArticle(parsed.file);
  expect([file, renewArticle(file)]).toEqual([parsed.file, parsed.file]);
  const packed = readMemory();
  const renewed = Array.from({ length: 40 }, () => renewArticle(file));
  expect(readMemory() - packed).toBeLessThan(1_000_000);
  expect(renewed).not.toContain(file);
});

it('hides drafts, future and unpublished articles, but previews them', async () => {
  write('draft.md', head('2026-01-01', '\ndraft: true'));
  write('future.md', head('2026-06-02'));
  write('gone.md', head('2026-01-01', '\nunpublishAt: 2026-05-01'));
  expect(await slugs()).toEqual([]);
  for (const slug of ['draft', 'future', 'gone']) {
    expect(await create().get(slug)).toBeNull();
    expect((await create().preview(slug))?.slug).toBe(slug);
  }
  expect(await slugs('2026-06-02T00:00:00Z')).toEqual(['future']);
  expect(await slugs('2026-04-30T00:00:00Z')).toEqual(['gone']);
});

it('lists page by page', async () => {
  for (const slug of ['a', 'b', 'c', 'd', 'e']) write(`${slug}.md`, head('2026-01-01'));
  const source = create();
  const read = async (page: number) => {
    const { articles, hasMore } = await source.list({ page, limit: 2 });
    return [articles.map(({ slug }) => slug).join(''), hasMore];
  };
  expect([await read(1), await read(2), await read(3), await read(4)]).toEqual([
    ['ab', true],
    ['cd', true],
    ['e', false],
    ['', false],
  ]);
});

it('fills every field of an article', async () => {
  write(
    'whole.md',
    head(
      '2026-01-01',
      '\nimage: { src: ../images/whole.jpg, alt: Two columns, focus: 30% 70% }\npartner: highlevel',
    ),
    'First.\n\n## Second\n\n| a | b |\n| - | -: |\n| 1 | 2 |',
  );
  const article = await create().get('whole');
  expect(article).toMatchObject({
    id: 'whole',
    title: 'A title',
    author: 'Editorial desk',
    publishedAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    readingTime: 1,
    seoTitle: '',
    seoDescription: 'An excerpt.',
    partner: 'highlevel',
    tags: [],
  });
  expect(article?.featuredImage).toEqual({ ...PHOTO, alt: 'Two columns', focus: { x: 30, y: 70 } });
  expect(article?.content).toContain('<table ');
});

it('an article was changed on the newest day of its log, which ends with its publication', async () => {
  const log = 'updates: [{ date: 2026-02-02, text: One. }, { date: 2026-03-03, text: Two. }]';
  write('a.md', head('2026-01-01', `\nupdatedAt: 2026-02-20\n${log}`), 'Text.');
  const article = await create().get('a');
  expect(article?.updatedAt).toBe('2026-03-03T00:00:00.000Z');
  expect(article?.evidence?.updates.map(({ date, text }) => [date, text])).toEqual([
    ['2026-03-03', 'Two.'],
    ['2026-02-02', 'One.'],
    ['2026-01-01', 'First published.'],
  ]);
});

it('keeps an edited article that names an image of no build as it is shown, and shows all others', async () => {
  write('a.md', head('2026-01-01'), 'Old.');
  write('b.md', head('2026-01-01'), 'Old.');
  const source = createTestFilesSource(clockAt('2026-06-01T00:00:00Z'), {
    files: openArticleFolder(dir),
    defaultAuthor: '',
    readImages: () => ({ ...IMAGES, origin: 'build' }),
  });
  write('a.md', head('2026-01-01'), 'New.\n\n![A photo](../images/new.jpg)');
  write('b.md', head('2026-01-01'), 'New.');
  write('c.md', head('2026-01-01', '\nimage: { src: ../images/new.jpg, alt: A photo }'), 'New.');
  const edits = source.prepareEdits(PLAIN_EDIT, new Set());
  expect((await source.get('b'))?.content).toContain('Old');
  const list = (files: typeof edits.waiting) => files.map(({ file, problems }) => [file, problems[0]?.field]);
  expect([list(edits.waiting), list(edits.leftOut)]).toEqual([[['a.md', 'body']], [['c.md', 'image.src']]]);
  edits.show();
  expect((await source.get('a'))?.content).toContain('Old');
  expect((await source.get('b'))?.content).toContain('New');
  expect(await source.get('c')).toBeNull();
});

describe('a folder that loses files while the site runs', () => {
  let now: number;
  let source: FilesSource;
  const list = async () => (await source.list({ page: 1, limit: 50 })).articles.map(({ slug }) => slug);
  const edit = (redirects: ReadonlyMap<string, string> = new Map(), edited = new Set<string>()) =>
    source.prepareEdits({ ...PLAIN_EDIT, redirects }, edited).show();

  beforeEach(() => {
    now = Date.parse('2026-06-01T00:00:00Z');
    for (let index = 10; index < 30; index++) write(`a${index}.md`, head('2026-01-01'));
    source = createTestFilesSource(
      { now: () => now, monotonic: () => 0 },
      { files: openArticleFolder(dir), defaultAuthor: '', readImages: () => IMAGES },
    );
  });
  const remove = (...numbers: readonly number[]) => {
    for (const number of numbers) rmSync(path.join(dir, `a${number}.md`));
  };
  const half = Array.from({ length: 10 }, (_, index) => index + 10);

  it('shows no article whose single file was removed', async () => {
    remove(10, 11, 12);
    edit();
    expect(await list()).toHaveLength(17);
    expect(source.getHeld()).toBeNull();
  });

  it('shows no article that was removed on purpose: its address has a redirect', async () => {
    remove(...half);
    edit(new Map(half.map((number) => [`/blog/a${number}`, '/blog'])));
    expect(await list()).toHaveLength(10);
    expect(source.getHeld()).toBeNull();
  });

  const hidden: readonly [what: string, front: string][] = [
    ['drafts', head('2026-01-01', '\ndraft: true')],
    ['of a later day', head('2026-07-01')],
    ['no longer public', head('2025-01-01', '\nunpublishAt: 2025-05-01')],
  ];
  it.each(hidden)('counts no deletion of what was not shown: files that are %s', async (_, front) => {
    for (let index = 0; index < 8; index++) write(`hidden-${index}.md`, front);
    edit();
    for (let index = 0; index < 8; index++) rmSync(path.join(dir, `hidden-${index}.md`));
    edit();
    expect(source.getHeld()).toBeNull();
    remove(10);
    edit();
    expect(source.getHeld()).toBeNull();
    expect(await list()).toHaveLength(19);
    // More that visitors see than may go are held, and nothing else is named.
    remove(11, 12, 13, 14);
    edit();
    expect(source.getHeld()?.slugs).toEqual(['a11', 'a12', 'a13', 'a14']);
  });

  it('shows nothing any more that an operator removes in the console, whatever the folder has lost', async () => {
    remove(...half);
    edit();
    expect(await list()).toHaveLength(20);
    remove(20);
    const edited = new Set(['articles/a20.md', 'articles/a21.md', 'pages/x.yaml']);
    edit(new Map(), edited);
    expect(await list()).not.toContain('a20');
    expect(source.getHeld()?.slugs).toHaveLength(10);
    // Of what was only edited, a later loss counts.
    expect(edited.has('articles/a21.md')).toBe(false);
    remove(21);
    edit(new Map(), edited);
    expect(source.getHeld()?.slugs).toHaveLength(11);
  });

  it.each([
    ['emptied', () => remove(...half, ...half.map((number) => number + 10))],
    ['gone', () => rmSync(dir, { recursive: true })],
  ])('shows every article while it is %s, and each as it is when it is back', async (_, damage) => {
    damage();
    edit();
    expect(await list()).toHaveLength(20);
    expect(source.getHeld()?.slugs).toHaveLength(20);
    mkdirSync(dir, { recursive: true });
    for (let index = 10; index < 30; index++) write(`a${index}.md`, head('2026-01-01'), 'New.');
    edit();
    expect(source.getHeld()).toBeNull();
    expect((await source.get('a10'))?.content).toContain('New');
  });

  it('shows other edits meanwhile, and removes the articles when that is accepted', async () => {
    remove(...half);
    write('a20.md', head('2026-01-01'), 'New.');
    edit();
    expect((await source.get('a20'))?.content).toContain('New');
    expect(await list()).toHaveLength(20);
    expect(source.acceptDeletions()).toHaveLength(10);
    expect(await list()).toHaveLength(10);
    expect(source.getHeld()).toBeNull();
  });

  it('removes the articles after three days', async () => {
    remove(...half);
    edit();
    now += HOLD_MS - 1;
    expect(await list()).toHaveLength(20);
    now += 1;
    expect(await list()).toHaveLength(10);
  });

  it('loses at most as many step by step within a day as at once', async () => {
    for (const number of half) {
      remove(number);
      edit();
    }
    expect((await list()).length).toBeGreaterThanOrEqual(17);
  });
});

it('has no articles when there is no folder', async () => {
  rmSync(dir, { recursive: true });
  expect(await slugs()).toEqual([]);
  mkdirSync(dir);
});

it('searches the bodies of published articles and marks the matches', async () => {
  write('a.md', head('2026-01-01'), 'Every **deliverability** [problem](/x) has a cause.');
  write('later.md', head('2026-06-02'), 'Deliverability later.');
  let now = Date.parse('2026-06-01T00:00:00Z');
  const source = createTestFilesSource(
    { now: () => now, monotonic: () => 0 },
    { files: openArticleFolder(dir), defaultAuthor: '', readImages: () => IMAGES },
  );
  const find = async () => (await source.search({ text: 'delivrability', page: 1, limit: 9 })).articles;
  expect((await find()).map(({ slug, excerptParts }) => [slug, excerptParts])).toEqual([
    [
      'a',
      [
        { text: 'Every ', match: false },
        { text: 'deliverability', match: true },
        { text: ' problem has a cause.', match: false },
      ],
    ],
  ]);
  now += 86_400_000;
  expect((await find()).map(({ slug }) => slug).sort()).toEqual(['a', 'later']);
  expect((await source.findRelated('a', 3)).map(({ slug }) => slug)).toEqual(['later']);
});

it('names every invalid file, field and reason in one error', () => {
  write('Bad Name.md', head('2026-01-01'));
  write('zu\u0308rich.md', head('2026-01-01'));
  write('date.md', head('soon'));
  write('partner.md', head('2026-01-01', '\npartner: unknown'));
  write('yaml.md', 'title: one: two\ncategories: [');
  write('empty.md', head('2026-01-01'), '');
  writeFileSync(path.join(dir, 'nohead.md'), 'Just words.');
  expect(() => create()).toThrow(/^\[articles:files\] 7 files are invalid/);
  expect(() => create()).toThrow(/Bad Name\.md: file name must be lower-case letters/);
  expect(() => create()).toThrow(/zu\u0308rich\.md: .* marks apart, .*: rename it to z\u00fcrich\.md/);
  expect(() => create()).toThrow(/date\.md: publishedAt must be a date/);
  expect(() => create()).toThrow(/partner\.md: partner must be one of highlevel/);
  expect(() => create()).toThrow(/yaml\.md: line 2 /);
  expect(() => create()).toThrow(/empty\.md: body is empty/);
  expect(() => create()).toThrow(/nohead\.md: front matter must be between two lines of ---/);
});

it('publishes no article that still has the texts of its draft', () => {
  const draft = buildArticleDraft('A title', '2026-01-01', 'CRM Strategy');
  writeFileSync(path.join(dir, 'a.md'), draft);
  expect(() => create()).not.toThrow();
  writeFileSync(path.join(dir, 'a.md'), draft.replace('draft: true\n', ''));
  for (const field of ['excerpt', 'seoDescription', 'body']) {
    expect(() => create()).toThrow(
      new RegExp(`a\\.md: ${field} still has ".+": replace it, or set draft: true`),
    );
  }
});
