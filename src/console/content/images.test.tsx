import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import {
  buildForm,
  buildViewRequest,
  createTestConsole,
  postChange,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { createFolder, createSmallContent } from '../../../test/support/create-folder.ts';
import { buildImageCatalog, readContentImages } from '../../content-files/check-image.ts';
import { ContentFiles } from '../../content-files/content-files.ts';
import { ImageStore } from '../../content-files/image-store.ts';
import { readCrop } from '../../core/pages/images/content-image.ts';
import { createLinkRequests } from '../../sources/links/node-link.ts';
import { explainWriteFailure } from '../../stores/disk.ts';
import type { ConsoleSite, ViewRequest } from '../console-site.ts';
import { runAction } from '../run-action.ts';
import { readImages } from './images.ts';
import { ImagesView } from './images-view.tsx';

const ALT = 'A van in front of a shop';
const HOSTILE = '"><script>alert(1)</script>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';

let root: string;
let site: ConsoleSite;
let applied: string[];
const at = (name: string) => path.join(root, 'images', name);

beforeEach(async () => {
  root = createFolder();
  createSmallContent(root, {
    'pages/written.yaml': () =>
      'title: Page\ndescription: A page that is written by a test, long enough for search results.\nsections:\n' +
      '  - { type: hero, title: Help }\n  - { type: image, title: One, image: { src: ../images/used.svg, alt: A square } }\n',
    'redirects/former.csv': () => 'from,to\n/uploads/a.png,../images/moved.svg\n',
  });
  rmSync(path.join(root, 'images'), { recursive: true });
  mkdirSync(at('team'), { recursive: true });
  for (const name of ['used.svg', 'moved.svg', 'free.svg']) writeFileSync(at(name), SVG);
  const created = await createTestConsole();
  const readCatalog = () => catalog;
  const catalog = buildImageCatalog(await readContentImages(root));
  const files = new ContentFiles(root, readCatalog);
  const content = {
    ...created.platform.content,
    files,
    imageStore: new ImageStore(root),
    readImages: readCatalog,
  };
  applied = [];
  site = {
    ...created,
    platform: { ...created.platform, content, createLinkRequests },
    content: {
      ...created.content,
      async applyEdits(files) {
        applied.push(...files);
      },
    },
  };
});

const request = (image = '', change: Partial<ViewRequest> = {}) =>
  buildViewRequest({ rest: ['images', ...image.split('/').filter(Boolean)], ...change });
const read = async (image = '', change: Partial<ViewRequest> = {}) =>
  (await readImages(site, request(image, change))) ?? expect.unreachable('there is no such image');
const draw = () => sharp({ create: { width: 90, height: 60, channels: 3, background: '#864' } });
const drawFile = async (name: string) => new File([new Uint8Array(await draw().jpeg().toBuffer())], name);
const post = (
  fields: Readonly<Record<string, string>>,
  file: File | null = null,
  image = '',
  change: Partial<ViewRequest> = {},
) => {
  const form = buildForm(fields);
  if (file !== null) form.set('file', file);
  return postChange(site, 'content', form, request(image, change));
};
const add = (file: File, fields: Readonly<Record<string, string>> = {}) =>
  post({ action: 'add-image', alt: ALT, folder: '', name: '', ...fields }, file);
const listFiles = () => readdirSync(at(''), { recursive: true, encoding: 'utf8' }).sort();

it('lists every image with its size and the files that use it, those without a description first', async () => {
  const { rows } = (await read()).list;
  expect(rows.map(({ path: name, description }) => [name, description])).toEqual([
    ['free.svg', ''],
    ['moved.svg', ''],
    ['used.svg', 'A square'],
  ]);
  expect(rows.map(({ uses }) => uses.map(({ file }) => file))).toEqual([
    [],
    ['redirects/former.csv'],
    ['pages/written.yaml'],
  ]);
  expect(rows[0]).toMatchObject({ bytes: SVG.length, shown: { width: 9, height: 9 } });
  expect((await read('', { parameters: new URLSearchParams('q=square') })).list.rows).toHaveLength(1);
  expect(await readImages(site, request('none.svg'))).toBeNull();
});

it('asks for no description of what is only decoration', async () => {
  writeFileSync(path.join(root, 'articles', 'a.md'), 'a: b\n![](../images/free.svg)<!-- decoration -->\n');
  const { rows } = (await read()).list;
  expect(rows.find((row) => row.path === 'free.svg')?.uses).toEqual([{ file: 'articles/a.md', alt: null }]);
});

it('adds an image under a safe name with its description, shows and commits both', async () => {
  const outcome = await add(await drawFile('../../Étude №1 "x".PNG'), { folder: 'team' });
  expect(outcome).toMatchObject({ isError: false, message: expect.stringContaining('Added.') });
  const [name = ''] = listFiles().filter((one) => one.endsWith('.jpg'));
  expect(name).toMatch(/^team\/[a-z0-9-]+\.jpg$/);
  expect(outcome.location).toBe(`/console/content/images/${name}`);
  expect((await sharp(at(name)).metadata()).format).toBe('jpeg');
  expect(statSync(at(name)).mode & 0o777).toBe(0o644);
  expect(readFileSync(path.join(root, 'images.yaml'), 'utf8')).toContain(`"${name}": "${ALT}"`);
  expect((await read(name)).image?.description).toBe(ALT);
  expect(applied).toEqual(['images.yaml', `images/${name}`]);
});

it('adds nothing in the place of another file, without a description, or without a file', async () => {
  await add(await drawFile('one.jpg'));
  const before = [listFiles(), readFileSync(at('one.jpg')).toString('base64')];
  const refused = [
    await add(await drawFile('One.png')),
    await add(await drawFile('two.jpg'), { alt: ' ' }),
    await add(await drawFile('two.jpg'), { alt: 'Two\u0007' }),
    await add(new File([], 'two.jpg')),
    await post({ action: 'add-image', alt: ALT, file: '[object File]' }),
    await add(new File(['<html><script>'], 'two.jpg', { type: 'image/jpeg' })),
    await add(new File([new Uint8Array(20_000_001)], 'two.jpg')),
    await add(await drawFile('two.jpg'), { folder: '../articles' }),
    await add(await drawFile('two.jpg'), { folder: '/etc' }),
    await post({ action: 'anything' }),
  ];
  expect(refused.map(({ message }) => message)).toEqual([
    expect.stringContaining('There is a file content/images/one.jpg already'),
    expect.stringContaining('The description is empty'),
    expect.stringContaining('without control characters'),
    ...Array(2).fill(expect.stringContaining('Choose a file')),
    expect.stringContaining('The file is not a JPEG, PNG, WebP, AVIF, GIF or SVG image'),
    expect.stringContaining('is 21 MB, the limit is 20'),
    ...Array(2).fill(expect.stringContaining('no folder of this name')),
    expect.stringContaining('incomplete'),
  ]);
  expect(refused.every(({ isError }) => isError)).toBe(true);
  expect(refused[0]?.location).toContain(new URLSearchParams({ alt: ALT }).toString());
  expect([listFiles(), readFileSync(at('one.jpg')).toString('base64')]).toEqual(before);
});

it('cleans a drawing that is added', async () => {
  const hostile = SVG.replace('<path', '<script>alert(1)</script><path onload="alert(1)"');
  expect(await add(new File([hostile], 'drawing.svg'))).toMatchObject({ isError: false });
  expect(readFileSync(at('drawing.svg'), 'utf8')).not.toMatch(/script|alert|onload/);
});

it('replaces an image in its format, unless another tab has changed it', async () => {
  const { version } = (await read('used.svg')).image ?? { version: '' };
  const photo = await drawFile('used.svg');
  expect(await post({ action: 'replace-image', version }, photo, 'used.svg')).toMatchObject({
    message: expect.stringContaining('is not an SVG drawing'),
  });
  const other = new File([SVG.replace('h9', 'h8')], 'other.svg');
  expect(await post({ action: 'replace-image', version }, other, 'used.svg')).toMatchObject({
    isError: false,
  });
  expect(readFileSync(at('used.svg'), 'utf8')).toContain('h8');
  expect(await post({ action: 'replace-image', version }, other, 'used.svg')).toMatchObject({
    message: expect.stringContaining('changed meanwhile'),
  });
  expect(await post({ action: 'replace-image', version }, other, '../site.yaml')).toMatchObject({
    message: expect.stringContaining('no such image'),
  });
});

it('removes an image that nothing uses, and names the files that use another', async () => {
  const remove = async (name: string, version?: string) =>
    post({ action: 'remove-image', version: version ?? (await read(name)).image?.version ?? '' }, null, name);
  expect(await remove('used.svg')).toMatchObject({
    message: expect.stringContaining('content/pages/written.yaml'),
  });
  expect(await remove('moved.svg')).toMatchObject({
    message: expect.stringContaining('redirects/former.csv'),
  });
  expect(await remove('free.svg', 'old')).toMatchObject({
    message: expect.stringContaining('changed meanwhile'),
  });
  expect(listFiles()).toContain('free.svg');
  expect(await remove('free.svg')).toMatchObject({ isError: false, location: '/console/content/images' });
  expect(listFiles()).toEqual(['moved.svg', 'team', 'used.svg']);
  expect(await remove('../site.yaml', 'x')).toMatchObject({ isError: true });
  expect(existsSync(path.join(root, 'site.yaml'))).toBe(true);
});

it('follows no link out of the folder, neither to write nor to remove', async () => {
  const outside = createFolder();
  writeFileSync(path.join(outside, 'a.svg'), 'secret');
  symlinkSync(outside, at('linked'));
  symlinkSync(path.join(outside, 'a.svg'), at('a.svg'));
  expect(await add(await drawFile('b.jpg'), { folder: 'linked' })).toMatchObject({ isError: true });
  const { version } = (await read('a.svg')).image ?? { version: '' };
  const replaced = await post({ action: 'replace-image', version }, new File([SVG], 'a.svg'), 'a.svg');
  expect(replaced.isError).toBe(true);
  expect(readdirSync(outside)).toEqual(['a.svg']);
  expect(readFileSync(path.join(outside, 'a.svg'), 'utf8')).toBe('secret');
});

it('lists no part that a killed upload has left, and removes it with the next one', async () => {
  writeFileSync(at('.one.jpg.0123456789ab.tmp'), 'half');
  utimesSync(at('.one.jpg.0123456789ab.tmp'), 0, 0);
  expect((await read()).list.rows).toHaveLength(3);
  await add(await drawFile('one.jpg'));
  expect(listFiles()).toEqual(['free.svg', 'moved.svg', 'one.jpg', 'team', 'used.svg']);
});

it('says in words that the disk is full or that the folder cannot be written', () => {
  const explain = (code: string) => explainWriteFailure(Object.assign(new Error(code), { code }));
  expect(explain('ENOSPC')).toMatch(/^The disk is full\. Nothing was changed/);
  expect(explain('EROFS')).toContain('mounted read-only');
  expect(explain('EACCES')).toMatch(/cannot be written by the site: run “chown -R \S+ content”/);
  // What passes, or is the disk's, is nobody's owner or mode.
  for (const [code, advice] of [
    ['EMFILE', 'ulimit -n'],
    ['ENFILE', 'LimitNOFILE'],
    ['EIO', 'Look at the disk'],
  ] as const) {
    expect(explain(code)).toContain(advice);
    expect(explain(code)).not.toContain('chown');
  }
});

it('an operator who may not publish adds images, and replaces none that visitors see', async () => {
  const viewer = { kind: 'operator', id: 'o-2', name: 'Eve', capabilities: ['content'] } as const;
  const replace = async (image: string, change: Partial<ViewRequest>) => {
    const { version } = (await read(image)).image ?? { version: '' };
    return post({ action: 'replace-image', version }, new File([SVG], 'a.svg'), image, change);
  };
  expect(await replace('used.svg', { viewer })).toMatchObject({
    message: expect.stringContaining('who may publish'),
  });
  expect(await replace('free.svg', { viewer })).toMatchObject({ isError: false });
  const reader = { ...viewer, capabilities: [] };
  await expect(replace('free.svg', { viewer: reader })).rejects.toThrow('may not');
  expect((await read('', { viewer: reader })).readOnly).not.toBeNull();
});

it('shows images that are part of the build, and says how they are changed', async () => {
  const { content } = site.platform;
  const built = { ...content, files: null, imageStore: null };
  const shown = { ...site.content.read(), images: content.readImages() };
  site = {
    ...site,
    content: { ...site.content, read: () => shown },
    platform: { ...site.platform, content: built },
  };
  const { list, readOnly } = await read();
  expect(list.rows.map(({ path: name }) => name)).toEqual(['free.svg', 'moved.svg', 'used.svg']);
  expect(readOnly).toContain('signpost edge deploy');
  expect(await add(await drawFile('one.jpg'))).toMatchObject({ isError: true, message: readOnly });
  expect(await render()).not.toContain('<form method="post"');
});

async function render(image = ''): Promise<string> {
  const { viewer } = buildViewRequest();
  return renderWithForms('content', viewer, <ImagesView model={await read(image)} />);
}

it('writes descriptions and names as text, with a label for each field', async () => {
  writeFileSync(at('<b>.svg'), SVG);
  writeFileSync(path.join(root, 'images.yaml'), `free.svg: '${HOSTILE}'\n`);
  for (const html of [await render(), await render('free.svg'), await render('<b>.svg')]) {
    expect(html).not.toMatch(/<script>|<b>/);
    const ids = [...html.matchAll(/<(?:input|select)(?![^>]*type="hidden")[^>]*\bid="([^"]+)"/g)].map(
      ([, id]) => id,
    );
    expect(ids.length).toBeGreaterThan(1);
    for (const id of ids) expect(html).toContain(`for="${id}"`);
  }
});

