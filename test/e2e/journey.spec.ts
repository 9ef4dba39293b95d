import type { Locator } from '@playwright/test';
import { expect, test } from '../support/browser-test.ts';
import {
  clickAndArrive,
  evaluateSettled,
  openAndStore,
  PERSON,
  PERSON_LAUNCH,
  readEventsOf,
  readSession,
  waitForDelivery,
} from '../support/visit.ts';

test.use({ userAgent: PERSON, launchOptions: PERSON_LAUNCH });

test.beforeEach(({ provider }) => provider.reset());

const CALL = 'main a[href^="/go/highlevel"]';
const ANSWERS = {
  businessType: 'Digital Marketing Agency',
  budget: '$500 - $1,000',
  revenue: 'Scaling ($25K - $100K)',
  challenges: [
    'High costs of current tools',
    'Lead generation and acquisition',
    'Email marketing and automation',
    'Sales funnel optimization',
  ],
};

test('every row of the parameter table arrives at the provider, in order', { tag: '@full' }, async ({
  page,
  provider,
}) => {
  await openAndStore(
    page,
    '/help?utm_source=s&utm_medium=m&utm_campaign=c&utm_content=ignored&utm_term=t%20u&gclid=g&fbclid=f' +
      '&campaign_id=ci&ad_group_id=ag&ad_id=ad&msclkid=stored-but-not-sent',
  );
  await openAndStore(page, '/terms');
  await page.evaluate(
    (answers) => sessionStorage.setItem('assessment_results', JSON.stringify(answers)),
    ANSWERS,
  );
  await page.goto('/gohighlevel-free-trial');
  const link = page.locator(CALL).first();
  const source = new URL((await link.getAttribute('href')) ?? '', 'http://x').searchParams.get('source');
  const { request } = await clickAndArrive(page, provider, link);
  expect([...request.query]).toEqual([
    ['fp_ref', 'hlmax'],
    ['utm_source', 's'],
    ['utm_medium', 'm'],
    ['utm_campaign', 'c'],
    ['utm_content', `${source}_agency_budget_mid_gohighlevel_free_trial`],
    ['utm_term', 't u'],
    ['journey_pages', 'help-terms-gohighlevel_free_trial'],
    ['session_time', expect.stringMatching(/^\d+$/)],
    ['entry_page', 'help'],
    ['assessment_type', 'agency'],
    ['revenue_range', '25k-100k'],
    ['challenges', 'leads,email,funnels'],
    ['gclid', 'g'],
    ['fbclid', 'f'],
    ['campaign_id', 'ci'],
    ['ad_group_id', 'ag'],
    ['ad_id', 'ad'],
    ['fp_sid', expect.stringMatching(/^[\da-f-]{36}$/)],
  ]);
});

test('session storage holds exactly the three records of the specification', async ({ page }) => {
  for (const address of ['/help?utm_source=first&gclid=1', '/terms', '/privacy?utm_source=second', '/help']) {
    await openAndStore(page, address);
  }
  const stored = await evaluateSettled(page, () =>
    Object.fromEntries(Object.entries(sessionStorage).map(([key, text]) => [key, JSON.parse(text)])),
  );
  expect(stored).toEqual({
    utm_original_params: {
      utm_source: 'first',
      gclid: '1',
      last: { utm_source: 'second' },
      session: expect.stringMatching(/^[\da-f-]{36}$/),
    },
    user_journey_data: {
      entryPage: '/help',
      entryTime: expect.any(Number),
      currentPage: '/help',
      pageVisits: ['/help', '/terms', '/privacy'],
      timeSpent: expect.any(Number),
      referrer: 'direct',
      userAgent: PERSON,
    },
  });
});

test('a reload, and Back to the landing page, change neither campaign nor session', async ({ page }) => {
  await openAndStore(page, '/help?utm_source=first');
  const before = await evaluateSettled(page, () => sessionStorage.getItem('utm_original_params'));
  await page.reload();
  await openAndStore(page, '/terms');
  // Firefox reports no navigation to the driver when it shows a page from its back/forward cache.
  await page.evaluate(() => history.back());
  await expect.poll(() => evaluateSettled(page, () => location.pathname)).toBe('/help');
  expect(await evaluateSettled(page, () => sessionStorage.getItem('utm_original_params'))).toBe(before);
});

