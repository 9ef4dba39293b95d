import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createAddressSite, readAddresses, readContentTexts } from '../../../test/support/address-site.ts';
import { buildViewRequest, renderWithForms } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { FileEditor } from './edit-view.tsx';
import { readContentFile } from './read-file.ts';

const PAGE = 'pages/example-product.yaml';
const ARTICLE = 'articles/how-we-choose.md';
const AUTHOR = 'authors/editorial-desk.yaml';
const OTHER = `---
title: Other article
excerpt: A text of the test that links to the page.
categories: [Guides]
publishedAt: 2025-01-01
author: editorial-desk
---
First line.

See [the page](/example-product#price) and [the article](/blog/how-we-choose).
`;
const REDIRECTS = 'from,to\r\n/first,/example-product#price\r\n\r\n/second,/blog\r\n';

let root: string;
let site: Awaited<ReturnType<typeof createAddressSite>>;
beforeEach(async () => {
  root = createFolder();
  site = await createAddressSite(root, { 'articles/other.md': OTHER, 'redirects/old.csv': REDIRECTS });
});

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const rename = (file: string, name: string, fields: Readonly<Record<string, string>> = {}) =>
  site.post(file, { action: 'rename', name, links: 'yes', ...fields });
const show = async (file: string, search = 'view=address') => {
  const model = await readContentFile(site.open(), buildViewRequest({ rest: file.split('/'), search }));
  if (model === null) throw new Error('there is no such file');
  return {
    model,
    html: renderWithForms('content', buildViewRequest().viewer, <FileEditor model={model} />),
  };
};

it('renames a page with its redirect, the former addresses and every link to it, and changes no other byte', async () => {
  const before = readContentTexts(root);
  expect(await rename(PAGE, 'renamed-product')).toEqual({
    location: '/console/content/pages/renamed-product.yaml?view=address',
    message:
      'Renamed: its address is /renamed-product. /example-product leads there from now on. The links in 3 files were changed. ' +
      'Its history goes on here.',
    isError: false,
    note: '',
  });
  const { content, problems } = readAddresses(root);
  expect(problems).toEqual([]);
  expect(Object.fromEntries(content?.redirects ?? [])).toEqual({
    '/example-product': '/renamed-product',
    '/first': '/renamed-product#price',
    '/second': '/blog',
  });
  const { [PAGE]: text = '', ...others } = before;
  expect(readContentTexts(root)).toEqual({
    ...Object.fromEntries(
      Object.entries(others).map(([file, other]) => [
        file,
        other.replaceAll(/(?<=\]\(|href: |"|,)\/example-product(?=[)#\s,"}]|$)/gm, '/renamed-product'),
      ]),
    ),
    'pages/renamed-product.yaml': text,
    'redirects/console.csv': 'from,to\n/example-product,/renamed-product\n',
  });
});

it('leaves the links as they are when asked, and they lead on by the redirect', async () => {
  const before = read('site.yaml');
  await rename(PAGE, 'renamed-product', { links: '' });
  expect(read('site.yaml')).toBe(before);
  expect(readAddresses(root).problems).toEqual([]);
  const { model } = await show('pages/renamed-product.yaml');
  expect(model.address).toMatchObject({ links: [], former: ['/example-product', '/first'] });
});

it('has the history of before a renaming, puts a version of it back and says so', async () => {
  await site.post(PAGE, { action: 'save', text: read(PAGE).replace(/^title: .*/m, 'title: Second title') });
  const first = (await show(PAGE, 'view=history')).model.history.versions.at(-1);
  await rename(PAGE, 'renamed-product');
  const { model, html } = await show('pages/renamed-product.yaml', 'view=history');
  expect(model.history.versions.map(({ number, savedAs }) => [number, savedAs])).toEqual([
    [2, PAGE],
    [1, PAGE],
  ]);
  expect(html).toContain(`as <code>content/${PAGE}</code>`);
  expect(
    await site.post('pages/renamed-product.yaml', { action: 'restore', version: String(first?.number) }),
  ).toMatchObject({
    isError: false,
    message: `Version 1 is put back. It is from the time when the file was content/${PAGE}. Its state and its address stay as they are now.`,
  });
  expect(read('pages/renamed-product.yaml')).not.toContain('Second title');
  const entries = await site.open().operators.activity.read(null, { offset: 0, limit: 9 });
  expect(entries.map(({ text }) => text)).toContain(
    `Renamed content/${PAGE} to content/pages/renamed-product.yaml, with a redirect from /example-product.`,
  );
});