it('describes images that are there, for operators who may publish', async () => {
  const described = () =>
    existsSync(path.join(root, 'images.yaml')) ? readFileSync(path.join(root, 'images.yaml'), 'utf8') : '';
  const form = { action: 'describe-image', alt: ALT };
  for (const image of ['none.svg', 'x: y', '__proto__'])
    expect(await post(form, null, image), image).toMatchObject({ isError: true });
  const viewer = { kind: 'operator', id: 'o-2', name: 'Bob', capabilities: ['content'] } as const;
  await expect(post(form, null, 'used.svg', { viewer })).rejects.toThrow('may not');
  expect(described()).toBe('');
  expect(await post(form, null, 'used.svg')).toMatchObject({ isError: false });
  expect(described()).toContain(ALT);
});

/** What the answer to a picture of a text says. */
const addPicture = async (fields: Readonly<Record<string, string>>, file: File | null = null) => {
  const form = buildForm({ action: 'add-picture', address: '', of: '', area: '', name: '', ...fields });
  if (file !== null) form.set('file', file);
  const answer = await runAction(site, form, { view: 'content', ...request() });
  return answer instanceof Response ? answer.json() : expect.unreachable('it is no data');
};

it('adds pictures of a text under names that are free, and parts of them, from their originals', async () => {
  for (const path of ['gaggia.jpg', 'gaggia-2.jpg'])
    expect(await addPicture({ name: 'Gaggia' }, await drawFile('image.png'))).toMatchObject({ path });
  const cropped = 'gaggia-crop-10-5-60-40.jpg';
  expect(await addPicture({ of: 'gaggia.jpg', area: '10 5 60 40' })).toMatchObject({ path: cropped });
  expect(await sharp(at(cropped)).metadata()).toMatchObject({ width: 60, height: 40, format: 'jpeg' });
  expect(readCrop(cropped)).toEqual({ original: 'gaggia.jpg', area: [10, 5, 60, 40] });
  expect(readCrop('gaggia.jpg')).toBeNull();
  const changedAt = statSync(at(cropped)).mtimeMs;
  expect(await addPicture({ of: 'gaggia.jpg', area: '10 5 60 40' })).toMatchObject({ path: cropped });
  expect(statSync(at(cropped)).mtimeMs).toBe(changedAt);
  expect(existsSync(at('gaggia.jpg'))).toBe(true);
});

