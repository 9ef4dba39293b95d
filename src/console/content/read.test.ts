import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildTestArticle } from '../../../test/contract/article-cache-store.ts';
import { buildViewRequest, createTestConsole, postForm } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createNoArticles } from '../../../test/support/test-site.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { openFolderContent } from '../../content-files/content-source.ts';
import { ContentJournal } from '../../content-files/journal.ts';
import type { Claim } from '../../core/pages/claims/claim.schema.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import { buildSummary } from '../../stores/article-copies.ts';
import { DISK } from '../../stores/disk.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readContentTasks, readContentView } from './read.ts';

let site: ConsoleSite;
let held: readonly string[];

beforeEach(async () => {
  held = ['a', 'b'];
  site = await createTestConsole({
    articles: {
      ...createNoArticles(),
      getSummaries: () => ['a', 'b', 'c'].map((slug) => buildSummary(buildTestArticle(slug))),
      getHeldDeletions: () => (held.length === 0 ? null : { slugs: held, since: 0 }),
      async acceptDeletions() {
        const { length } = held;
        held = [];
        return length;
      },
    },
  });
});

it('lists the articles whose deletion is held back, until an operator accepts it', async () => {
  const { held: shown } = await readContentTasks(site, buildViewRequest());
  expect(shown?.articles).toEqual([
    { slug: 'a', title: 'Title of a', path: '/blog/a' },
    { slug: 'b', title: 'Title of b', path: '/blog/b' },
  ]);
  expect(shown?.description).toContain('2 of 3 articles are missing');
  const accept = () => postForm(site, 'content', { action: 'accept-deletions' });
  expect(await accept()).toMatchObject({ location: '/console/content', isError: false });
  expect((await readContentTasks(site, buildViewRequest())).held).toBeNull();
  expect(await accept()).toMatchObject({ isError: true });
});

it.each([
  ['finish-writing', 'their text', 'finished'],
  ['undo-writing', 'our text', 'undone'],
])('%s resolves what another site has begun to write', async (action, text, done) => {
  const root = createFolder();
  const file = path.join(root, 'site.yaml');
  writeFileSync(file, 'our text');
  let isDead = false;
  const other = new ContentJournal(root, () => 'other', {
    ...DISK,
    renameSync(from, to) {
      DISK.renameSync(from, to);
      isDead = true;
      throw new Error('killed');
    },
    utimesSync(target, atime, mtime) {
      if (isDead) throw new Error('killed');
      DISK.utimesSync(target, atime, mtime);
    },
  });
  const staged = other.begin();
  staged.add('site.yaml', 'their text');
  expect(() => staged.commit()).toThrow('killed');
  const files = new ContentFiles(root, () => NO_IMAGES);
  const content = { ...site.platform.content, files };
  const console = { ...site, platform: { ...site.platform, content } };
  const post = () => postForm(console, 'content', { action });
  expect(await post()).toMatchObject({ isError: true, message: expect.stringContaining('is being written') });
  utimesSync(path.join(root, '.import/journal.json'), 0, 0);
  expect((await readContentTasks(console, buildViewRequest())).hold?.kind).toBe('foreign');
  expect(await post()).toMatchObject({ isError: false, message: expect.stringContaining(done) });
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(await post()).toMatchObject({ isError: true });
});

it('accepts nothing by an incomplete form', async () => {
  expect(await postForm(site, 'content', {})).toMatchObject({ isError: true });
  expect(held).toEqual(['a', 'b']);
});

it('shows content that is part of the build, and says how it is changed', async () => {
  const builtFiles = {
    list: () => [{ file: 'site.yaml', changedAt: null }],
    read: () => ({ text: 'name: Signpost\n', hash: 'hash' }),
  };
  const { platform } = site;
  const built = {
    ...site,
    platform: { ...platform, content: { ...platform.content, files: null, builtFiles } },
  };
  const model = await readContentView(built, buildViewRequest());
  if (model?.kind !== 'list') throw new Error('it is not the list');
  expect(model.list.rows.map(({ file }) => file)).toEqual(['site.yaml']);
  expect(model.list.readOnly).toContain('signpost edge deploy');
  const file = await readContentView(built, buildViewRequest({ rest: ['site.yaml'] }));
  expect(file).toMatchObject({ kind: 'file', text: 'name: Signpost\n', readOnly: model.list.readOnly });
});

it('lists what is scheduled by its day, with the time at which it appears', async () => {
  const list = (name: string, day: string) =>
    [name, { title: name, sections: [], publishedAt: `${day}T08:30:00Z` }] as const;
  const pages = new Map([
    list('/b-later', '2199-01-02'),
    list('/c-first', '2199-01-01'),
    list('/a-shown', '2020-01-01'),
  ]);
  const names = ['a-shown', 'b-later', 'c-first'].map((name) => ({
    file: `pages/${name}.yaml`,
    changedAt: null,
  }));
  const { content, platform } = site;
  const shown = { ...content.read(), pages: pages as never };
  const builtFiles = { list: () => names, read: () => ({ text: '', hash: '' }) };
  const console = {
    ...site,
    content: { ...content, read: () => shown },
    platform: { ...platform, content: { ...platform.content, files: null, builtFiles } },
  };
  const read = async (search: string) => {
    const model = await readContentView(console, buildViewRequest({ search }));
    if (model?.kind !== 'list') throw new Error('it is not the list');
    return model.list.rows.map(({ file, publishAt }) => [file, publishAt]);
  };
  expect(await read('state=scheduled')).toEqual([
    ['pages/c-first.yaml', Date.parse('2199-01-01T08:30:00Z')],
    ['pages/b-later.yaml', Date.parse('2199-01-02T08:30:00Z')],
  ]);
  expect(await read('state=published')).toEqual([['pages/a-shown.yaml', null]]);
});

it('finds where a claim is named whose key is newer than the first look at the content', async () => {
  const root = createFolder();
  writeFileSync(path.join(root, 'site.yaml'), 'stats: [old-name, new-name]');
  const { content, platform } = site;
  const shown = { ...content.read(), claims: new Map<string, Claim>() };
  const console = {
    ...site,
    content: { ...content, read: () => shown },
    platform: { ...platform, content: openFolderContent(root, () => NO_IMAGES) },
  };
  const listUnused = async (key: string) => {
    shown.claims = new Map([[key, { key, figure: '$1', wording: 'a month', evidence: '' }]]);
    const { claims } = await readContentTasks(console, buildViewRequest());
    return claims.filter(({ kind }) => kind === 'unused').map(({ text }) => text);
  };
  expect(await listUnused('old-name')).toEqual([]);
  expect(await listUnused('new-name')).toEqual([]);
  expect(await listUnused('no-name')).toEqual(['no-name: no page names it']);
});
