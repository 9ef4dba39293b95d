import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr } from '../../../test/support/build-wxr.ts';
import { createTestConsole, postChange } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createSiteFolder } from '../../commands/new.ts';
import { CAPABILITIES } from '../../core/console/capabilities.ts';
import { MoveIn } from '../../move-in/move-in.ts';
import { openUploads } from './run-imports.ts';

const EXPORT = buildWxr([
  { id: 1, slug: 'moved', content: '<p>A <a href="https://shop.example/buy?aff=me-1">paid link</a>.</p>' },
]);

async function open() {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, isReplacing: false, day: '2026-01-05' });
  const moveIn = new MoveIn(content);
  const site = { ...(await createTestConsole()), moveIn };
  const build = (id: string) => ({ kind: 'operator', id, name: id, capabilities: CAPABILITIES }) as const;
  const post = (action: string, fields: Fields, viewer = build('ada')) =>
    postChange(site, 'import', buildUpload({ action, ...fields }), { viewer });
  const upload = (text: string, fields: Fields = {}, viewer = build('ada')) =>
    post('upload-site', { file: new File([text], 'folder/export.xml'), ...fields }, viewer);
  /** What an operator sees of an upload; null without one. */
  const readUpload = async (id = 'ada') => (await openUploads(site).findSite(id)) ?? null;
  /** Imports what the operator sees. */
  const commit = async (fields: Fields = {}) =>
    post('commit-site', { upload: (await readUpload())?.id ?? '', ...fields });
  return { site, content, build, post, upload, commit, readUpload };
}

type Fields = Readonly<Record<string, string | File>>;

function buildUpload(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it('imports an upload with the partners that the form confirms', async () => {
  const { content, readUpload, upload, commit } = await open();
  expect(await upload(EXPORT)).toMatchObject({ isError: false });
  const groups = [{ links: 1, proposal: { key: 'shop', affiliate: { parameter: 'aff', value: 'me-1' } } }];
  expect(await readUpload()).toMatchObject({
    ...{ name: 'export.xml', kind: 'site', site: { preview: { posts: 1, groups } } },
  });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
  const decided = {
    'confirm-0': 'yes',
    'key-0': 'my-shop',
    'name-0': 'Shop',
    'network-0': 'generic',
    'parameter-0': 'aff',
    'subId-0': '',
    'value-0': 'forged',
  };
  expect(await commit({ ...decided, 'key-0': 'My Shop' })).toMatchObject({ isError: true });
  expect(await commit({ ...decided, 'key-0': 'example' })).toMatchObject({
    isError: true,
    message: expect.stringContaining('is that of a partner of this site'),
  });
  expect(await commit(decided)).toMatchObject({ isError: false });
  expect(readFileSync(path.join(content, 'articles/moved.md'), 'utf8')).toContain(
    '[paid link](/go/my-shop?page=pricing)',
  );
  expect(readFileSync(path.join(content, 'partners/my-shop.yaml'), 'utf8')).toContain('value: me-1');
  expect(await readUpload()).toBeNull();
  expect(readFileSync(path.join(content, '.import/report.txt'), 'utf8')).toContain('Articles: 1 posts');
});

it('takes what the export does not say of the former site', async () => {
  const { content, upload, commit } = await open();
  expect(await upload(EXPORT, { amazon: 'not a host' })).toMatchObject({
    isError: true,
    message: expect.stringContaining('Amazon is a host and a tag'),
  });
  expect(await upload(EXPORT, { bases: 'topics' })).toMatchObject({ isError: false });
  expect(await commit()).toMatchObject({ isError: false });
  expect(readFileSync(path.join(content, 'redirects/imported-wordpress.csv'), 'utf8')).toContain(
    '/topics/guides,/blog/topic/guides',
  );
});

it('refuses what is no export, and imports nothing after it was discarded', async () => {
  const { content, readUpload, post, upload, commit } = await open();
  expect(await upload('<html></html>')).toMatchObject({ isError: true });
  expect(await upload('')).toMatchObject({ isError: true });
  expect(await readUpload()).toBeNull();
  await upload(EXPORT);
  await post('discard-site', {});
  expect(await commit()).toMatchObject({ isError: true });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
});

it('imports what the operator has seen, and not what was uploaded since or by another one', async () => {
  const { content, readUpload, build, post, upload } = await open();
  const other = buildWxr([{ id: 2, slug: 'other', content: '<p>Other.</p>' }]);
  await upload(EXPORT);
  const seen = (await readUpload())?.id ?? '';
  await upload(other, {}, build('bob'));
  expect((await readUpload())?.id).toBe(seen);
  expect(await post('commit-site', { upload: seen }, build('bob'))).toMatchObject({ isError: true });
  await upload(other);
  expect(await post('commit-site', { upload: seen })).toMatchObject({
    isError: true,
    message: expect.stringContaining('was replaced'),
  });
  expect(existsSync(path.join(content, 'articles/other.md'))).toBe(false);
  const bobs = (await readUpload('bob'))?.id ?? '';
  expect(await post('commit-site', { upload: bobs }, build('bob'))).toMatchObject({ isError: false });
  expect(existsSync(path.join(content, 'articles/other.md'))).toBe(true);
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
});

it('takes the links of a plugin, and leaves nothing of an upload in the content folder', async () => {
  const { content, upload, commit, readUpload } = await open();
  const links = new File(['url,slug\nhttps://shop.example/?aff=me-1,shop-link\n'], 'links.csv');
  expect(await upload(EXPORT, { links })).toMatchObject({ isError: false });
  expect(await readUpload()).toMatchObject({ site: { links: 'links.csv' } });
  expect(existsSync(path.join(content, '.import/upload'))).toBe(false);
  expect(await commit()).toMatchObject({ isError: false });
  expect(readFileSync(path.join(content, 'redirects/imported-wordpress.csv'), 'utf8')).toContain(
    '/shop-link,https://shop.example/?aff=me-1',
  );
});

it('keeps a site and a report apart, and imports a site with the right to publish alone', async () => {
  const { content, post, upload, readUpload } = await open();
  await upload(EXPORT);
  const id = (await readUpload())?.id ?? '';
  const costs = new File(['Day,Campaign,Cost\n2026-01-01,x,1\n'], 'costs.csv');
  expect(await post('upload-costs', { file: costs, platform: 'google', currency: 'USD' })).toMatchObject({
    isError: false,
  });
  expect((await readUpload())?.id).toBe(id);
  expect(await post('commit', { upload: id })).toMatchObject({ isError: true });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
});