it('renames an article and an author with the fields that name them', async () => {
  writeFileSync(
    path.join(root, PAGE),
    read(PAGE).replace(/^sections:\n/m, 'sections:\n  - { type: article-teasers, slugs: [how-we-choose] }\n'),
  );
  expect(await rename(ARTICLE, '/blog/how-we-test', { links: '' })).toMatchObject({ isError: false });
  expect(read(PAGE)).toContain('slugs: [how-we-test]');
  expect(read('articles/other.md')).toBe(OTHER);
  expect(await rename(AUTHOR, 'the-desk')).toMatchObject({ isError: false });
  expect(read('site.yaml')).toContain('\nauthor: the-desk\n');
  expect(read('articles/other.md')).toContain('author: the-desk');
  const { problems, content } = readAddresses(root);
  expect(problems).toEqual([]);
  expect(content?.redirects.get('/blog/how-we-choose')).toBe('/blog/how-we-test');
  expect(content?.redirects.get('/authors/editorial-desk')).toBe('/authors/the-desk');
});

it('gives an article an address of its own, changes it, and gives the default one back', async () => {
  const get = () => {
    const { content, problems } = readAddresses(root);
    expect([problems, content?.addressClashes]).toEqual([[], []]);
    return [Object.fromEntries(content?.addresses ?? []), Object.fromEntries(content?.redirects ?? [])];
  };
  const former = { '/first': '/example-product#price', '/second': '/blog' };
  expect(await rename(ARTICLE, '/2022/07/größe/')).toMatchObject({
    isError: false,
    message: expect.stringContaining(
      'Its address is /2022/07/gr%C3%B6%C3%9Fe/. /blog/how-we-choose leads there',
    ),
  });
  expect(read(ARTICLE)).toContain('\naddress: /2022/07/größe/\n');
  expect(get()).toEqual([{ '/blog/how-we-choose': '/2022/07/gr%C3%B6%C3%9Fe/' }, former]);
  expect(await rename(ARTICLE, '/other-path')).toMatchObject({ isError: false });
  const old = '/2022/07/gr%C3%B6%C3%9Fe';
  expect(get()).toEqual([
    { '/blog/how-we-choose': '/other-path' },
    { ...former, [old]: '/blog/how-we-choose' },
  ]);
  expect(await rename(ARTICLE, '/2022/07/größe')).toMatchObject({ isError: false });
  expect(get()).toEqual([
    { '/blog/how-we-choose': old },
    { ...former, '/other-path': '/blog/how-we-choose' },
  ]);
  const { model, html } = await show(ARTICLE);
  expect(model.address).toMatchObject({ inForce: old, former: ['/other-path'] });
  expect(html).toContain('/2022/07/größe</code> (its default address /blog/how-we-choose leads there)');
  expect(await rename(ARTICLE, '/blog/how-we-choose')).toMatchObject({ isError: false });
  expect(read(ARTICLE)).not.toContain('address:');
  const led = { [old]: '/blog/how-we-choose', '/other-path': '/blog/how-we-choose' };
  expect(get()).toEqual([{}, { ...former, ...led }]);
});

it('leads the own address of a piece elsewhere that is taken down, and ends that when it is published', async () => {
  await rename(ARTICLE, '/own/');
  await site.post(ARTICLE, { action: 'take-down-page', target: '/example-product', lead: 'page' });
  const lead = { '/own': '/example-product', '/blog/how-we-choose': '/example-product' };
  expect(Object.fromEntries(readAddresses(root).content?.redirects ?? [])).toMatchObject(lead);
  await site.post(ARTICLE, { action: 'save', text: read(ARTICLE).replace(/^draft: true\n/m, '') });
  const { content } = readAddresses(root);
  expect(content?.redirects.has('/own')).toBe(false);
  expect(content?.addresses.get('/blog/how-we-choose')).toBe('/own/');
});

it.each([
  ['/example-product/', 'pages/example-product.yaml'],
  ['/second', 'is a redirect to /blog'],
  ['/console/x', 'the site responds at /console/x itself'],
  ['/a?b=c', 'cannot be an address'],
  ['/blog/other/', 'articles/other.md'],
])('refuses the whole path %j for an article in words', async (name, reason) => {
  const before = readContentTexts(root);
  expect(await rename(ARTICLE, name)).toMatchObject({
    isError: true,
    message: expect.stringContaining(reason),
  });
  expect(readContentTexts(root)).toEqual(before);
});

