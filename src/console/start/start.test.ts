import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import {
  buildViewRequest,
  postChange,
  renderInFrame,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { openContentConsole } from '../../../test/support/content-console.ts';
import { copyContent } from '../../../test/support/content-copy.ts';
import { createFolder } from '../../../test/support/create-folder.ts';
import { addOperator } from '../../../test/support/operators.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createSiteFolder } from '../../commands/new.ts';
import { checkCopy } from '../../content-files/check-copy.ts';
import { buildOfferCopy } from '../../core/articles/article-copy.ts';
import { buildCta } from '../../core/outbound/cta.ts';
import { createPages } from '../../server/pages/pages.ts';
import { holdContent } from '../../server/site.ts';
import { readContentTasks, readContentView } from '../content/read.ts';
import { readContentFile } from '../content/read-file.ts';
import { PartnerConnection } from '../import/connections.tsx';
import { readConnection, readPostbacks } from '../import/networks.ts';
import { readOverview } from '../overview/read.ts';
import { readView } from '../views.ts';
import { readStart } from './start.ts';
import { readSteps } from './steps.ts';
import { StartView } from './view.tsx';

/** A site that nobody has edited, as its first operator finds it. */
async function open() {
  const root = path.join(createFolder(), 'content');
  copyContent(root);
  const { site, read } = await openContentConsole(root);
  const post = (view: 'settings' | 'content' | 'partners', fields: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    // As the console does: what a form changes is no part of the content that its request sees.
    return postChange(view === 'settings' ? site : holdContent(site), view, form);
  };
  const startEmpty = (fields: Readonly<Record<string, string>> = {}) =>
    post('settings', {
      action: 'start-empty',
      name: 'Slow "Extraction"',
      about: 'Espresso for small kitchens',
      kind: 'software',
      currency: 'eur',
      look: 'journal',
      ...fields,
    });
  const list = (folder: string) =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder)).filter((name) => /\.(md|yaml)$/.test(name))
      : [];
  return { root, site, post, startEmpty, list, read };
}

it('starts a site in which nothing is left of what ships, and which leads nobody to a placeholder', async () => {
  const { root, site, startEmpty, list, read } = await open();
  expect(await startEmpty()).toMatchObject({
    isError: false,
    location: expect.stringContaining('kind=article'),
  });
  expect([list('articles'), list('products'), list('partners')]).toEqual([[], [], []]);
  const { site: details } = read();
  expect(details).toMatchObject({
    name: 'Slow "Extraction"',
    tagline: 'Espresso for small kitchens',
    newProducts: { kind: 'software', currency: 'EUR' },
  });
  expect(read().brand.look).toBe('journal');
  expect((await site.payees.readUnconfirmed(read())).map(({ partner }) => partner)).not.toContain('example');
  expect(site.content.read().site.name).toBe('Slow "Extraction"');
  const links = [details.navigation, details.footer, details.home.entryPoints, details.blog.offers];
  expect(JSON.stringify(links)).not.toMatch(/assessment|feature-comparison|example/);
  expect(checkCopy(root).filter(({ file }) => file === 'site.yaml')).toEqual([]);
  // What is made of placeholders waits for its texts.
  const { assessment, pages } = read();
  expect([assessment.draft, pages.get('/feature-comparison')?.draft]).toEqual([true, true]);
});

it('lets the operator change their mind until the content is theirs', async () => {
  const { root, site, startEmpty, read } = await open();
  await startEmpty();
  await startEmpty({ name: 'Second', about: 'Grinders', look: 'bench' });
  expect(read().brand.look).toBe('bench');
  expect(read().site).toMatchObject({ name: 'Second', tagline: 'Grinders' });
  writeFileSync(
    path.join(root, 'pages/terms.yaml'),
    `${readFileSync(path.join(root, 'pages/terms.yaml'))}# Mine.\n`,
  );
  expect(await startEmpty({ name: 'Third' })).toMatchObject({
    isError: true,
    message: 'This site has content of its own, so nothing was changed.',
  });
  expect(read().site.name).toBe('Second');
  expect(await readStart(site, buildViewRequest())).toMatchObject({ canStart: false });
});

