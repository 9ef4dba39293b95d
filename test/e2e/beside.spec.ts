import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { readEvents } from '../support/events.ts';
import { startProvider } from '../support/provider.ts';
import { startSite } from '../support/site.ts';
import { PERSON, PERSON_LAUNCH } from '../support/visit.ts';

// A blog of another origin that loads `/beside.js`. The codes of its owner stand in its links.

test.use({
  userAgent: PERSON,
  launchOptions: PERSON_LAUNCH,
  tolerated: { patterns: [/ERR_|NetworkError|[Ff]ailed|CORS|status of 500/], reason: 'the site is stopped' },
});

/** Starts the blog, the merchant, and the site beside it. */
async function openBlog(consent: 'site' | 'full', env: Readonly<Record<string, string>> = {}) {
  const [merchant, shop] = await Promise.all([startProvider(), startProvider()]);
  let [ours, script] = ['', ''];
  const blog = createServer((request, response) => {
    // Somebody who is led there waits for good.
    if (request.url === '/out/held') return;
    if (request.url?.startsWith('/out/')) {
      response.writeHead(302, { location: `${merchant.url}/cloaked?own=1` }).end();
      return;
    }
    response.setHeader('content-type', 'text/html');
    if (request.url === '/held') {
      response.end(`<!doctype html><html lang="en"><title>Held back</title><a id="held" href="/out/held">Cloaked</a>
<a id="tab" target="_blank" href="${merchant.url}/pricing?own=1">In a tab</a><script>
for (const type of ['click', 'contextmenu'])
  addEventListener(type, () => {
    const script = document.createElement('script');
    script.src = '${ours}/beside.js';
    document.head.append(script);
  }, { once: true });</script></html>`);
      return;
    }
    response.end(`<!doctype html><html lang="en"><title>Kettles</title><h1>Best kettles</h1>
<table><tr><td><a id="own" href="${merchant.url}/pricing?own=1">Plain</a></td></tr></table>
<p><a id="tab" target="_blank" rel="noopener" href="${merchant.url}/pricing?own=1">In a tab</a>
<a id="deep" href="${merchant.url}/products/3?own=1">Another page</a>
<a id="cloaked" href="/out/letters">Cloaked</a> <a id="ours" href="${ours}/go/kit?page=trial">Ours</a>
<a id="amazon" href="${shop.url}/dp/B0?tag=own-20&amp;own=1">Amazon</a> <a id="next" href="/second">Next</a></p>
${request.url === '/plain' ? '' : script}<script>document.addEventListener('click', (event) => {
  // Link plugins may open their links themselves.
  const link = event.target.closest('[href^="/out/"]');
  if (link === null) return;
  event.preventDefault();
  location.href = '/out/letters';
});</script></html>`);
  });
  await new Promise<void>((resolve) => blog.listen(0, 'localhost', resolve));
  const host = `localhost:${(blog.address() as AddressInfo).port}`;
  const site = await startSite({
    provider: merchant,
    env,
    contentEdits: {
      // As Amazon wants it.
      'partners/shop.yaml': () => `key: shop
name: Shop
site: ${shop.url}/
hosts: [${new URL(shop.url).host}]
affiliate: { parameter: tag, value: own-20 }
subId: null
redirect: no
destinations: { pricing: ${shop.url}/ }
`,
      'beside.yaml': () =>
        `hosts: [{ name: Kettles, address: 'http://${host}' }]
cloaked: { '${host}/out/letters': kit, '${host}/out/held': kit }
consent: ${consent}
`,
    },
  });
  ours = site.url;
  // Loaded twice, and cached for good, so that it runs while the site is stopped.
  const etag = (await fetch(`${ours}/beside.js`)).headers.get('etag') ?? '';
  const tag = `<script src="${ours}/beside.js?v=${etag.slice(1, -1)}" async defer></script>`;
  script = tag + tag;
  const stop = async () => {
    await site.stop();
    await Promise.all([merchant.stop(), shop.stop()]);
    blog.closeAllConnections();
    await new Promise((resolve) => blog.close(resolve));
  };
  return { merchant, shop, site, host, url: `http://${host}`, stop };
}

