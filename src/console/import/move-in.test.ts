import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { buildWxr } from '../../../test/support/build-wxr.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createSiteFolder } from '../../commands/new.ts';
import type { Capability } from '../../core/console/operator.ts';
import { MoveIn } from '../../move-in/move-in.ts';
import type { ConsoleSite } from '../console-site.ts';
import { commitSite, discardSite, uploadSite } from './move-in.ts';
import { changeImport, findImportPurpose } from './read.ts';

const EXPORT = buildWxr([
  { id: 1, slug: 'moved', content: '<p>A <a href="https://shop.example/buy?aff=me-1">paid link</a>.</p>' },
]);

function open() {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, isReplacing: false, day: '2026-01-05' });
  const moveIn = new MoveIn(content);
  const site = { moveIn } as unknown as ConsoleSite;
  return { content, moveIn, site };
}

function buildForm(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
const buildUpload = (text: string) => buildForm({ file: new File([text], 'folder/export.xml') });

it('imports an upload with the partners that the form confirms', async () => {
  const { content, moveIn, site } = open();
  expect(await uploadSite(site, buildUpload(EXPORT))).toMatchObject({ isError: false });
  expect(moveIn.readPreview()).toMatchObject({
    file: 'folderexport.xml',
    posts: 1,
    groups: [{ links: 1, proposal: { key: 'shop', affiliate: { parameter: 'aff', value: 'me-1' } } }],
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
  expect(await commitSite(site, buildForm({ ...decided, 'key-0': 'My Shop' }))).toMatchObject({
    isError: true,
  });
  expect(await commitSite(site, buildForm({ ...decided, 'key-0': 'example' }))).toMatchObject({
    isError: true,
    message: expect.stringContaining('is that of a partner of this site'),
  });
  expect(await commitSite(site, buildForm(decided))).toMatchObject({ isError: false });
  expect(readFileSync(path.join(content, 'articles/moved.md'), 'utf8')).toContain(
    '[paid link](/go/my-shop?page=pricing)',
  );
  expect(readFileSync(path.join(content, 'partners/my-shop.yaml'), 'utf8')).toContain('value: me-1');
  expect(moveIn.readPreview()).toBeNull();
  expect(readFileSync(path.join(content, '.import/report.txt'), 'utf8')).toContain('Articles: 1 posts');
});

it('takes what the export does not say of the former site', async () => {
  const { content, site } = open();
  const upload = buildUpload(EXPORT);
  upload.set('amazon', 'not a host');
  expect(await uploadSite(site, upload)).toMatchObject({
    isError: true,
    message: expect.stringContaining('Amazon is a host and a tag'),
  });
  upload.set('amazon', '');
  upload.set('bases', 'topics');
  expect(await uploadSite(site, upload)).toMatchObject({ isError: false });
  expect(await commitSite(site, buildForm({}))).toMatchObject({ isError: false });
  expect(readFileSync(path.join(content, 'redirects/imported-wordpress.csv'), 'utf8')).toContain(
    '/topics/guides,/blog/topic/guides',
  );
});

it('refuses what is no export, and imports nothing after it was discarded', async () => {
  const { content, moveIn, site } = open();
  expect(await uploadSite(site, buildUpload('<html></html>'))).toMatchObject({ isError: true });
  expect(await uploadSite(site, buildUpload(''))).toMatchObject({ isError: true });
  expect(moveIn.readPreview()).toBeNull();
  await uploadSite(site, buildUpload(EXPORT));
  discardSite(site);
  expect(await commitSite(site, buildForm({}))).toMatchObject({ isError: true });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
});

it('takes a site from operators who may publish alone', async () => {
  const { content, moveIn, site } = open();
  const post = (action: string, capabilities: readonly Capability[]) => {
    const form = buildUpload(EXPORT);
    form.set('action', action);
    const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', capabilities } as const;
    return changeImport(site, form, { viewer });
  };
  expect(await post('upload-site', ['money', 'manage'])).toMatchObject({
    isError: true,
    message: expect.stringContaining('who may publish'),
  });
  expect(moveIn.readPreview()).toBeNull();
  expect(await post('upload-site', ['manage', 'publish'])).toMatchObject({ isError: false });
  for (const action of ['commit-site', 'discard-site'])
    expect(await post(action, ['money', 'manage'])).toMatchObject({ isError: true });
  expect(moveIn.readPreview()).not.toBeNull();
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
});

it('asks who it is before a site is moved in', () => {
  const find = (action: string) => findImportPurpose(buildForm({ action }));
  expect(['upload-site', 'commit-site'].map(find)).toEqual(['Move a site in', 'Move a site in']);
  expect(['discard-site', 'upload'].map(find)).toEqual([null, null]);
});
