import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/start/pinned-node.mjs';
import { createAddressSite, readAddresses, readContentTexts } from '../../../test/support/address-site.ts';
import { buildViewRequest } from '../../../test/support/console-ledger.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { checkCodes } from '../../content-files/check-copy.ts';
import { NO_IMAGES } from '../../core/pages/images/content-image.ts';
import { listFindable } from './list-choices.ts';
import { readContentFile } from './read-file.ts';

const PARTNER = 'partners/example.yaml';
const ARTICLE = `---
title: Other article
excerpt: A text of the test that links to the partner.
categories: [Guides]
publishedAt: 2025-01-01
author: editorial-desk
---
See [its prices](/go/example?page=nowhere&source=x) and /go/example-other.

{{product-box product="example"}}
`;
const EXTRA = {
  'partners/kit.yaml': readFileSync(path.join(ROOT, 'content/partners/kit.yaml'), 'utf8'),
  'articles/other.md': ARTICLE,
};

let root: string;
let site: Awaited<ReturnType<typeof createAddressSite>>;
beforeEach(async () => {
  root = createFolder();
  site = await createAddressSite(root, EXTRA);
  const settings = path.join(root, 'site.yaml');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace('promotedPartner: ""', 'promotedPartner: example'));
});

const remove = (file: string, replacement: string) => site.post(file, { action: 'remove', replacement });
const list = async (file: string) => {
  const request = buildViewRequest({ rest: file.split('/'), search: 'view=address' });
  return (await readContentFile(site.open(), request))?.removal;
};

it('lists what names a partner, and removes it with another one in every place, in one save with versions', async () => {
  expect((await list(PARTNER))?.places.map(({ file, place }) => `${file}: ${place}`)).toEqual([
    'articles/how-we-choose.md: field partner',
    'articles/other.md: line 1 of the text',
    'assessment.yaml: outcome 1, field partner',
    'assessment.yaml: outcome 2, field partner',
    'products/example.yaml: field offers.basic.partner',
    'products/example.yaml: field offers.full.partner',
    'site.yaml: field promotedPartner',
  ]);
  const outcome = await remove(PARTNER, 'kit');
  expect(outcome).toMatchObject({
    isError: false,
    message: expect.stringContaining('5 files that named it name'),
  });
  const { content, problems } = readAddresses(root);
  expect(problems).toEqual([]);
  expect([...(content?.partners.keys() ?? [])]).toEqual(['kit']);
  const texts = readContentTexts(root);
  expect(texts['articles/other.md']).toContain('[its prices](/go/kit?source=x) and /go/example-other.');
  expect(texts['site.yaml']).toContain('promotedPartner: kit');
  const { versions } = site.open().content;
  for (const file of [PARTNER, 'site.yaml', 'articles/other.md'])
    expect([file, (await versions.readAll(file)).length]).not.toEqual([file, 0]);
});

it('refuses what would be wrong without a replacement, and names the place', async () => {
  const before = readContentTexts(root);
  const { message, isError } = await remove(PARTNER, '');
  expect([isError, message]).toEqual([
    true,
    expect.stringContaining('content/products/example.yaml, field offers.basic.partner'),
  ]);
  expect((await remove(PARTNER, 'nobody')).isError).toBe(true);
  expect(readContentTexts(root)).toEqual(before);
});