test('a tab opened from a page goes on with its session; a typed one does not', async ({ page, context }) => {
  await page.goto('/help?utm_source=tabs-opened');
  const opened = context.waitForEvent('page');
  await page.locator('footer a[href="/terms"]').click({ modifiers: ['ControlOrMeta'] });
  const tab = await opened;
  await expect.poll(() => readSession(tab)).toBe(await readSession(page));
  const stored = await evaluateSettled(tab, () => [
    JSON.parse(sessionStorage.getItem('utm_original_params') ?? '{}').utm_source,
    JSON.parse(sessionStorage.getItem('user_journey_data') ?? '{}').pageVisits,
  ]);
  expect(stored).toEqual(['tabs-opened', ['/help', '/terms']]);
  const typed = await context.newPage();
  await typed.goto('/terms');
  await expect.poll(() => readSession(typed)).not.toBe('');
  expect(await readSession(typed)).not.toBe(await readSession(page));
});

test('invalid records in storage are replaced by a new visit', { tag: '@full' }, async ({
  page,
  provider,
}) => {
  await openAndStore(page, '/help');
  await page.evaluate(() => {
    sessionStorage.setItem('utm_original_params', '{"utm_source":{"a":1},"gclid":"<b>","last":5}');
    sessionStorage.setItem('user_journey_data', '{"entryPage":"//evil.test","pageVisits":7');
    sessionStorage.setItem('assessment_results', '[[[');
  });
  await page.goto('/gohighlevel-free-trial');
  const { request } = await clickAndArrive(page, provider, page.locator(CALL).first());
  expect(Object.fromEntries(request.query)).toMatchObject({
    fp_ref: 'hlmax',
    gclid: '<b>',
    entry_page: 'gohighlevel_free_trial',
  });
});

const CLICKS: readonly (readonly [string, Parameters<typeof clickAndArrive>[3]])[] = [
  ['the middle button', { button: 'middle' }],
  ['Control', { modifiers: ['ControlOrMeta'] }],
];
for (const [how, options] of CLICKS) {
  test(`a link clicked with ${how} carries the visit`, async ({ page, provider }) => {
    await page.goto('/gohighlevel-free-trial?gclid=abc');
    const { request } = await clickAndArrive(page, provider, page.locator(CALL).first(), options);
    expect(request.query.get('gclid')).toBe('abc');
  });
}

test('a link activated with Enter carries the visit', async ({ page, provider }) => {
  await page.goto('/gohighlevel-free-trial?gclid=abc');
  await page.locator(CALL).first().focus();
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await tab.waitForURL((url) => url.origin === provider.url);
  expect(provider.requests()[0]?.query.get('gclid')).toBe('abc');
});

const FIRST_CLICKS: readonly (readonly [string, (link: Locator) => Promise<void>])[] = [
  ['the left button', (link) => link.click()],
  ['the middle button', (link) => link.click({ button: 'middle' })],
  ['Control', (link) => link.click({ modifiers: ['ControlOrMeta'] })],
  ['Enter', (link) => link.press('Enter')],
];
for (const [how, activate] of FIRST_CLICKS) {
  test(`a link clicked with ${how} two seconds before the visit script carries the campaign`, async ({
    page,
    provider,
    site,
  }) => {
    await page.route('**/_astro/visit-*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await route.continue();
    });
    const campaign = `first-${how.replaceAll(' ', '-')}`;
    await page.goto(`/gohighlevel-free-trial?utm_source=${campaign}&gclid=abc`, { waitUntil: 'commit' });
    const opened = page.context().waitForEvent('page');
    await activate(page.locator(CALL).first());
    const tab = await opened;
    await tab.waitForURL((url) => url.origin === provider.url);
    const [request] = provider.requests();
    expect([request?.query.get('utm_source'), request?.query.get('gclid')]).toEqual([campaign, 'abc']);
    expect(provider.requests()).toHaveLength(1);
    await waitForDelivery(page);
    // The redirect page may ask once more, with what storage has: a duplicate of the click.
    const events = await readEventsOf(
      site,
      ({ campaign: { utm_source: from }, flags }) => from === campaign && flags.length === 0,
    );
    expect(events.map(({ name, page: path }) => `${name} ${path}`).sort()).toEqual([
      'affiliate_redirect /gohighlevel-free-trial',
      'free_trial_signup /gohighlevel-free-trial',
      'page_view /gohighlevel-free-trial',
    ]);
  });
}

test('a double click is one click and one visit at the provider', async ({ page, provider, site }) => {
  await page.goto('/gohighlevel-free-trial?utm_source=double');
  const opened = page.context().waitForEvent('page');
  await page.locator(CALL).first().dblclick();
  const tab = await opened;
  await tab.waitForURL((url) => url.origin === provider.url);
  await waitForDelivery(page);
  expect(page.context().pages()).toHaveLength(2);
  expect(provider.requests()).toHaveLength(1);
  const events = await readEventsOf(site, (event) => event.campaign['utm_source'] === 'double');
  expect(events.map((event) => event.name).sort()).toEqual([
    'affiliate_redirect',
    'free_trial_signup',
    'page_view',
  ]);
});

