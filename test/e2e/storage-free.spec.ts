import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { AD_PARAMETERS } from '../../src/core/consent/gpc.ts';
import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { AGENCY, answerSteps, waitUntilHydrated } from '../support/assessment.ts';
import { expect, NOT_FOUND, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH, SEED } from '../support/cases.ts';
import { createChance } from '../support/chance.ts';
import { readEvents } from '../support/events.ts';
import { readRoutes } from '../support/routes.ts';
import { startSite } from '../support/site.ts';
import { clickAndArrive, evaluateSettled, holdFiles, PERSON, PERSON_LAUNCH } from '../support/visit.ts';

const ZONES = ['Europe/Berlin', 'Europe/London', 'Europe/Zurich', 'UTC', ''];
/** Of each browser in each zone: 200 in both. */
const ORDERS = IS_FULL_LENGTH ? 20 : 2;
const STEPS = 6;
const AD_OF_GOOGLE = { utm_source: 'google', utm_medium: 'cpc', utm_campaign: '(gclid)' };
const ENV = { STORAGE_CONSENT_REGIONS: 'EU,GB,CH' };

test.use({ launchOptions: PERSON_LAUNCH });

/** Runs in every page before its scripts: names the time zone, and counts every access to storage of the browser. */
function watchStorage(zone: string): void {
  const { resolvedOptions } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.resolvedOptions = function () {
    return { ...resolvedOptions.call(this), timeZone: zone } as Intl.ResolvedDateTimeFormatOptions;
  };
  const calls: string[] = [];
  const watch = (name: string, value: unknown) =>
    value instanceof Storage
      ? new Proxy(value, {
          get(target, key) {
            calls.push(`read ${name} ${String(key)}`);
            const found = Reflect.get(target, key);
            return typeof found === 'function' ? found.bind(target) : found;
          },
          set(target, key, text) {
            calls.push(`write ${name} ${String(key)}`);
            return Reflect.set(target, key, text);
          },
          ownKeys(target) {
            calls.push(`read ${name}`);
            return Reflect.ownKeys(target);
          },
        })
      : value;
  const count = (target: object, name: string) => {
    const found = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, {
      configurable: true,
      get() {
        const value = found?.get?.call(this);
        if (!(value instanceof Storage)) calls.push(`read ${name}`);
        return watch(name, value);
      },
      set(value) {
        calls.push(`write ${name}`);
        found?.set?.call(this, value);
      },
    });
  };
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'name']) count(window, name);
  count(Document.prototype, 'cookie');
  for (const name of ['pushState', 'replaceState'] as const) {
    const { [name]: change } = history;
    history[name] = (state, ...rest) => {
      if (state !== null) calls.push(`write history ${JSON.stringify(state)}`);
      change.call(history, state, ...rest);
    };
  }
  Object.assign(window, { storageCalls: calls });
}

/** Everything that this browser stores for the page, and how often a script asked for it. */
async function probe(page: Page) {
  const context = page.context();
  const inPage = await evaluateSettled(page, async () => {
    const { storageCalls } = window as unknown as { storageCalls: string[] };
    const calls = [...storageCalls];
    const stored = {
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases: await indexedDB.databases?.(),
      caches: await globalThis.caches?.keys(),
      workers: (await navigator.serviceWorker?.getRegistrations())?.length,
      name: window.name,
      state: history.state,
      hash: location.hash.includes('~') ? location.hash : '',
      isAdNamed: document.documentElement.outerHTML.includes('AdClick'),
    };
    storageCalls.length = 0;
    return { calls, stored };
  });
  return { ...inPage, cookies: await context.cookies() };
}

const NOTHING = {
  calls: [],
  cookies: [],
  stored: {
    local: {},
    session: {},
    databases: [],
    caches: [],
    workers: 0,
    name: '',
    state: null,
    hash: '',
    isAdNamed: false,
  },
};