it('takes a product out of lists and shortcodes, or puts another one in its place', async () => {
  const copy = readContentTexts(root)['products/example.yaml'] ?? '';
  writeFileSync(path.join(root, 'products/other.yaml'), copy.replace(/^key: .*$/m, 'key: other'));
  const article = path.join(root, 'articles/other.md');
  writeFileSync(article, `${ARTICLE}\n{{product-box product="other"}}\n`);
  expect(await remove('products/other.yaml', '')).toMatchObject({ isError: false });
  expect(readFileSync(article, 'utf8')).toBe(ARTICLE);

  writeFileSync(path.join(root, 'products/other.yaml'), copy.replace(/^key: .*$/m, 'key: other'));
  const refused = await remove('products/example.yaml', '');
  expect(refused).toMatchObject({
    isError: true,
    message: expect.stringContaining('{product:example.basic}'),
  });
  expect(await remove('products/example.yaml', 'other')).toMatchObject({ isError: false });
  expect(readAddresses(root).problems).toEqual([]);
  expect(Object.values(readContentTexts(root)).join('\n')).not.toMatch(/product[s:="]+ ?"?example\b(?!-)/);
});

it('publishes no link with a placeholder instead of a code, and finds those that are live', async () => {
  const kit = EXTRA['partners/kit.yaml'].replace(/^( +value: ).*$/m, '$1your-code');
  writeFileSync(path.join(root, 'partners/kit.yaml'), kit);
  const article = path.join(root, 'articles/other.md');
  const linking = ARTICLE.replace('/go/example?', '/go/kit?');
  writeFileSync(article, linking.replace('---\n', '---\ndraft: true\n'));
  const find = () => {
    const { content } = readAddresses(root);
    return content && checkCodes(root, content);
  };
  expect(find()).toEqual([]);
  const refused = await site.post('articles/other.md', { action: 'publish' });
  expect(refused).toMatchObject({ status: 422, message: expect.stringContaining('placeholder “your-code”') });
  writeFileSync(article, linking);
  expect(find()).toEqual([
    {
      kind: 'placeholder',
      file: 'content/partners/kit.yaml',
      text: 'affiliate, value: "your-code" is a placeholder, so links of articles/other.md to Kit earn nothing',
    },
  ]);
});

it('begins a partner with its network, and says what was read from the link', async () => {
  const fields = { action: 'create', kind: 'partner', link: 'https://shop.test/p?ref=maren22&utm_source=x' };
  const awin = await site.post('new', { ...fields, title: 'Bean Street', network: 'awin' });
  expect(awin).toMatchObject({
    isError: false,
    location: '/console/content/partners/bean-street.yaml?show=bean-street',
  });
  expect('message' in awin && awin.message).toMatch(
    /^Created\. Links to shop\.test carry your code “maren22” in ref\. We add a number of our own in clickref, /,
  );
  await site.post('new', { ...fields, title: 'Own', network: 'nobody', parameter: 'aff_sub' });
  await site.post('new', { ...fields, title: 'Third', network: 'amazon', parameter: 'x' });
  const partners = readAddresses(root).content?.partners;
  const tracked = ['bean-street', 'own', 'third'].map((key) => [
    partners?.get(key)?.terms.network,
    partners?.get(key)?.subId,
  ]);
  expect(tracked).toEqual([
    ['awin', expect.objectContaining({ parameter: 'clickref', maxLength: 50 })],
    ['generic', expect.objectContaining({ parameter: 'aff_sub' })],
    ['amazon', null],
  ]);
});

it('finds pages, partners, files, plans, settings, actions and definitions by name, and nothing about money without the right', async () => {
  const { viewer, query } = buildViewRequest();
  const shown = site.open();
  Object.assign(shown.platform.content, { readImages: () => NO_IMAGES, imageStore: null });
  const all = await listFindable(shown, viewer, { ...query, sort: { column: 'clicks', isDescending: true } });
  const find = (name: string, kind: string) =>
    all.find((one) => one.name.startsWith(name) && one.kind === kind);
  expect(find('Example Product (partner)', 'Edit')?.value).toBe('/console/content/partners/example.yaml');
  expect(find('Example Product: ', 'Plan')?.value).toContain('?at=offers.');
  expect(find('Settings: mail, SMTP', 'Setting')?.value).toBe('/console/settings');
  expect(find('New article', 'Do')?.value).toBe('/console/content/new?kind=article');
  expect(find('Clicks: ', 'Definition')).toBeDefined();
  const days = 'from=2025-11-01&to=2026-01-31';
  expect(find('Front page /', 'Page')?.value).toBe(`/console/pages?${days}&page=%2F`);
  expect(find('Example', 'Partner')?.value).toBe(`/console/partners?${days}&partner=example`);
  const eve = { kind: 'operator', id: 'e', name: 'Eve', capabilities: ['content'] } as const;
  const few = await listFindable(shown, eve, query);
  expect(
    few.filter(({ value }) => /\/console\/(?:import|campaigns|pages|partners|sources)/.test(value)),
  ).toEqual([]);
});