/** Follows a link, in its own tab or a new one, and returns the merchant's address. */
async function follow(page: Page, id: string, way: 'click' | 'middle' | 'key'): Promise<URL> {
  const link = page.locator(`#${id}`);
  const isTab = id === 'tab' || way === 'middle';
  const opened = isTab ? page.context().waitForEvent('page') : null;
  if (way === 'key') await link.press('Enter');
  else await link.click({ button: way === 'middle' ? 'middle' : 'left' });
  const shown = (await opened) ?? page;
  await shown.waitForURL((url) => url.hostname === '127.0.0.1' && !url.pathname.startsWith('/go/'));
  const address = new URL(shown.url());
  if (isTab) await shown.close();
  return address;
}

/** On a busy machine an answer may take longer than a click waits, which the last test is about. */
const waitForAnswers = (context: BrowserContext) =>
  context.addInitScript(() => {
    const wait = setTimeout;
    window.setTimeout = ((run: TimerHandler, ms = 0, ...rest: unknown[]) =>
      ms === 300 ? 0 : wait(run, ms, ...rest)) as typeof setTimeout;
  });

test('counts views and clicks of a page of another site, and leads them through our redirect', async ({
  browser,
}) => {
  const { site, host, url, stop } = await openBlog('full');
  const context = await browser.newContext({ timezoneId: 'America/New_York', userAgent: PERSON });
  await waitForAnswers(context);
  const page = await context.newPage();
  const clicks: [string, 'click' | 'middle' | 'key'][] = [
    ['own', 'click'],
    ['own', 'middle'],
    ['own', 'key'],
    ['tab', 'click'],
    ['cloaked', 'click'],
    ['ours', 'click'],
    ['deep', 'click'],
  ];
  const found: string[] = [];
  for (const [id, way] of clicks) {
    await page.goto(`${url}/best-kettles/?utm_source=letter`);
    const address = await follow(page, id, way);
    found.push(`${id} ${address.pathname}${address.searchParams.has('own') ? ' own' : ''}`);
  }
  // The page that is no destination of the partner keeps the code of the blog's owner.
  expect(found).toEqual([
    'own /pricing',
    'own /pricing',
    'own /pricing',
    'tab /pricing',
    'cloaked /pricing',
    'ours /pricing',
    'deep /products/3 own',
  ]);
  await page.goto(`${url}/second`);
  await expect.poll(() => readEvents(site.dataDir).length).toBe(15);
  const events = readEvents(site.dataDir);
  const views = events.filter(({ name }) => name === 'page_view');
  expect(views.map((event) => event.page)).toEqual([
    ...clicks.map(() => `${host}/best-kettles/`),
    `${host}/second`,
  ]);
  // One visit: the tab has one session.
  expect(views.filter(({ data }) => data['entry'] === true)).toHaveLength(1);
  expect(new Set(views.map(({ campaign }) => campaign['utm_source']))).toEqual(new Set(['letter']));
  const stored = events.filter(({ name, flags }) => name === 'affiliate_redirect' && flags.length === 0);
  expect(stored.map((event) => [event.page, event.data['source'], event.data['position']])).toEqual([
    [`${host}/best-kettles/`, 'table', 'own-1'],
    [`${host}/best-kettles/`, 'table', 'own-1'],
    [`${host}/best-kettles/`, 'table', 'own-1'],
    [`${host}/best-kettles/`, 'body', 'own-2'],
    [`${host}/best-kettles/`, 'body', 'cloaked-4'],
    [`${host}/best-kettles/`, 'body', 'ours-5'],
    [`${host}/best-kettles/`, 'body', 'own-3'],
  ]);
  expect(await page.evaluate(() => Object.keys({ ...sessionStorage, ...localStorage }))).toEqual([
    'signpost',
  ]);
  await context.close();
  await stop();
});

