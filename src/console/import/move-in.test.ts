import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import { buildWxr } from '../../../test/support/build-wxr.ts';
import { CONSOLE_NOW, createTestConsole, postChange } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createSiteFolder } from '../../commands/new.ts';
import { ContentJournal } from '../../content-files/journal.ts';
import { readContent } from '../../content-files/read-content.ts';
import { CAPABILITIES } from '../../core/console/capabilities.ts';
import { MoveIn } from '../../move-in/move-in.ts';
import type { SendLinkRequest } from '../../sources/links/link-request.ts';
import { DISK } from '../../stores/disk.ts';
import { UploadFolder } from '../../stores/upload-folder.ts';
import { openUploads } from './run-imports.ts';

const EXPORT = buildWxr([
  { id: 1, slug: 'moved', content: '<p>A <a href="https://shop.example/buy?aff=me-1">paid link</a>.</p>' },
]);

async function open(now = () => CONSOLE_NOW, send?: SendLinkRequest) {
  const content = path.join(createFolder(), 'content');
  createSiteFolder({ name: 'Site', folder: content, day: '2026-01-05' });
  const moveIn = new MoveIn(content, undefined, send);
  const folder = createFolder();
  const uploads = new UploadFolder(folder);
  const site = { ...(await createTestConsole({ now, platform: { uploads } })), moveIn };
  const build = (id: string) => ({ kind: 'operator', id, name: id, capabilities: CAPABILITIES }) as const;
  const post = (action: string, fields: Fields, viewer = build('ada')) =>
    postChange(site, action.endsWith('-site') ? 'settings' : 'partners', buildUpload({ action, ...fields }), {
      viewer,
    });
  const upload = (text: string, fields: Fields = {}, viewer = build('ada')) =>
    post('upload-site', { file: new File([text], 'folder/export.xml'), ...fields }, viewer);
  /** What an operator sees of an upload; null without one. */
  const readUpload = async (id = 'ada') => (await openUploads(site).findSite(id)) ?? null;
  /** Imports what the operator sees. */
  const commit = async (fields: Fields = {}, viewer = build('ada')) => {
    const { id = '', hash = '' } = (await readUpload(viewer.id)) ?? {};
    return post('commit-site', { upload: id, hash, ...fields }, viewer);
  };
  return { site, moveIn, content, build, post, upload, commit, readUpload, folder };
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
    name: 'export.xml',
    kind: 'site',
    site: { preview: { posts: 1, groups } },
  });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
  const decide = (links: string, key = 'my-shop') => ({
    [`confirm ${links}`]: 'yes',
    [`key ${links}`]: key,
    [`name ${links}`]: 'Shop',
    [`network ${links}`]: 'generic',
    [`parameter ${links}`]: 'aff',
    [`subId ${links}`]: '',
    [`value ${links}`]: 'forged',
  });
  const decided = decide('shop.example me-1');
  expect(await commit(decide('shop.example me-1', 'My Shop'))).toMatchObject({ isError: true });
  expect(await commit({ ...decide('shop.example me-1', 'example'), sample: 'keep' })).toMatchObject({
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

it('copies the images of the former site when the operator wants it, each once, and says what stayed', async () => {
  const photo = readFileSync(path.join(ROOT, 'public/favicon.png'));
  const requested: string[] = [];
  const send: SendLinkRequest = async ({ pathname }) => {
    requested.push(pathname);
    const isThere = pathname.endsWith('/a.png');
    const headers = new Headers({ 'content-type': 'image/png' });
    return { status: isThere ? 200 : 404, headers, body: isThere ? photo : new Uint8Array() };
  };
  const { content, readUpload, upload, commit } = await open(undefined, send);
  const uploads = 'https://old.example/wp-content/uploads';
  const post = (...names: readonly string[]) =>
    buildWxr([
      {
        id: 1,
        slug: 'moved',
        content: names.map((name) => `<p>Words. <img src="${uploads}/${name}.png" alt="x"></p>`).join(''),
      },
    ]);
  const importPost = async (fields: Fields, ...names: readonly string[]) => {
    await upload(post(...names));
    const { imagesElsewhere } = (await readUpload())?.site?.preview ?? {};
    const { message } = (await commit(fields)) ?? {};
    const text = readFileSync(path.join(content, 'articles/moved.md'), 'utf8');
    return { imagesElsewhere, message, images: text.match(/\S+\.png/g) };
  };
  expect(await importPost({}, 'a', 'gone')).toMatchObject({
    imagesElsewhere: 2,
    images: [`![x](${uploads}/a.png`, `![x](${uploads}/gone.png`],
  });
  expect(requested).toEqual([]);
  expect(await importPost({ images: 'copy' }, 'a', 'gone')).toMatchObject({
    message: expect.stringMatching(
      /^Imported: 1 article, .* Not copied: 1 image; .import\/report.txt says why.$/,
    ),
    images: ['![x](../images/imported/a.png', `![x](${uploads}/gone.png`],
  });
  expect(readFileSync(path.join(content, 'images/imported/a.png')).equals(photo)).toBe(true);
  // The former site may be gone by now.
  requested.length = 0;
  expect(await importPost({ images: 'copy' }, 'a')).toMatchObject({
    imagesElsewhere: 0,
    images: ['![x](../images/imported/a.png'],
  });
  expect(await importPost({}, 'a')).toMatchObject({ images: ['![x](../images/imported/a.png'] });
  expect(requested).toEqual([]);
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
  const { content, readUpload, build, post, upload, commit } = await open();
  const other = buildWxr([{ id: 2, slug: 'other', content: '<p>Other.</p>' }]);
  await upload(EXPORT);
  const seen = (await readUpload())?.id ?? '';
  const hash = (await readUpload())?.hash ?? '';
  expect(hash).toBe(createHash('sha256').update(EXPORT).digest('hex'));
  await upload(other, {}, build('bob'));
  expect((await readUpload())?.id).toBe(seen);
  const replaced = { isError: true, message: expect.stringContaining('was replaced') };
  expect(await post('commit-site', { upload: seen, hash }, build('bob'))).toMatchObject(replaced);
  await upload(other);
  expect(await post('commit-site', { upload: seen, hash })).toMatchObject(replaced);
  const mine = (await readUpload())?.id ?? '';
  expect(await post('commit-site', { upload: mine, hash })).toMatchObject(replaced);
  expect(await post('commit-site', { upload: mine })).toMatchObject(replaced);
  expect(existsSync(path.join(content, 'articles/other.md'))).toBe(false);
  expect(await commit({}, build('bob'))).toMatchObject({ isError: false });
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
  expect((await readUpload())?.id).toBe(id);
  expect(await post('commit', { upload: id })).toMatchObject({ isError: true });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
});

it('takes decisions by merchant, whatever their place in the form', async () => {
  const { content, upload, commit } = await open();
  const link = (address: string) => `<a href="${address}">paid</a>`;
  const [shop, path] = ['https://shop.example/?aff=me-1', 'https://acme.sjv.io/c/1/2/3'];
  await upload(buildWxr([{ id: 1, slug: 'moved', content: `Words ${link(shop)} ${link(path)}` }]));
  const decide = (links: string, key: string) => ({
    [`confirm ${links}`]: 'yes',
    [`key ${links}`]: key,
    [`name ${links}`]: key,
    [`parameter ${links}`]: 'aff',
    [`subId ${links}`]: '',
  });
  // Not one of the upload, and in another order than the groups.
  const decided = {
    ...decide('evil.example', 'evil'),
    ...decide('shop.example me-1', 'shop'),
    ...decide('acme.sjv.io', 'acme'),
  };
  expect(await commit(decided)).toMatchObject({ isError: false });
  const { partners } = readContent(content);
  expect(partners.get('shop')).toMatchObject({ affiliate: { parameter: 'aff', value: 'me-1' } });
  expect(partners.get('acme')?.destinations.get('pricing')).toBe(path);
  expect(partners.get('acme')?.affiliate).toBeNull();
  expect(partners.has('evil')).toBe(false);
});

it.each([
  ['lists of 5,000 levels', '<ul><li>'.repeat(5_000)],
  ['tables of 3,000 levels', '<table><tr><td>'.repeat(3_000)],
  ['a text of 14 MB', 'word '.repeat(2_800_000)],
  ['signs alone', '>'.repeat(60_000)],
])('previews and imports an export with %s, and says so', { tags: ['rest'] }, async (_, content) => {
  const { content: folder, upload, commit } = await open();
  const text = buildWxr([
    { id: 1, title: 'Hostile', slug: 'hostile', content },
    { id: 2, slug: 'flat', content: 'Words.' },
  ]);
  expect(await upload(text)).toMatchObject({ isError: false });
  expect(await commit()).toMatchObject({ isError: false });
  expect(existsSync(path.join(folder, 'articles/flat.md'))).toBe(true);
  if (!existsSync(path.join(folder, 'articles/hostile.md')))
    expect(readFileSync(path.join(folder, '.import/report.txt'), 'utf8')).toMatch(
      /Hostile \(.*is not imported: \S/,
    );
});

it('answers in a sentence each time when a form is posted four times at once', async () => {
  const { content, upload, commit } = await open();
  await upload(EXPORT);
  const outcomes = await Promise.all([commit(), commit(), commit(), commit()]);
  const done = outcomes.filter((outcome) => 'isError' in outcome && !outcome.isError);
  expect(done.length).toBeGreaterThan(0);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ message: expect.stringMatching(/^\S.*\.$/) });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(true);
});

it.each([
  ['ENOSPC', 'The disk is full. Nothing was changed: free some space and try again.'],
  ['EIO', expect.stringMatching(/^The file could not be written: .*\(EIO\)\..* Nothing was changed\.$/)],
  ['EROFS', expect.stringContaining('read-only')],
])('says in a sentence that nothing was imported after %s', async (code, message) => {
  const { content, site, moveIn, post, readUpload, upload } = await open();
  await upload(EXPORT);
  const { id = '', hash = '' } = (await readUpload()) ?? {};
  const disk = {
    ...DISK,
    writeFileSync: () => {
      throw Object.assign(new Error(code), { code });
    },
  };
  expect(site.moveIn).toBe(moveIn);
  Object.assign(site, { moveIn: new MoveIn(content, new ContentJournal(content, undefined, disk)) });
  expect(await post('commit-site', { upload: id, hash })).toMatchObject({ isError: true, message });
  expect(existsSync(path.join(content, 'articles/moved.md'))).toBe(false);
  expect((await readUpload())?.id).toBe(id);
});

it('says that files which waited were removed meanwhile, and imports nothing', async () => {
  const { content, site, post, readUpload, upload } = await open();
  await upload(EXPORT);
  const { id = '', hash = '' } = (await readUpload()) ?? {};
  const disk = {
    ...DISK,
    fsyncSync: (handle: number) => {
      DISK.fsyncSync(handle);
      for (const name of readdirSync(path.join(content, '.import')))
        rmSync(path.join(content, '.import', name, 'staged/articles'), { recursive: true, force: true });
    },
  };
  Object.assign(site, { moveIn: new MoveIn(content, new ContentJournal(content, undefined, disk)) });
  expect(await post('commit-site', { upload: id, hash })).toMatchObject({
    isError: true,
    message: expect.stringContaining('Nothing was changed: try again.'),
  });
  expect(existsSync(path.join(content, 'redirects/imported-wordpress.csv'))).toBe(false);
});

it('keeps nothing of an upload after it was imported, discarded or left alone for a day', async () => {
  let now = CONSOLE_NOW;
  const { site, upload, commit, post, folder } = await open(() => now);
  const bytes = async () => readdirSync(folder).length;
  await upload(EXPORT);
  expect(await bytes()).toBe(1);
  await commit();
  expect(await bytes()).toBe(0);
  await upload(EXPORT);
  await post('discard-site', {});
  expect(await bytes()).toBe(0);
  await upload(EXPORT);
  now += 24 * 3_600_000 + 1;
  await openUploads(site).removeLeftovers();
  expect(await bytes()).toBe(0);
});