it('asks for nothing again that was said when the site was created, and ticks no step for a placeholder', async () => {
  expect(await readStart((await open()).site, buildViewRequest())).toMatchObject({ named: null });
  const root = path.join(createFolder(), 'content');
  const said = { name: 'Slow "Extraction"', about: 'Espresso for small kitchens', currency: 'EUR' };
  createSiteFolder({ ...said, kind: 'software', folder: root, day: '2026-01-05' });
  const { site } = await openContentConsole(root);
  const request = buildViewRequest();
  const model = await readStart(site, request);
  expect(model).toMatchObject({ canStart: true, named: { ...said, kind: 'software' } });
  const html = renderWithForms('settings', request.viewer, createElement(StartView, { model }));
  for (const value of ['Slow &quot;Extraction&quot;', said.about]) expect(html).toContain(`value="${value}"`);
  expect(html).toMatch(/<option value="software" selected="">.*<option value="EUR" selected="">/s);
  const done = (await readSteps(site, 0)).filter(({ isDone }) => isDone);
  expect(done.map(({ title }) => title)).toEqual(['Site: Slow "Extraction"']);
});

it.each([{ name: '' }, { about: '' }, { currency: 'euro' }])('refuses %j', async (fields) => {
  const { startEmpty, list } = await open();
  const before = list('products');
  expect(await startEmpty(fields)).toMatchObject({ isError: true });
  expect(list('products')).toEqual(before);
});

it('puts the first partner in the place of the placeholder, with the currency of the site', async () => {
  const { root, site, post, startEmpty, list, read } = await open();
  await addOperator(site.operators.accounts, { id: 'ada', name: 'Ada' });
  await startEmpty();
  // The assessment is a draft.
  for (const page of ['terms', 'feature-comparison'])
    expect(readFileSync(path.join(root, `pages/${page}.yaml`), 'utf8')).not.toMatch(/assessment/i);
  expect(await site.money.ledger.readRateState()).toMatchObject({ reportingCurrency: 'EUR' });
  await site.payees.tell('');
  const link = 'https://shop.test/machines?ref=maren';
  const create = (title: string) => post('content', { action: 'create', kind: 'partner', title, link });
  expect(await create('Bean Street')).toMatchObject({
    isError: false,
    message: expect.stringContaining('Where the assessment named the example, it names this partner now.'),
  });
  expect(list('partners')).toEqual(['bean-street.yaml']);
  expect(read().site.promotedPartner).toBe('');
  expect(readFileSync(path.join(root, 'partners/bean-street.yaml'), 'utf8')).toContain('currency: EUR');
  expect((await create('Kitchen Depot')).message).not.toContain('assessment');
  expect(list('partners')).toEqual(['bean-street.yaml', 'kitchen-depot.yaml']);
  // Who may confirm who is paid has typed it: nothing is left to confirm.
  expect(await site.payees.readUnconfirmed(site.content.read())).toEqual([]);
  await post('partners', { action: 'create-postbacks' });
  const { rows } = await readPostbacks(site, null);
  expect(rows.map(({ template }) => template?.match(/currency=\w+/)?.[0])).toContain('currency=EUR');
  expect(await post('partners', { action: 'test-postback', partner: 'bean-street' })).toMatchObject({
    message: expect.stringContaining('Bean Street stored a test message'),
  });
  // The steps stay: a test message is no commission.
  const { steps } = await readOverview(site, buildViewRequest());
  expect(steps.find(({ title }) => title === 'Reports come back')).toMatchObject({ isDone: true });
});