it.each([
  [{ of: 'none.jpg', area: '0 0 9 9' }, /no such image/],
  [{ of: 'used.svg', area: '0 0 9 9' }, /no pixels to crop/],
  [{ of: 'used.svg', area: '0 0 9' }, /no part of an image/],
  [{ of: '../site.yaml', area: '0 0 9 9' }, /no such image/],
  [{ address: 'file:///C:/a.png' }, /has no web address/],
  [{ address: 'http://127.0.0.1/a.png' }, /cannot be downloaded: private-address/],
  [{}, /is empty/],
] as const)('says why the picture %j cannot be used', async (fields, problem) => {
  expect(await addPicture(fields)).toEqual({ problem: expect.stringMatching(problem) });
  expect(listFiles()).toEqual(['free.svg', 'moved.svg', 'team', 'used.svg']);
});

it('says why a file is no picture of a text, and adds what another site has', async () => {
  const refused = { problem: expect.stringMatching(/not a JPEG/) };
  expect(await addPicture({}, new File(['Words'], 'a.png'))).toEqual(refused);
  const body = new Uint8Array(await draw().png().toBuffer());
  const headers = new Headers({ 'content-type': 'image/png' });
  const sendOne = () => async () => ({ status: 200, headers, body });
  site = { ...site, platform: { ...site.platform, createLinkRequests: sendOne } };
  const address = 'https://elsewhere.example/wp-content/A%20photo.png?w=9';
  expect(await addPicture({ address })).toMatchObject({ path: 'a-photo.png' });
  site = { ...site, platform: { ...site.platform, content: { ...site.platform.content, imageStore: null } } };
  expect(await addPicture({ address })).toEqual({ problem: expect.stringContaining('part of the build') });
});