test('leads the click for which a cache plugin has held the script back, and counts one that opens a tab', async ({
  browser,
}) => {
  const { site, url, stop } = await openBlog('full');
  const context = await browser.newContext({ timezoneId: 'America/New_York', userAgent: PERSON });
  await waitForAnswers(context);
  const page = await context.newPage();
  const listClicks = () =>
    readEvents(site.dataDir).flatMap(({ name, data, flags }) =>
      name === 'affiliate_redirect' ? [[data['position'], ...flags]] : [],
    );
  // A menu leads nowhere.
  await page.goto(`${url}/held`);
  await page.locator('#held').click({ button: 'right' });
  await page.waitForFunction(() => 'signpost' in window);
  await page.goto(`${url}/held`);
  await page.locator('#tab').click();
  await expect.poll(listClicks).toEqual([['own-2']]);
  await page.goto(`${url}/held`);
  await page.locator('#held').click({ noWaitAfter: true });
  await page.waitForURL((address) => address.pathname === '/pricing');
  expect(listClicks()).toEqual([['own-2'], ['cloaked-1']]);
  await context.close();
  await stop();
});

test('counts a click whose answer comes too late to lead it', async ({ browser, browserName }) => {
  const { site, merchant, url, stop } = await openBlog('full');
  const context = await browser.newContext({ timezoneId: 'America/New_York', userAgent: PERSON });
  await context.route('**/api/journey?link=*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue().catch(() => undefined);
  });
  const page = await context.newPage();
  const counted: unknown[] = [];
  const links = [
    ['tab', '/pricing'],
    ['own', '/pricing'],
    // It leads through our redirect as it is, which counts it.
    ['ours', '/pricing'],
    ['deep', '/products/3'],
  ] as const;
  // Firefox ends the requests of a page that begins to leave.
  for (const [id, path] of browserName === 'firefox' ? links.slice(0, 1) : links) {
    merchant.reset();
    merchant.answerAfter(1_500);
    await page.goto(url);
    await page.waitForFunction(() => 'signpost' in window);
    await page.locator(`#${id}`).click();
    await expect
      .poll(() => merchant.requests().map((request) => `${request.path} ${request.query.get('own')}`))
      .toEqual([`${path} ${id === 'ours' ? null : 1}`]);
    counted.push([id === 'ours' ? '' : `own-${['own', 'tab', 'deep'].indexOf(id) + 1}`]);
    await expect
      .poll(() =>
        readEvents(site.dataDir).flatMap(({ name, data, flags }) =>
          name === 'affiliate_redirect' ? [[data['position'] ?? '', ...flags]] : [],
        ),
      )
      .toEqual(counted);
  }
  await context.close();
  await stop();
});

test('stores nothing in Europe, nor under Global Privacy Control, and passes on no id of an ad', async ({
  browser,
}) => {
  const { site, url, stop } = await openBlog('site', { STORAGE_CONSENT_REGIONS: 'EU' });
  for (const [timezoneId, headers] of [
    ['Europe/Berlin', {}],
    ['America/New_York', { 'sec-gpc': '1' }],
  ] as const) {
    const context = await browser.newContext({ timezoneId, userAgent: PERSON, extraHTTPHeaders: headers });
    await waitForAnswers(context);
    if (timezoneId === 'America/New_York')
      await context.addInitScript(() =>
        Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
      );
    const page = await context.newPage();
    await page.goto(`${url}/?gclid=secret-id`);
    await follow(page, 'own', 'click');
    const stored = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(`${url}/second`);
    await stored;
    expect(await page.evaluate(() => ({ ...sessionStorage, ...localStorage }))).toEqual({});
    expect(await context.cookies()).toEqual([]);
    await context.close();
  }
  await expect.poll(() => readEvents(site.dataDir).length).toBe(6);
  const events = readEvents(site.dataDir);
  expect(JSON.stringify(events)).not.toContain('secret-id');
  expect(events.every(({ session }) => session === '')).toBe(true);
  await stop();
});