async function openContext(context: BrowserContext, zone: string): Promise<Page> {
  await context.addInitScript(watchStorage, zone);
  return context.newPage();
}

/** Browsers refuse commands while a page that is left early is being replaced. */
const repeat = (work: () => Promise<unknown>) => expect(work).toPass({ timeout: 30_000 });

/** Follows a random link to another page of the site: by pointer, in a new tab, or by keyboard. */
async function followLink(page: Page, random: () => number): Promise<Page> {
  const links = page.locator(
    'main a[href^="/"]:not([rel~=sponsored]):not([href*="."]):not([download]):visible, footer a[href^="/"]:not([data-privacy-choices]):visible',
  );
  const [chosen, way] = [random(), random()];
  const soon = { timeout: 5_000 };
  let shown = page;
  await repeat(async () => {
    const link = links.nth(Math.floor(chosen * (await links.count())));
    // Not below the bar of the question.
    await link.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    if (way < 0.4) await link.focus();
    [shown] = await Promise.all([
      way < 0.2
        ? page.context().waitForEvent('page', soon)
        : page.waitForEvent('framenavigated', soon).then(() => page),
      way < 0.4 ? page.keyboard.press(way < 0.2 ? 'ControlOrMeta+Enter' : 'Enter') : link.click(),
    ]);
  });
  if (shown === page) return page;
  await shown.waitForURL(/^http/, { waitUntil: 'commit' });
  // Firefox opens it behind the page, where it is not drawn.
  await shown.bringToFront();
  return shown;
}

const pick = <T>(items: readonly T[], random: () => number) =>
  items[Math.floor(random() * items.length)] as T;

/** What a visitor does with pages that have something to use. `cut` may take the network away until the end. */
type Use = (page: Page, random: () => number, cut: () => Promise<void>) => Promise<void>;

const calculate: Use = async (page, _, cut) => {
  const field = page.getByRole('spinbutton').first();
  await field.click();
  await expect(page.locator('astro-island[ssr]', { has: field })).toHaveCount(0);
  await cut();
  await page.keyboard.press('9');
  await expect.poll(() => evaluateSettled(page, () => location.search)).toContain('=9');
};

const USES: readonly (readonly [path: string, use: Use])[] = [
  ['/roi-calculator', calculate],
  ['/gohighlevel-free-trial', calculate],
  [
    '/assessment?step=1',
    async (page, random, cut) => {
      await waitUntilHydrated(page);
      await cut();
      await answerSteps(page, AGENCY.slice(0, Math.ceil(random() * AGENCY.length)));
    },
  ],
  [
    '/blog',
    async (page) => {
      await page.getByRole('searchbox').first().fill('pricing');
      await page.keyboard.press('Enter');
      await page.waitForURL(/q=pricing/);
    },
  ],
  [
    '/blog',
    async (page) => {
      const articles = page.locator('main article');
      const count = await articles.count();
      await page.getByText('Load More Articles').click();
      await expect.poll(() => articles.count()).toBeGreaterThan(count);
    },
  ],
  [
    '/contact',
    async (page, random) => {
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('Your email address').fill('ada@example.com');
      await page.getByLabel('Your message').fill('What does the trial cost after its end?');
      if (random() < 0.5) await page.getByRole('button', { name: 'Send message' }).click();
    },
  ],
];

/** Clicks a link to a partner, if the page has one, and closes the tab that it opens. */
async function visitPartner(page: Page, partner: string): Promise<void> {
  const link = page.locator('main a[rel~=sponsored]:visible').first();
  if ((await link.count()) === 0) return;
  await link.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
  let tab = page;
  // A second click within a second is the same click, and opens no tab. One waits for the script a second at most.
  await repeat(async () => {
    await page.waitForFunction(() => 'readVisitQuery' in window);
    const opened = page.context().waitForEvent('page', { timeout: 5_000 });
    await Promise.all([opened, link.click()]);
    tab = await opened;
  });
  await tab.waitForURL((url) => url.origin === partner, { waitUntil: 'commit' });
  await tab.close();
}