it.each([
  ['amazon', 'https://www.amazon.de/dp/B1?tag=me-21', 'tracking id', ['First partner: Bean Street', true], 0],
  [
    'ebay',
    'https://www.ebay.com/itm/1?campid=5338000001',
    'in customid',
    ['First partner: Bean Street', true],
    0,
  ],
  ['skimlinks', 'https://go.skimresources.com/?id=1X2&url=https%3A%2F%2Fshop.test', 'in xcust', [], 0],
  ['awin', 'https://www.awin1.com/cread.php?awinmid=7&awinaffid=9', 'in clickref', [], 1],
  ['tolt', 'https://shop.test/?via=me', 'no parameter for an id', ['First partner: Bean Street', false], 1],
  [
    'generic',
    'https://shop.test/?ref=me',
    'no parameter for an id',
    ['First partner: Bean Street', false],
    1,
  ],
])(
  'asks for a click id and a postback only what a network has: %s',
  async (network, link, said, step, lines) => {
    const { site, post, startEmpty, read } = await open();
    await startEmpty();
    await post('partners', { action: 'create-postbacks' });
    const form = { action: 'create', kind: 'partner', title: 'Bean Street', link, network, parameter: '' };
    const { message } = await post('content', { ...form, shop: 'https://shop.test' });
    expect(message).toContain(said);
    // Its links are counted, and never touched.
    expect(read().partners.get('bean-street')?.redirect === 'no').toBe(network === 'amazon');
    const next = network === 'amazon' ? 'Import its report' : 'Connect its interface';
    expect(message).toContain(
      lines === 1 ? 'Give the network the line under How its commissions arrive.' : `${next}.`,
    );
    const find = async (title: RegExp) =>
      (await readSteps(site, 0)).find((one) => title.test(one.title)) ?? expect.fail();
    const first = await find(/^First partner/);
    if (step.length > 0) expect([first.title, first.isDone]).toEqual(step);
    const reports = await find(/^Reports come back/);
    expect(reports.note === 'Bean Street reports by tracking id: import its report.').toBe(
      network === 'amazon',
    );
    expect(reports.link.text).toBe(network === 'amazon' ? 'Import its report' : 'Connect the network');
    const connection = await readConnection(site, 'bean-street', buildViewRequest());
    expect(connection?.postbacks).toHaveLength(lines);
    if (connection === null) expect.fail();
    const shown = renderInFrame(createElement(PartnerConnection, { model: connection, at: '/console' }));
    expect(shown.includes(next)).toBe(lines === 0);
    expect(shown.includes('Postback addresses')).toBe(lines === 1);
  },
);

it('asks for no click id in links that are never touched', async () => {
  const { root, site, post, startEmpty } = await open();
  await startEmpty();
  const link = 'https://shop.test/?ref=me';
  await post('content', { action: 'create', kind: 'partner', title: 'Bean Street', link });
  const isDone = async () =>
    (await readSteps(site, 0)).some((one) => one.title === 'First partner: Bean Street' && one.isDone);
  expect(await isDone()).toBe(false);
  const file = path.join(root, 'partners/bean-street.yaml');
  const text = readFileSync(file, 'utf8').replace('redirect: http', 'redirect: no');
  writeFileSync(file, text.replace('[affiliate, subId]', '[affiliate]'));
  await site.content.applyEdits(['partners/bean-street.yaml']);
  expect(await isDone()).toBe(true);
});

it('lists no placeholder as published, and asks nobody to read or link a draft', async () => {
  const { site, startEmpty } = await open();
  await startEmpty();
  const model = await readContentView(site, { ...buildViewRequest(), rest: [] });
  const files = model?.kind === 'list' ? model.list.rows : expect.fail('no list');
  const drafts = files.filter(({ state }) => state === 'draft').map(({ file }) => file);
  expect(drafts.sort()).toEqual(['assessment.yaml', 'pages/feature-comparison.yaml']);
  expect(files.filter(({ file }) => file.startsWith('partners/'))).toEqual([]);
  const { first, unread } = await readContentTasks(site, { ...buildViewRequest(), rest: [] });
  expect(unread.map(({ path }) => path)).not.toEqual(expect.arrayContaining(['/assessment']));
  expect(unread.map(({ path }) => path)).not.toEqual(expect.arrayContaining(['/feature-comparison']));
  expect(
    first.updates.filter(({ file }) => /feature-comp|partners/.test(file)).map(({ text }) => text),
  ).toEqual([]);
});