test('leads every link to its merchant as soon as without the script while the site is killed, paused or broken', async ({
  browser,
}) => {
  const { merchant, shop, site, url, stop } = await openBlog('full');
  const context = await browser.newContext({ timezoneId: 'America/New_York', userAgent: PERSON });
  const page = await context.newPage();
  const ways = ['click', 'middle', 'key'] as const;
  // Not the middle button on a redirect: of 40 such clicks, Chromium crashes the page of one, also without the script.
  const once = ['own', 'tab', 'deep', 'amazon', 'cloaked'].flatMap((id) =>
    ways.map((way) => [id, id === 'cloaked' && way === 'middle' ? 'click' : way] as const),
  );
  const links = IS_FULL_LENGTH ? [once, once, once, once].flat() : once;
  /** Follows each link; returns how long each took to reach its merchant, in ms. */
  const time = async (path: '/' | '/plain', followed = links) => {
    const times: number[] = [];
    for (const [id, way] of followed) {
      await page.goto(url + path, { waitUntil: 'commit' });
      await page.locator('#next').waitFor();
      if (path === '/') await page.waitForFunction(() => 'signpost' in window);
      const readLink = () => page.locator('#amazon').evaluate((link) => link.outerHTML);
      const before = await readLink();
      for (const one of [merchant, shop]) one.reset();
      const listArrived = () => [...merchant.requests(), ...shop.requests()].map(({ query }) => `${query}`);
      const start = performance.now();
      if (way === 'key') await page.locator(`#${id}`).press('Enter');
      else await page.locator(`#${id}`).click({ button: way === 'middle' ? 'middle' : 'left' });
      await expect
        .poll(listArrived, { intervals: [10], message: `${path} ${id} ${way}` })
        .toEqual([id === 'amazon' ? 'tag=own-20&own=1' : 'own=1']);
      times.push(performance.now() - start);
      if (id === 'tab' || way === 'middle') expect(await readLink()).toBe(before);
      else await page.waitForURL((address) => !address.href.startsWith(url), { waitUntil: 'commit' });
      for (const tab of context.pages().filter((one) => one !== page)) await tab.close();
    }
    return times;
  };
  const without = await time('/plain');
  await page.goto(url, { waitUntil: 'networkidle' });
  const compare = async (state: string, followed = links) => {
    const later = (await time('/', followed))
      .map((one, at) => Math.round(one - (without[at] ?? 0)))
      .sort((one, other) => one - other);
    const middle = later[Math.floor(later.length / 2)] ?? Number.NaN;
    console.log(`${state}: ${later.length} links, later by ${middle} ms, at most ${later.at(-1)} ms`);
    expect(middle).toBeLessThan(400);
  };
  process.kill(site.pid(), 'SIGSTOP');
  await compare('paused');
  process.kill(site.pid(), 'SIGCONT');
  await site.kill();
  await compare('killed');
  // What a proxy says in its place, which a page may or may not read.
  for (const body of ['', 'null', '7', 'broken']) {
    const headers = body === '' ? {} : { 'access-control-allow-origin': '*' };
    const proxy = createServer((_, response) => response.writeHead(500, headers).end(body));
    await new Promise<void>((resolve) => proxy.listen(Number(new URL(site.url).port), '127.0.0.1', resolve));
    await compare(`answers 500 ${body}`, body === '' ? links : once);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  }
  await context.close();
  await stop();
});

test('sites beside this one are edited as a form that Settings lead to', async ({ page }) => {
  const { site, host, stop } = await openBlog('full');
  await (await openConsoleSite(site)).signIn(page.context());
  await page.goto(`${site.url}/console/settings`);
  await page.getByRole('link', { name: 'Sites beside this one' }).click();
  const address = page.locator('#field--hosts-0-address-');
  await expect(address).toHaveValue(`http://${host}`);
  await address.fill('http://blog.example');
  const save = page.getByRole('button', { name: 'Save', exact: true }).first();
  await save.click();
  await expect(page.locator('main')).toContainText('has to be the address of a site');
  await address.fill('https://blog.example');
  await save.click();
  await expect(page.locator('main')).toContainText('Saved.');
  const ask = (origin: string) =>
    fetch(`${site.url}/api/journey?link=https://shop.example/`, { headers: { origin } });
  await expect.poll(async () => (await ask('https://blog.example')).status).toBe(200);
  expect((await ask(`http://${host}`)).status).toBe(403);
  await stop();
});