test.describe('listeners of the page', () => {
  test.use({ tolerated: { patterns: [/listener failed/], reason: 'the test adds a listener that throws' } });

  test('hear utm_conversion with all its data, and cannot stop the visitor', { tag: '@full' }, async ({
    page,
    provider,
  }) => {
    await page.addInitScript(() => {
      window.addEventListener('utm_conversion', (event) => {
        document.documentElement.dataset['heard'] = JSON.stringify((event as CustomEvent).detail);
        throw new Error('listener failed');
      });
    });
    await page.goto('/gohighlevel-free-trial');
    await clickAndArrive(page, provider, page.locator(CALL).first());
    const heard = await evaluateSettled(page, () => document.documentElement.dataset['heard'] ?? '');
    expect(JSON.parse(heard)).toMatchObject({
      action: 'free_trial_signup',
      label: expect.any(String),
      value: expect.any(Number),
      data: { source: expect.any(String), click: expect.stringMatching(/^[\da-f-]{36}$/) },
    });
  });
});

/** Waits until every observer of the page has heard what is in view: this one is the last of them. */
function waitForObservers(element: Locator): Promise<void> {
  return element.evaluate(
    (observed) => new Promise((resolve) => new IntersectionObserver(() => resolve()).observe(observed)),
  );
}

test('prices seen are recorded once a page view', { tag: '@full' }, async ({ page, site }) => {
  await openAndStore(page, '/gohighlevel-free-trial?utm_source=prices');
  const prices = page.locator('[data-view="pricing_view"]').first();
  for (let n = 0; n < 2; n += 1) {
    await prices.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    await waitForObservers(prices);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await waitForObservers(prices);
  }
  await waitForDelivery(page);
  const seen = await readEventsOf(
    site,
    (event) => event.name === 'pricing_view' && event.campaign['utm_source'] === 'prices',
  );
  expect(seen).toHaveLength(1);
});

test.describe('with Global Privacy Control', () => {
  test.use({ extraHTTPHeaders: { 'sec-gpc': '1' } });

  test('only utm parameters and the click id are stored, sent, passed on', { tag: '@full' }, async ({
    page,
    provider,
    site,
  }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
    });
    const bodies: string[] = [];
    page.on('request', (one) => one.url().endsWith('/api/journey') && bodies.push(one.postData() ?? ''));
    await page.goto('/help?utm_source=private&gclid=secret-click&fbclid=secret-click');
    await page.waitForLoadState('networkidle');
    const link = page.locator('footer a[href="/blog"]').first();
    await link.evaluate((element) => element.setAttribute('href', '/gohighlevel-free-trial'));
    await page.locator('footer a[href="/gohighlevel-free-trial"]').first().click();
    await page.waitForURL(/gohighlevel-free-trial$/);
    await page.waitForLoadState('networkidle');
    const { request } = await clickAndArrive(page, provider, page.locator(CALL).first());
    expect([...request.query.keys()]).toEqual(
      'fp_ref utm_source utm_medium utm_campaign utm_content fp_sid'.split(' '),
    );
    expect(request.query.get('utm_content')).toContain('_business_budget_unspecified_');
    expect(await evaluateSettled(page, () => sessionStorage.getItem('user_journey_data'))).toBeNull();
    expect(await evaluateSettled(page, () => sessionStorage.getItem('utm_original_params'))).toBeNull();
    const read = () => readEventsOf(site, (event) => event.campaign['utm_source'] === 'private');
    await expect.poll(async () => (await read()).length).toBe(4);
    const events = await read();
    for (const event of events) {
      expect(event).toMatchObject({
        session: '',
        campaign: { utm_source: 'private' },
        flags: ['free', 'gpc'],
      });
    }
    expect(`${bodies}${JSON.stringify(events)}`).not.toMatch(/secret-click|Digital Marketing|journey_pages/);
  });
});

// Chromium alone: Firefox does not prerender.
test('a page that is prerendered counts as a visit when it is shown, not before @chromium', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    let isAhead = true;
    Object.defineProperty(Document.prototype, 'prerendering', { get: () => isAhead });
    addEventListener('test-show', () => {
      isAhead = false;
      document.dispatchEvent(new Event('prerenderingchange'));
    });
  });
  await page.goto('/help?utm_source=ahead');
  await page.waitForLoadState('networkidle');
  expect(await evaluateSettled(page, () => sessionStorage.length)).toBe(0);
  await page.evaluate(() => dispatchEvent(new Event('test-show')));
  await waitForDelivery(page);
  expect(await readSession(page)).not.toBe('');
  const events = await readEventsOf(site, (event) => event.campaign['utm_source'] === 'ahead');
  expect(events.map((event) => event.name)).toEqual(['page_view']);
});