it('adds no call to a partner until a main one is named, and then shows it at the desk', async () => {
  const { root, site, post, startEmpty } = await open();
  await startEmpty();
  const link = 'https://shop.test/machines?ref=maren';
  for (const title of ['Bean Street', 'Kitchen Depot'])
    await post('content', { action: 'create', kind: 'partner', title, link });
  mkdirSync(path.join(root, 'articles'), { recursive: true });
  const file = path.join(root, 'articles/first.md');
  const write = (front: string) =>
    writeFileSync(file, `---\ntitle: First\nexcerpt: Words.\n${front}---\n\nMy own words.\n`);
  const look = async () => {
    await site.content.applyEdits(['site.yaml', 'articles/first.md']);
    const content = site.content.read();
    const offer = buildOfferCopy(buildCta({ source: 'home' }, content), content.site);
    const desk = await readContentFile(site, buildViewRequest({ rest: ['articles', 'first.md'] }));
    return { offer: offer?.action ?? null, call: desk?.notes?.call ?? null };
  };
  write('');
  expect(await look()).toMatchObject({ offer: null, call: null });
  // An article that names a partner asks for its call.
  write('partner: kitchen-depot\n');
  expect(await look()).toMatchObject({ offer: null, call: expect.stringContaining('Kitchen Depot') });
  write('');
  const settings = path.join(root, 'site.yaml');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace('promotedPartner: ""', 'promotedPartner: kitchen-depot'));
  expect(await look()).toMatchObject({
    offer: 'See Kitchen Depot',
    call: expect.stringContaining('Look at Kitchen Depot yourself'),
  });
  // And again without one.
  writeFileSync(settings, text);
  expect(await look()).toMatchObject({ offer: null, call: null });
});

it('begins beside another site without Content, with steps that its first view ticks, until there is a piece', async () => {
  const root = path.join(createFolder(), 'content');
  const beside = 'http://localhost:8080';
  createSiteFolder({ name: 'Money', folder: root, day: '2026-01-05', beside });
  const { site } = await openContentConsole(root);
  const { ledger } = site.money;
  const find = async (title: RegExp) =>
    (await readSteps(site, 0)).find((one) => title.test(one.title)) ?? expect.fail(String(title));
  const readDoors = async () => {
    const request = buildViewRequest();
    const page = await readView(site, { ...request, view: 'overview' }, null, null);
    return page?.kind === 'view' ? page.frame.navigation.map(({ name }) => name) : [];
  };
  const render = async (address: string) => {
    const shown = { status: 200, headers: {}, body: Buffer.from('page') };
    const pages = createPages(site, async () => shown);
    const { status, headers } = await pages.render(address, { requestId: '', clientAddress: '' });
    return headers['location'] ?? status;
  };
  expect((await readSteps(site, 0)).map(({ title, isDone }) => [title, isDone])).toEqual([
    ['Address', false],
    ['Paste the line', false],
    ['Seen', false],
    ['First partner', false],
    ['Reports come back', false],
    ['First click', false],
    ['First commission', false],
  ]);
  expect((await find(/^Paste/)).note).toContain('/beside.js" async defer></script>');
  expect(await readDoors()).not.toContain('Content');
  expect([await render('/'), await render('/blog?page=2'), await render('/privacy-policy')]).toEqual([
    beside,
    beside,
    200,
  ]);
  const links = { 'shop.example': 12, 'localhost:8080/go/': 30 };
  await ledger.writeState(
    'beside-pages localhost:8080',
    JSON.stringify({ at: 1, tags: {}, next: 2, pages: {}, links }),
  );
  expect((await find(/^First partner/)).note).toMatch(
    /^Posts link to localhost:8080\/go\/ \(30\) and shop.example \(12\)\./,
  );
  const serverTime = site.clock.now();
  await site.visitors.events.append([
    buildSampleEvent({ id: crypto.randomUUID(), name: 'page_view', page: '/', serverTime }),
  ]);
  expect((await find(/^Seen/)).isDone).toBe(false);
  await site.visitors.events.append([
    buildSampleEvent({ id: crypto.randomUUID(), name: 'page_view', page: 'localhost:8080/a', serverTime }),
  ]);
  expect([(await find(/^Seen/)).title, (await find(/^Paste/)).isDone]).toEqual([
    'Seen: 1 view in 28 days',
    true,
  ]);
  Object.assign(site.content.articles, { getSummaries: () => [{ title: 'A piece' }] });
  expect(await readDoors()).toContain('Content');
  expect(await render('/')).toBe(200);
  expect(await find(/^First piece/)).toMatchObject({ isDone: true });
});
