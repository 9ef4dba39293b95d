import type { BrowserContext, Page } from '@playwright/test';
import { createChance } from '../support/article-corpus.ts';
import { AGENCY, answerSteps, waitUntilHydrated } from '../support/assessment.ts';
import { expect, NOT_FOUND, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { readEvents } from '../support/events.ts';
import { readRoutes } from '../support/routes.ts';
import { startSite } from '../support/site.ts';
import { evaluateSettled, PERSON } from '../support/visit.ts';

const ZONES = ['Europe/Berlin', 'Europe/London', 'Europe/Zurich', 'UTC', ''];
const ORDERS = IS_FULL_LENGTH ? 40 : 2;
const ENV = { STORAGE_CONSENT_REGIONS: 'EU,GB,CH' };

/** Runs in every page before its scripts: names the time zone, and counts every access to storage of the browser. */
function watchStorage(zone: string): void {
  const { resolvedOptions } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.resolvedOptions = function () {
    return { ...resolvedOptions.call(this), timeZone: zone } as Intl.ResolvedDateTimeFormatOptions;
  };
  const calls: string[] = [];
  const count = (target: object, name: string) => {
    const found = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, {
      configurable: true,
      get() {
        calls.push(`read ${name}`);
        return found?.get?.call(this);
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
    };
    storageCalls.length = 0;
    return { calls, stored };
  });
  return { ...inPage, cookies: await context.cookies() };
}

const NOTHING = {
  calls: [],
  cookies: [],
  stored: { local: {}, session: {}, databases: [], caches: [], workers: 0, name: '', state: null, hash: '' },
};

async function openContext(context: BrowserContext, zone: string): Promise<Page> {
  await context.addInitScript(watchStorage, zone);
  return context.newPage();
}

/** Follows a random link to another page of the site: by pointer, in a new tab, or by keyboard. */
async function followLink(page: Page, random: () => number): Promise<Page> {
  const links = page.locator(
    'main a[href^="/"]:not([rel~=sponsored]):not([href*="."]):not([download]):visible, footer a[href^="/"]:visible',
  );
  const link = links.nth(Math.floor(random() * (await links.count())));
  const way = random();
  if (way < 0.2) {
    const opened = page.context().waitForEvent('page');
    await link.focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    return opened;
  }
  const left = page.waitForEvent('framenavigated');
  if (way < 0.4) {
    await link.focus();
    await page.keyboard.press('Enter');
  } else await link.click();
  await left;
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

  for (const zone of ZONES.slice(0, IS_FULL_LENGTH ? ZONES.length : 1))
    test(`a browser in ${zone || 'no time zone'} stores nothing in ${ORDERS} random orders, and no ad is named`, async ({
      browser,
    }) => {
      await using site = await startSite({ env: { ...ENV, LOG_REQUESTS: '1' } });
      const routes = await readRoutes(site.url);
      for (let order = 1; order <= ORDERS; order += 1) {
        const random = createChance(order * 1_000 + zone.length);
        const context = await browser.newContext({ userAgent: PERSON });
        const requests: string[] = [];
        context.on('request', (request) => {
          const isPage = request.isNavigationRequest() && new URL(request.url()).searchParams.has('gclid');
          if (!isPage) requests.push(`${request.url()} ${request.postData() ?? ''}`);
        });
        let page = await openContext(context, zone);
        const landing = routes[Math.floor(random() * routes.length)] ?? '/';
        const campaign = `campaign-${order}`;
        await page.goto(
          `${site.url}${landing}?utm_source=letter&utm_campaign=${campaign}&gclid=AdClick${order}x${zone.length}`,
        );
        for (let step = 0; step < 4; step += 1) {
          await page.waitForLoadState('networkidle');
          expect.soft(await probe(page), `${page.url()} of order ${order}`).toEqual(NOTHING);
          if (random() < 0.15) await page.reload();
          else page = await followLink(page, random);
        }
        await page.waitForLoadState('networkidle');
        expect(await probe(page)).toEqual(NOTHING);
        expect(requests.filter((text) => /AdClick/.test(text))).toEqual([]);
        await context.close();
      }
      expect(JSON.stringify(readEvents(site.dataDir))).not.toContain('AdClick');
      expect(site.output()).not.toContain('AdClick');
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

test.describe('the question whether a visit may be recorded', () => {
  test.use({ userAgent: PERSON, timezoneId: 'Europe/Berlin' });

  // Chromium alone: Firefox begins its page anew while the bar is read.
  test('refuses as easily as it allows, remembers both, and a withdrawal deletes', {
    tag: '@chromium',
  }, async ({ page }) => {
    await using site = await startSite({ env: { ...ENV, STORAGE_QUESTION: 'ask' } });
    const bar = page.getByRole('region', { name: 'Privacy choices' });
    const listKeys = () =>
      evaluateSettled(page, () => [...Object.keys(sessionStorage), ...Object.keys(localStorage)].sort());
    await page.goto(`${site.url}/help?utm_source=letter`);
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
    await expect.poll(listKeys).toEqual(expect.arrayContaining(['user_journey_data', 'utm_original_params']));
    await page.locator('footer a[href="/blog"]').first().click();
    await page.waitForURL(/\/blog$/);
    await expect
      .poll(() =>
        evaluateSettled(
          page,
          () => JSON.parse(sessionStorage.getItem('user_journey_data') ?? '{}').pageVisits,
        ),
      )
      .toEqual(['/help', '/blog']);
    const session = await evaluateSettled(page, () => {
      const record = JSON.parse(sessionStorage.getItem('utm_original_params') ?? '{}');
      return record.utm_source === 'letter' ? record.session : '';
    });
    expect(session).toMatch(/./);
    const count = () => readEvents(site.dataDir).filter((event) => event.session === session).length;
    await expect.poll(count).toBeGreaterThan(0);

    await page.locator('[data-privacy-choices]').click();
    await expect(bar.getByRole('button', { name: 'Refuse' })).toBeFocused();
    await bar.getByRole('checkbox', { name: 'Delete this visit on the server' }).check();
    await bar.getByRole('button', { name: 'Refuse' }).click();
    await expect.poll(listKeys).toEqual(['visit-choice']);
    expect(count()).toBe(0);
    const choices = readEvents(site.dataDir).filter(({ name }) => name === 'privacy_choice');
    expect(choices.map(({ data }) => `${data['visit']} in ${data['place']}`)).toEqual([
      'no in bar',
      'yes in bar',
      'no in footer',
    ]);
    for (const { session: number, page: place } of choices) expect([number, place]).toEqual(['', '/privacy']);
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
    await page.goto(`${site.url}/privacy`);
    await expect.poll(() => readEvents(site.dataDir).length).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'What is stored about this visit' }).click();
    const status = page.locator('[data-visit-record] [role=status]');
    await expect(status).toContainText('user_journey_data');
    await expect(status).toContainText('"utm_source": "shown"');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await expect(status).toContainText('are deleted');
    expect(readEvents(site.dataDir)).toEqual([]);
    expect(await evaluateSettled(page, () => sessionStorage.length)).toBe(0);
    const ask = async (session: unknown) => {
      const response = await page.request.post(`${site.url}/api/visit/show`, { data: { session } });
      return [response.status(), await response.json()];
    };
    for (const session of ['0b0f9a52-3f0e-4d6c-9a52-3f0e4d6c9a52', '', null, '<b>'])
      expect(await ask(session)).toEqual([200, { events: [] }]);
  });
});