it('renames a piece back: the redirects are turned round, without a loop', async () => {
  const before = read(PAGE);
  await rename(PAGE, 'renamed-product');
  expect(await rename('pages/renamed-product.yaml', 'example-product')).toMatchObject({ isError: false });
  expect(read(PAGE)).toBe(before);
  expect(read('redirects/console.csv')).toBe('from,to\n/renamed-product,/example-product\n');
  expect(read('redirects/old.csv')).toBe(REDIRECTS);
});

it.each([
  ['second', '/second is a former address, which leads to /blog (content/redirects/old.csv, line 4)'],
  ['aliased', '/aliased is an alias of content/site.yaml, which leads to /terms'],
  ['example-trial', '/example-trial leads to a partner of this site'],
  ['../terms', 'may have only a-z, 0-9 and single hyphens'],
  ['Ünïcode', 'may have only a-z, 0-9 and single hyphens'],
])('refuses the new address %j in words and changes nothing', async (name, reason) => {
  const partner = read('partners/example.yaml').replace(
    /^( +)pricing: .*\n/m,
    '$&$1trial: https://www.example.com/trial\n',
  );
  writeFileSync(path.join(root, 'partners/example.yaml'), `${partner}trialPath: /example-trial\n`);
  writeFileSync(
    path.join(root, 'site.yaml'),
    read('site.yaml').replace('aliases: {}', 'aliases: { /aliased: /terms }'),
  );
  const before = readContentTexts(root);
  expect(await rename(PAGE, name)).toMatchObject({ isError: true, message: expect.stringContaining(reason) });
  expect(readContentTexts(root)).toEqual(before);
});

it.each([
  ['/second', '/second leads on to /blog: choose that page'],
  ['https://other.example/', 'There is no page https://other.example/ on this site'],
  ['/hidden', '/hidden is a draft'],
])('refuses to lead an address to %j in words', async (target, reason) => {
  writeFileSync(path.join(root, 'pages/hidden.yaml'), `draft: true\n${read('pages/terms.yaml')}`);
  const before = readContentTexts(root);
  expect(await site.post(PAGE, { action: 'take-down-page', lead: 'page', target })).toMatchObject({
    isError: true,
    message: expect.stringContaining(reason),
    location: expect.not.stringMatching(/[?&](?:from|to)=/),
  });
  expect(readContentTexts(root)).toEqual(before);
});

it('takes a page down with a redirect, and ends the redirect when it is published again', async () => {
  const before = readContentTexts(root);
  expect(await site.post(PAGE, { action: 'take-down-page', lead: 'page', target: '/terms' })).toMatchObject({
    isError: false,
    message:
      'Taken down. /example-product leads to /terms. It is a draft now, and visitors do not see it any more.',
  });
  expect(Object.fromEntries(readAddresses(root).content?.redirects ?? [])).toEqual({
    '/example-product': '/terms',
    '/first': '/terms',
    '/second': '/blog',
  });
  expect((await show(PAGE)).html).toContain('Publishing the piece ends that');
  const published = await site.post(PAGE, { action: 'publish', text: read(PAGE) });
  expect(published.message).toContain('The redirect from /example-product was removed');
  expect(readAddresses(root).problems).toEqual([]);
  expect(read(PAGE)).toBe(before[PAGE]);
  expect(read('redirects/console.csv')).toBe('from,to\n');
});

it('takes an article down to “not found” or with a redirect, and removes one that nothing links to', async () => {
  expect(
    await site.post(ARTICLE, { action: 'take-down-page', lead: 'page', target: '/blog/other' }),
  ).toMatchObject({
    isError: false,
  });
  expect(readAddresses(root).problems).toEqual([]);
  expect(
    await site.post('articles/other.md', { action: 'take-down-page', lead: 'none', target: '' }),
  ).toMatchObject({
    message: expect.stringContaining('Visitors of /blog/other, /blog/how-we-choose get “not found” (404).'),
  });
  expect(await site.post('articles/other.md', { action: 'remove' })).toMatchObject({ isError: false });
  expect(existsSync(path.join(root, 'articles/other.md'))).toBe(false);
  expect(readAddresses(root)).toMatchObject({ problems: [] });
  expect(read('redirects/console.csv')).toBe('from,to\n');
});