/** Takes one step of a visit at random. Returns the page that is shown then. */
async function takeStep(page: Page, random: () => number, partner: string): Promise<Page> {
  const context = page.context();
  const isFirefox = context.browser()?.browserType().name() === 'firefox';
  const way = random();
  if (way < 0.1) await repeat(() => page.reload());
  else if (way < 0.2) {
    // A new tab has nothing to go back to.
    await page.goBack().catch(() => null);
    if (page.url() === 'about:blank') await page.goForward();
  } else if (way < 0.3) await visitPartner(page, partner);
  else if (way < 0.6) {
    const [address, use] = pick(USES, random);
    const isOffline = random() < 0.4 && !isFirefox;
    await repeat(() => page.goto(new URL(address, page.url()).href));
    await use(page, random, async () => {
      if (isOffline) await context.setOffline(true);
    });
    if (isOffline) await context.setOffline(false);
  } else return followLink(page, random);
  return page;
}

test.describe('where nothing may be stored before consent', () => {
  test.use({
    userAgent: PERSON,
    tolerated: {
      patterns: [...NOT_FOUND.patterns, /Failed to load resource|NetworkError|ERR_INTERNET_DISCONNECTED/],
      reason: 'the test takes the network away',
    },
  });

  for (const [place, zone] of ZONES.slice(0, IS_FULL_LENGTH ? ZONES.length : 1).entries())
    test(`a browser in ${zone || 'no time zone'} stores nothing in ${ORDERS} random orders, and no ad is named`, async ({
      browser,
      browserName,
      provider,
    }) => {
      provider.reset();
      await using silent = await startSite({ env: { ...ENV, LOG_REQUESTS: '1' }, provider });
      await using asking = await startSite({
        env: { ...ENV, LOG_REQUESTS: '1', STORAGE_QUESTION: 'ask' },
        provider,
      });
      const routes = await readRoutes(silent.url);
      const requests: string[] = [];
      for (let order = 1; order <= ORDERS; order += 1) {
        const random = createChance(SEED + order * 1_000 + place * 10 + browserName.length);
        const site = order % 2 ? silent : asking;
        const context = await browser.newContext({ userAgent: PERSON });
        context.setDefaultTimeout(30_000);
        context.setDefaultNavigationTimeout(30_000);
        const parameter = AD_PARAMETERS[order % AD_PARAMETERS.length] ?? '';
        const ad = `AdClick${browserName}${place}x${order}`;
        context.on('request', (request) => {
          const isLanding =
            request.isNavigationRequest() && new URL(request.url()).searchParams.has(parameter);
          if (!isLanding) requests.push(`${request.url()} ${request.postData() ?? ''}`);
        });
        let page = await openContext(context, zone);
        const landing = `${site.url}${pick(routes, random)}?utm_source=letter&utm_campaign=order-${order}`;
        await page.goto(`${landing}&${parameter}=${ad}`);
        for (let step = 0; step <= STEPS; step += 1) {
          // Some pages are left before they are at rest.
          if (step === STEPS || random() < 0.75) {
            await page.waitForLoadState('networkidle');
            const found = await probe(page);
            // Where the question is asked, the visitor's choice is read, once.
            if (site === asking && found.calls[0] === 'read localStorage visit-choice') found.calls.shift();
            expect.soft(found, `${page.url()} of order ${order}`).toEqual(NOTHING);
          }
          if (step < STEPS) page = await takeStep(page, random, provider.url);
        }
        await context.close();
      }
      const files = [silent, asking].flatMap(({ dataDir }) =>
        readdirSync(dataDir, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1')),
      );
      const events = [...readEvents(silent.dataDir), ...readEvents(asking.dataDir)];
      expect(events.length).toBeGreaterThan(ORDERS);
      const received = provider.requests().map(({ query, headers }) => `${query} ${JSON.stringify(headers)}`);
      const places = { requests, files, events: [JSON.stringify(events)], received };
      for (const [name, texts] of Object.entries({ ...places, log: [silent.output(), asking.output()] }))
        expect(
          texts.filter((text) => text.includes('AdClick')),
          name,
        ).toEqual([]);
      // What is sent while a page is left has the browser's own name, not that of the test. A click may be a double one.
      const isFree = ({ session, flags }: SiteEvent) =>
        session === '' && flags.filter((flag) => flag !== 'bot' && flag !== 'duplicate').join() === 'free';
      expect(events.filter((event) => !isFree(event))).toEqual([]);
    });

  // Chromium alone: the system's Firefox cannot be taken offline.
  test('assessment, calculator and search work in memory, offline too, and what could not be sent follows', {
    tag: '@chromium',
  }, async ({ browser }) => {
    await using site = await startSite({ env: ENV });
    const context = await browser.newContext({ userAgent: PERSON });
    const page = await openContext(context, 'Europe/Berlin');
    await page.goto(`${site.url}/assessment?step=1`);
    await waitUntilHydrated(page);
    await answerSteps(page, AGENCY);
    await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
    expect(await probe(page)).toEqual(NOTHING);
    await page.goBack();
    await expect(page.getByText('Step 4 of 4')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Step 1 of 4')).toBeVisible();
    const restarted = page.getByText('Your answers are not stored in this browser');
    await expect(restarted).toBeVisible();
    await answerSteps(page, AGENCY.slice(0, 1));
    await expect(restarted).toHaveCount(0);
    await page.goto(`${site.url}/roi-calculator`);
    const field = page.getByRole('spinbutton').first();
    await field.focus();
    await expect(page.locator('astro-island[ssr]', { has: field })).toHaveCount(0);
    await context.setOffline(true);
    await field.fill('9');
    await expect(page).toHaveURL(/=9/);
    expect(await probe(page)).toEqual(NOTHING);
    await context.setOffline(false);
    await page.goto(`${site.url}/blog`);
    await page.getByRole('searchbox').first().fill('pricing');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=pricing/);
    await page.waitForLoadState('networkidle');
    expect(await probe(page)).toEqual(NOTHING);
    await expect
      .poll(() => readEvents(site.dataDir).map(({ name }) => name))
      .toEqual(expect.arrayContaining(['assessment_completed', 'assessment_step', 'page_view']));
    for (const event of readEvents(site.dataDir))
      expect(event).toMatchObject({ session: '', flags: ['free'] });
    await context.close();
  });

  test('a page left before its script has loaded is counted once, also when it is shown again', async ({
    browser,
    browserName,
  }) => {
    await using site = await startSite({ env: ENV });
    const context = await browser.newContext({ userAgent: PERSON });
    const page = await openContext(context, 'Europe/Berlin');
    const release = await holdFiles(page, '**/_astro/free-visit-*.js');
    const sent: string[] = [];
    context.on('request', (request) => sent.push(request.postData() ?? ''));
    const address = `${site.url}/help?utm_source=letter&utm_medium=email&q=x&gclid=secret`;
    await page.goto(address, { waitUntil: 'domcontentloaded', referer: 'https://www.google.com/search' });
    await page.evaluate(() => location.assign('/terms?gclid=secret'));
    await page.waitForURL(/terms/, { waitUntil: 'domcontentloaded' });
    const readViews = () => readEvents(site.dataDir).filter(({ name }) => name === 'page_view');
    await expect.poll(() => readViews().length).toBe(1);
    // As the back/forward cache does: the page is left, and comes back.
    const change = (name: 'pagehide' | 'pageshow') =>
      page.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name);
    await change('pagehide');
    await expect.poll(() => readViews().length).toBe(2);
    // The response to the first report may come after its event is stored.
    const again = page.waitForResponse(
      async (response) =>
        response.url().endsWith('/api/journey') && (await response.json().catch(() => null))?.stored === 0,
    );
    release();
    expect(await (await again).json()).toEqual({ stored: 0, duplicates: 1, rejected: [] });
    await change('pageshow');
    await expect.poll(() => readViews().length).toBe(3);
    const referrer = browserName === 'firefox' ? 'direct' : 'google.com';
    const carried = { utm_source: 'letter', utm_medium: 'email' };
    expect(readViews().map(({ page: path, data, campaign }) => ({ path, data, campaign }))).toEqual([
      {
        path: '/help',
        data: { entry: true, referrer, visit_channel: 'email', visit_source: 'letter' },
        campaign: carried,
      },
      // The ad is known by its parameter alone.
      ...[1, 2].map(() => ({ path: '/terms', data: {}, campaign: AD_OF_GOOGLE })),
    ]);
    expect(sent.join()).not.toContain('secret');
    expect(JSON.stringify(readEvents(site.dataDir))).not.toContain('secret');
    expect(await probe(page)).toEqual(NOTHING);
    await context.close();
  });

  for (const way of ['pointer', 'keyboard', 'new tab', 'an anchor of its own'])
    test(`a link followed by ${way} carries first page, origin and campaign, and the address shows nothing`, {
      tag: '@full',
    }, async ({ browser, browserName, provider }) => {
      await using site = await startSite({ env: ENV, provider });
      const context = await browser.newContext({ userAgent: PERSON });
      let page = await openContext(context, 'Europe/Paris');
      const campaign = 'utm_source=letter&utm_medium=email&utm_campaign=november';
      await page.goto(`${site.url}/help?${campaign}&utm_content=button&gclid=secret`, {
        referer: 'https://www.google.com/search',
      });
      await page.waitForLoadState('networkidle');
      const own = way === 'an anchor of its own' ? '#sources' : '';
      const link = page.locator('footer a[href="/blog"]').first();
      await link.evaluate((element, text) => element.setAttribute('href', `/blog/crm-basics${text}`), own);
      const target = page.locator(`footer a[href="/blog/crm-basics${own}"]`).first();
      if (way === 'keyboard') {
        await target.focus();
        await page.keyboard.press('Enter');
      } else if (way === 'new tab') {
        const opened = context.waitForEvent('page');
        await target.click({ button: 'middle' });
        page = await opened;
      } else await target.click();
      await page.waitForURL(`${site.url}/blog/crm-basics${own}`);
      await page.waitForLoadState('networkidle');
      expect(await probe(page)).toEqual(NOTHING);
      const call = page.locator('main a[rel~=sponsored]').first();
      await call.click();
      await expect.poll(() => provider.requests().length).toBeGreaterThan(0);
      await context.close();
      const carried = { utm_source: 'letter', utm_medium: 'email', utm_campaign: 'november' };
      const source = { visit_channel: 'email', visit_source: 'letter' };
      const events = readEvents(site.dataDir).map(({ name, page, data, campaign, flags, session }) => {
        expect([session, flags]).toEqual(['', ['free']]);
        return { name, page, data, campaign };
      });
      expect(events.find(({ name }) => name === 'page_view')).toEqual({
        name: 'page_view',
        page: '/help',
        // The system's Firefox takes no referrer from the test.
        data: { entry: true, referrer: browserName === 'firefox' ? 'direct' : 'google.com', ...source },
        campaign: { ...carried, utm_content: 'button' },
      });
      const [, second] = events.filter(({ name }) => name === 'page_view');
      expect(second).toEqual({ name: 'page_view', page: '/blog/crm-basics', data: {}, campaign: carried });
      expect(events.find(({ name }) => name === 'affiliate_redirect')).toMatchObject({
        page: '/blog/crm-basics',
        data: { entry_page: 'help', ...source },
        campaign: carried,
      });
    });
});