it('removes a page only when its address leads on or nothing links to it; its history can be put back', async () => {
  const before = readContentTexts(root);
  expect(await site.post(PAGE, { action: 'remove', lead: 'none' })).toMatchObject({
    isError: true,
    message: expect.stringMatching(/content\/\S+, .* link to it: choose a page/),
  });
  expect(await site.post(AUTHOR, { action: 'remove', lead: 'page', target: '/blog' })).toMatchObject({
    isError: true,
    message: expect.stringContaining('name it: change that first'),
  });
  expect(
    await site.post('pages/privacy.yaml', { action: 'remove', lead: 'page', target: '/terms' }),
  ).toMatchObject({
    isError: true,
    message: expect.stringContaining('The site itself links to /privacy'),
  });
  expect(readContentTexts(root)).toEqual(before);
  expect(await site.post(PAGE, { action: 'remove', lead: 'page', target: '/terms' })).toMatchObject({
    isError: false,
    message: 'Removed. /example-product leads to /terms. Put a version back to have it again.',
  });
  expect(readAddresses(root).problems).toEqual([]);
  const { model } = await show(PAGE, '');
  expect(model).toMatchObject({ isGone: true, view: 'history' });
  const back = await site.post(PAGE, {
    action: 'restore',
    version: String(model.history.versions[0]?.number),
  });
  expect(back.message).toContain('It is a draft.');
  const published = await site.post(PAGE, { action: 'publish', text: read(PAGE) });
  expect(published.message).toContain('The redirect from /example-product was removed');
  expect(read(PAGE)).toBe(before[PAGE]);
});

it('lists the links to a page with their fields, escapes what was typed, and takes the forms away where nothing can be changed', async () => {
  const { model, html } = await show(PAGE, 'view=address&target=%22%3E%3Cb%3E');
  expect(model.address?.links).toContainEqual({
    kind: 'link',
    file: 'articles/other.md',
    title: 'other',
    place: 'line 10',
    href: '/console/content/articles/other.md?line=10',
  });
  expect(model.address?.links.map(({ href }) => href)).toContain(
    '/console/content/site.yaml?at=navigation.2.href',
  );
  expect(html).toContain('Nowhere: visitors and search engines get “not found” (404)');
  expect(html).not.toContain('<b>');
  const viewer = { kind: 'operator', id: 'o-2', name: 'Eve', capabilities: ['content'] } as const;
  const request = buildViewRequest({ rest: PAGE.split('/'), search: 'view=address', viewer });
  const shown = await readContentFile(site.open(), request);
  const restricted = renderWithForms(
    'content',
    buildViewRequest().viewer,
    shown && <FileEditor model={shown} />,
  );
  expect(restricted).toContain('who may publish');
  expect(restricted).not.toContain('value="rename"');
  expect(await site.post(PAGE, { action: 'rename', name: 'other' }, viewer)).toMatchObject({
    isError: true,
    message: expect.stringContaining('who may publish'),
  });
  expect(existsSync(path.join(root, PAGE))).toBe(true);
  const shownSite = site.open();
  const { content } = shownSite.platform;
  const builtFiles = {
    list: () => site.files.list().map(({ file }) => ({ file, changedAt: null })),
    read: (file: string) => site.files.read(file),
  };
  const built = {
    ...shownSite,
    platform: { ...shownSite.platform, content: { ...content, files: null, builtFiles } },
  };
  const worker = await readContentFile(
    built,
    buildViewRequest({ rest: PAGE.split('/'), search: 'view=address' }),
  );
  const workerHtml = renderWithForms(
    'content',
    buildViewRequest().viewer,
    worker && <FileEditor model={worker} />,
  );
  expect(worker?.address).toMatchObject({ former: ['/first'] });
  expect(workerHtml).toContain('signpost edge deploy');
  expect(workerHtml).not.toContain('value="rename"');
});

it('changes nothing when the piece was changed meanwhile', async () => {
  const opened = '0'.repeat(64);
  const before = readContentTexts(root);
  expect(await rename(PAGE, 'renamed-product', { opened })).toMatchObject({
    isError: true,
    message: `Nothing was changed. content/${PAGE} was changed meanwhile: look at it, then try again.`,
  });
  expect(readContentTexts(root)).toEqual(before);
});