const listStoredKeys = (page: Page) =>
  evaluateSettled(page, () => [...Object.keys(sessionStorage), ...Object.keys(localStorage)].sort());

test.describe('where the proxy names the region of a visitor', () => {
  test.use({ userAgent: PERSON, timezoneId: 'America/New_York' });
  const env = { ...ENV, REGION_HEADER: 'cf-ipcountry', TRUSTED_PROXY_HOPS: '1' };

  test('a page left before its region is known is counted once, also when it comes back and keeps a record', async ({
    page,
  }) => {
    await using site = await startSite({ env });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/region', async (route) => {
      await released;
      await route.fulfill({ json: { region: 'US', isStorageFree: false } });
    });
    await page.goto(`${site.url}/help?utm_source=letter`, { waitUntil: 'domcontentloaded' });
    // As the back/forward cache does: the page is left, and comes back.
    await page.evaluate(() => {
      for (const type of ['pagehide', 'pageshow'])
        dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
    });
    release();
    // The record has begun, and the server has taken its first event.
    const hasRecord = () =>
      evaluateSettled(page, () => [
        'utm_original_params' in sessionStorage,
        Object.keys(localStorage).some((key) => key.startsWith('outbox:')),
      ]);
    await expect.poll(hasRecord).toEqual([true, false]);
    const views = readEvents(site.dataDir).filter(({ name }) => name === 'page_view');
    expect(views).toMatchObject([{ page: '/help', session: '', flags: ['free'], data: { entry: true } }]);
  });

  for (const [region, isStored] of [
    ['US', true],
    ['DE', false],
  ] as const)
    test(`a page that names ${region} itself asks no proxy, and ${isStored ? 'keeps a record' : 'asks the visitor first'}`, async ({
      page,
    }) => {
      await using site = await startSite({ env: { ...env, STORAGE_QUESTION: 'ask' } });
      await page.route(/\/help$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          headers: { ...response.headers(), 'server-timing': `cache, region;desc="${region}"` },
        });
      });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${site.url}/help`);
      await expect
        .poll(() => readEvents(site.dataDir).map(({ flags }) => flags))
        .toEqual([isStored ? [] : ['free']]);
      await expect(page.locator('#consent-bar')).toHaveCount(isStored ? 0 : 1);
      expect((await listStoredKeys(page)).length > 0).toBe(isStored);
      expect(asked).not.toContain('/api/region');
    });

  test('the answers of a visitor from elsewhere outlive a reload, however late the region is known', async ({
    page,
  }) => {
    await using site = await startSite({ env });
    let release = () => {};
    await page.route('**/api/region', async (route) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await route.fulfill({ json: { region: 'US', isStorageFree: false } });
    });
    const openLate = async (open: () => Promise<unknown>) => {
      const asked = page.waitForRequest('**/api/region');
      await open();
      await asked;
      await waitUntilHydrated(page);
      release();
    };
    await openLate(() => page.goto(`${site.url}/assessment?step=1`));
    await answerSteps(page, AGENCY.slice(0, 2));
    await openLate(() => page.reload());
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
    await answerSteps(page, AGENCY.slice(2), 3);
    await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  });
});

test.describe('the question whether a visit may be recorded', () => {
  test.use({ userAgent: PERSON, timezoneId: 'Europe/Berlin' });

  // Chromium alone: Firefox begins its page anew while the bar is read.
  test('refuses as easily as it allows, remembers both, and a withdrawal deletes', {
    tag: '@chromium',
  }, async ({ page, provider }) => {
    provider.reset();
    await using site = await startSite({ env: { ...ENV, STORAGE_QUESTION: 'ask' }, provider });
    const bar = page.getByRole('region', { name: 'Privacy choices' });
    const listKeys = () => listStoredKeys(page);
    await page.goto(`${site.url}/gohighlevel-free-trial?utm_source=letter`);
    await expect(bar).toBeVisible();
    const boxes = await bar.getByRole('button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { width, height } = button.getBoundingClientRect();
        const { color, backgroundColor, fontWeight, fontSize, borderColor } = getComputedStyle(button);
        return {
          text: button.textContent,
          look: { width, height, color, backgroundColor, fontWeight, fontSize, borderColor },
        };
      }),
    );
    expect(boxes.map(({ text }) => text)).toEqual(['Refuse', 'Allow']);
    expect(boxes[0]?.look).toEqual(boxes[1]?.look);
    expect(boxes[0]?.look.height).toBeGreaterThanOrEqual(44);
    // The end of the page can be used before an answer.
    await page.locator('[data-privacy-choices]').click({ trial: true, timeout: 5_000 });
    expect(await listKeys()).toEqual([]);

    await bar.getByRole('button', { name: 'Refuse' }).click();
    await expect(bar).toHaveCount(0);
    expect(await listKeys()).toEqual(['visit-choice']);
    await page.reload({ waitUntil: 'networkidle' });
    await expect(bar).toHaveCount(0);
    // A refusal counts for six months.
    await page.evaluate(() => {
      const [visit, tag, , version] = (localStorage['visit-choice'] ?? '').split(' ');
      localStorage['visit-choice'] = [visit, tag, '2026-01-01', version].join(' ');
    });
    await page.reload();
    await expect(bar).toBeVisible();

    await bar.getByRole('button', { name: 'Allow' }).click();
    // The record begins with the page of the choice.
    const readPages = () =>
      evaluateSettled(page, () => JSON.parse(sessionStorage.getItem('user_journey_data') ?? '{}').pageVisits);
    await expect.poll(readPages).toEqual(['/gohighlevel-free-trial']);
    const { tab, request } = await clickAndArrive(
      page,
      provider,
      page.locator('main a[rel~=sponsored]').first(),
    );
    expect(request.query.get('journey_pages')).toBe('gohighlevel_free_trial');
    await tab.close();
    await page.locator('footer a[href="/blog"]').first().click();
    await page.waitForURL(/\/blog$/);
    await expect.poll(readPages).toEqual(['/gohighlevel-free-trial', '/blog']);
    const session = await evaluateSettled(page, () => {
      const record = JSON.parse(sessionStorage.getItem('utm_original_params') ?? '{}');
      return record.utm_source === 'letter' ? record.session : '';
    });
    expect(session).toMatch(/./);
    const listEvents = () => readEvents(site.dataDir).filter((event) => event.session === session);
    const describe = ({ name, page: path, flags }: SiteEvent) => [name, path, ...flags].join(' ');
    await expect
      .poll(() => listEvents().map(describe).sort())
      .toEqual([
        'affiliate_redirect /gohighlevel-free-trial',
        'free_trial_signup /gohighlevel-free-trial',
        'page_view /blog',
      ]);
    // The view that was sent before the choice is the one arrival; the reloads and the record are none.
    const arrivals = readEvents(site.dataDir).filter(({ data }) => 'entry' in data || 'referrer' in data);
    expect(arrivals.map(describe)).toEqual(['page_view /gohighlevel-free-trial free']);

    await page.locator('[data-privacy-choices]').click();
    await expect(bar.getByRole('button', { name: 'Refuse' })).toBeFocused();
    await bar.getByRole('checkbox', { name: 'Delete this visit on the server' }).check();
    await bar.getByRole('button', { name: 'Refuse' }).click();
    await expect.poll(listKeys).toEqual(['visit-choice']);
    expect(listEvents()).toEqual([]);
    const listChoices = () => readEvents(site.dataDir).filter(({ name }) => name === 'privacy_choice');
    // It may arrive after the page that reloads.
    await expect
      .poll(() => listChoices().map(({ data }) => `${data['visit']} in ${data['place']}`))
      .toEqual(['no in bar', 'yes in bar', 'no in footer']);
    for (const { session: number, page: place } of listChoices())
      expect([number, place]).toEqual(['', '/privacy']);
  });

  test('asks for the record and for analytics apart, and each is as it was chosen', {
    tag: '@chromium',
  }, async ({ page, context }) => {
    const env = {
      ...ENV,
      STORAGE_QUESTION: 'ask',
      GA_MEASUREMENT_ID: 'G-TEST123',
      CONSENT_REGIONS: 'EU,GB,CH',
    };
    await using site = await startSite({ env });
    const asked: string[] = [];
    await context.route('https://www.googletagmanager.com/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: '' });
    });
    const bar = page.getByRole('region', { name: 'Privacy choices' });
    const choose = async (index: number) => {
      await bar.getByRole('button', { name: 'Choose' }).click();
      const boxes = bar.getByRole('checkbox', { name: /record of this visit|Google Analytics/ });
      await expect(boxes).toHaveCount(2);
      expect(await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual([
        false,
        false,
      ]);
      await expect(boxes.first()).toBeFocused();
      await boxes.nth(index).check();
      await bar.getByRole('button').click();
      await expect(bar).toHaveCount(0);
    };
    const readChoice = () =>
      evaluateSettled(page, () => (localStorage['visit-choice'] ?? '').slice(0, 8).trim());
    await page.goto(`${site.url}/help`);
    await expect(bar).toBeVisible();
    const looks = await bar.getByRole('button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { height, width } = button.getBoundingClientRect();
        return [
          height,
          width,
          getComputedStyle(button).color,
          getComputedStyle(button).backgroundColor,
        ].join();
      }),
    );
    expect([looks.length, new Set(looks).size]).toEqual([3, 1]);
    await choose(0);
    await expect.poll(readChoice).toMatch(/^yes no/);
    await expect.poll(() => listStoredKeys(page)).toContain('user_journey_data');
    expect(asked).toEqual([]);

    await page.locator('[data-privacy-choices]').click();
    await choose(1);
    await expect.poll(readChoice).toMatch(/^no yes/);
    await expect.poll(() => listStoredKeys(page)).toEqual(['visit-choice']);
    await expect.poll(() => asked.length).toBe(1);
  });

  test('one’s own visit is shown and deleted on the privacy page, and a stranger’s number shows nothing', async ({
    page,
  }) => {
    await using site = await startSite();
    await page.goto(`${site.url}/help?utm_source=shown`);
    const readSession = () =>
      evaluateSettled(
        page,
        () => JSON.parse(sessionStorage.getItem('utm_original_params') ?? '{}').session ?? '',
      );
    await expect.poll(readSession).not.toBe('');
    const deleted = await readSession();
    await page.locator('footer a[href="/privacy"]').first().click();
    await page.waitForURL(/privacy/);
    await expect.poll(() => readEvents(site.dataDir).length).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'What is stored about this visit' }).click();
    const status = page.locator('[data-visit-record] [role=status]');
    await expect(status).toContainText('user_journey_data');
    await expect(status).toContainText('"utm_source": "shown"');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await expect(status).toContainText('are deleted');
    expect(readEvents(site.dataDir)).toEqual([]);
    expect(await evaluateSettled(page, () => sessionStorage.length)).toBe(0);
    // What follows is another visit, which knows nothing of the deleted one.
    await page.locator('footer a[href="/blog"]').first().click();
    await page.waitForURL(/blog/);
    await expect.poll(readSession).not.toBe('');
    expect(await readSession()).not.toBe(deleted);
    const stored = await evaluateSettled(page, () =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }]),
    );
    expect(stored).not.toMatch(/shown|\/help/);
    const ask = async (session: unknown) => {
      const response = await page.request.post(`${site.url}/api/visit/show`, { data: { session } });
      return [response.status(), await response.json()];
    };
    for (const session of ['0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52', '', null, '<b>'])
      expect(await ask(session)).toEqual([200, { events: [] }]);
  });
});
