import type { Page } from '@playwright/test';
import { CHOICE_KEY, COPY_KEY, OUTBOX_PREFIX } from '../../src/core/consent/storage-keys.ts';
import { STORED_ITEMS } from '../../src/core/consent/stored-items.ts';
import { EVENT_NAMES, getEventDefinition } from '../../src/core/events/event-definitions.ts';
import { finishAssessment } from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { readEvents } from '../support/events.ts';
import { startSite } from '../support/site.ts';
import { clickAndArrive, evaluateSettled, openAndStore, PERSON, readSession } from '../support/visit.ts';

/** What a page has stored, as `area key`; entries of the outbox by their prefix. */
async function listStored(page: Page): Promise<string[]> {
  const stored = await evaluateSettled(page, () => [
    ...Object.keys(sessionStorage).map((key) => ['session', key] as const),
    ...Object.keys(localStorage).map((key) => ['local', key] as const),
  ]);
  return stored.map(([area, key]) => `${area} ${key.startsWith(OUTBOX_PREFIX) ? OUTBOX_PREFIX : key}`);
}

test.describe('what a visit stores', () => {
  test.use({
    timezoneId: 'Europe/Berlin',
    tolerated: { patterns: [/Failed to load resource/], reason: 'the test makes deliveries fail' },
  });

  // Each page is left at once, which cancels a script that workerd on this machine sends later than Node.
  test('is exactly what the privacy page lists, and no cookie', { tag: '@node' }, async ({
    page,
    context,
  }) => {
    await using site = await startSite({ env: { GA_MEASUREMENT_ID: 'G-TEST123', CONSENT_REGIONS: 'EU' } });
    const seen = new Set<string>();
    const look = async () => {
      for (const item of await listStored(page)) seen.add(item);
    };
    await context.route('https://www.googletagmanager.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await context.route('**/api/journey', (route) => route.fulfill({ status: 400, body: '{}' }));
    await page.goto(`${site.url}/help?utm_source=stored&gclid=1`);
    await page
      .getByRole('region', { name: 'Privacy choices' })
      .getByRole('button', { name: 'Allow' })
      .click();
    await expect.poll(() => listStored(page)).toContain('local outbox-drop');
    await look();
    await context.unroute('**/api/journey');
    await context.route('**/api/journey', (route) => route.abort());
    for (const path of ['/blog', '/blog/crm-basics', '/contact', '/feature-comparison']) {
      await page.goto(site.url + path);
      await look();
    }
    for (const path of ['/roi-calculator', '/gohighlevel-free-trial']) {
      await page.goto(site.url + path);
      const field = page.getByRole('spinbutton').first();
      // In the hero it is in view from the start; an island loads at the first sign of use.
      await field.focus();
      await expect(page.locator('astro-island[ssr]', { has: field })).toHaveCount(0);
      await field.fill('9');
      await expect(page).toHaveURL(/=9/);
      await look();
    }
    await finishAssessment(page, site.url);
    await look();
    expect([...seen].sort()).toEqual(STORED_ITEMS.map(({ area, key }) => `${area} ${key}`).sort());
    expect(await context.cookies()).toEqual([]);

    await page.goto(`${site.url}/privacy`);
    const rows = page.getByRole('table').first().locator('tbody tr');
    const listed = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].slice(0, 2).map(({ textContent }) => textContent)),
    );
    expect(listed).toEqual(
      STORED_ITEMS.map(({ area, key }) => [key === OUTBOX_PREFIX ? `${key}…` : key, `${area} storage`]),
    );
    expect(listed.flat()).toContain(CHOICE_KEY);
  });
});

/** What browsers send of an event, by the name under which the server stores it. */
const STORED_AS: Readonly<Record<string, string>> = { time: 'clientTime', free: 'flags' };
const ANSWERED = { businessType: 'business_type' };
const EUROPE = { STORAGE_CONSENT_REGIONS: 'EU,GB,CH' };

/** Five ways of being known: settings, whether the browser sends the signal, and what it keeps in the end. */
const VISITS = [
  [
    'with a record',
    {},
    false,
    ['assessment_results', 'user_journey_data', 'utm_original_params', 'visit-data'],
  ],
  ['without storage', EUROPE, false, []],
  ['without storage and with plain links', { ...EUROPE, STORAGE_FREE_LINKS: 'none' }, false, []],
  ['with Global Privacy Control', {}, true, []],
  ['with a record that is withdrawn', { ...EUROPE, STORAGE_QUESTION: 'ask' }, false, ['visit-choice']],
] as const;

test.describe('the privacy page', () => {
  test.use({ timezoneId: 'Europe/Berlin', userAgent: PERSON });

  for (const [mode, env, hasSignal, kept] of VISITS)
    test(`names everything that a visit ${mode} stores and sends`, { tag: '@node' }, async ({
      page,
      context,
      provider,
    }) => {
      provider.reset();
      await using site = await startSite({ env, provider });
      if (hasSignal) {
        await context.setExtraHTTPHeaders({ 'sec-gpc': '1' });
        await context.addInitScript(() => {
          Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
        });
      }
      const sent: Record<string, unknown>[] = [];
      context.on('request', (request) => {
        if (request.url().endsWith('/api/journey')) sent.push(...request.postDataJSON().events);
      });
      const seen = new Set<string>();
      const look = async () => {
        await page.waitForLoadState('networkidle');
        for (const item of await listStored(page)) seen.add(item);
      };
      await page.goto(`${site.url}/gohighlevel-free-trial?utm_source=letter&utm_campaign=x&gclid=AdClick`, {
        referer: 'https://www.google.com/search?q=secret',
      });
      await look();
      const bar = page.getByRole('region', { name: 'Privacy choices' });
      if (kept[0] === 'visit-choice') {
        await bar.getByRole('button', { name: 'Allow' }).click();
        await expect.poll(() => readSession(page)).not.toBe('');
      }
      // Where nothing is stored, links to pages carry the campaign, unless the settings say that they stay plain.
      const link = page.locator('main a[href^="/"]:not([rel~=sponsored])').first();
      await link.hover();
      const carries = (await link.getAttribute('href'))?.includes('#~');
      if (env === EUROPE || 'STORAGE_FREE_LINKS' in env) expect(carries).toBe(env === EUROPE);
      await clickAndArrive(page, provider, page.locator('main a[rel~=sponsored]').first());
      await finishAssessment(page, site.url);
      await look();
      await page.locator('footer a[href="/privacy"]:not([data-privacy-choices])').first().click();
      await page.waitForURL(/\/privacy$/);
      await look();
      if (kept[0] === 'visit-choice') {
        await page.locator('[data-privacy-choices]').click();
        await bar.getByRole('button', { name: 'Refuse' }).click();
        await expect.poll(() => listStored(page)).toEqual(['local visit-choice']);
        await look();
      }
      const inEnd = await listStored(page);
      expect(inEnd.map((item) => item.split(' ')[1]).sort()).toEqual(kept);
      const [storage = [], events = [], outbound = []] = await page
        .getByRole('table')
        .evaluateAll((tables) =>
          tables.map((table) =>
            [...table.querySelectorAll('tbody tr')].map((row) =>
              [...row.children].map((cell) => (cell as HTMLElement).innerText),
            ),
          ),
        );
      const isFree = kept.length === 0;
      expect(
        [...seen].filter(
          (item) => isFree || !storage.some(([key]) => `${key}`.startsWith(item.split(' ')[1] ?? '-')),
        ),
      ).toEqual([]);

      // What was sent, and what is stored, by event.
      const stored = readEvents(site.dataDir);
      expect(stored.length).toBeGreaterThan(hasSignal ? 3 : 6);
      const named = (name: unknown, key: string) =>
        events.some(
          ([event, , text]) =>
            event === name && (text?.includes(`(${key})`) || text?.split(', ').includes(key)),
        );
      const unnamed = [
        ...sent.map(({ answers, ...event }) =>
          answers === undefined ? event : { ...event, name: 'assessment_completed', data: answers },
        ),
        ...stored,
      ].flatMap(({ data, ...event }: { name?: unknown; data?: unknown }) => [
        ...Object.keys(event).filter((key) => !named('every event', STORED_AS[key] ?? key)),
        ...Object.keys(Object(data)).filter(
          (key) => !named(event.name, Object(ANSWERED)[key] ?? key) && !isAnyNamed(event.name),
        ),
      ]);
      expect(unnamed).toEqual([]);
      for (const { data, campaign, session, name } of stored) {
        for (const key of Object.keys(campaign)) expect(storage[0]?.[2]).toContain(key);
        if (isFree)
          expect([session, campaign['gclid'], data['journey_pages']], name).toEqual([
            '',
            undefined,
            undefined,
          ]);
      }
      // What the platform received.
      const [arrival] = provider.requests();
      const row = (name: string) => outbound.find(([names]) => names?.split(', ').includes(name));
      const given = [...(arrival?.query.keys() ?? [])];
      expect(given.length).toBeGreaterThan(2);
      expect(
        given.filter((name) => row(name) === undefined || (isFree && row(name)?.[2] === 'not sent')),
      ).toEqual([]);
      if (isFree) expect(JSON.stringify([sent, stored, ...(arrival?.query ?? [])])).not.toContain('AdClick');
    });
});

/** Whether an event may have data that its element names. */
const isAnyNamed = (name: unknown) =>
  EVENT_NAMES.some((one) => one === name && getEventDefinition(one).data.some((key) => key === '*'));

for (const [minutes, outcome] of [
  [29, 'continues the session'],
  [31, 'begins a session of its own, and the old copy is gone'],
  [-31, 'begins a session of its own when the copy is from the future'],
] as const) {
  test(`a tab opened ${minutes} minutes after the last activity ${outcome}`, async ({ page, context }) => {
    await openAndStore(page, '/help?utm_source=first-tab');
    const session = await readSession(page);
    const opened = context.waitForEvent('page');
    // The copy ages after the visit script has handled the click, before the browser opens the new tab.
    await page.evaluate(
      ([key, ms]) =>
        document.addEventListener('click', () => {
          const [time, ...rest] = JSON.parse(localStorage.getItem(key) ?? '[]');
          localStorage.setItem(key, JSON.stringify([time - ms, ...rest]));
        }),
      [COPY_KEY, minutes * 60_000] as const,
    );
    // By keyboard: under the pointer, the browser would load the page before the click.
    await page.locator('footer a[href="/terms"]').focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    const tab = await opened;
    await expect.poll(() => readSession(tab)).not.toBe('');
    const copy = await evaluateSettled(tab, (key: string) => localStorage.getItem(key), COPY_KEY);
    if (minutes === 29) expect(await readSession(tab)).toBe(session);
    else {
      expect(await readSession(tab)).not.toBe(session);
      expect(copy).not.toContain(session);
      expect(JSON.parse(copy ?? '[]')[1]).toEqual({ session: expect.any(String) });
    }
  });
}

test('a click postpones the expiry of the copy', async ({ page }) => {
  await page.goto('/help');
  await expect.poll(() => readSession(page)).not.toBe('');
  const readTime = () =>
    evaluateSettled(
      page,
      (key: string) => Number(JSON.parse(localStorage.getItem(key) ?? '[]')[0]),
      COPY_KEY,
    );
  const before = await readTime();
  await expect.poll(() => page.evaluate(() => Date.now())).toBeGreaterThan(before);
  await page.getByRole('heading', { level: 1 }).click();
  expect(await readTime()).toBeGreaterThan(before);
});

test('Global Privacy Control deletes the copy of an earlier visit', async ({ page }) => {
  await page.goto('/help');
  await expect.poll(() => listStored(page)).toContain(`local ${COPY_KEY}`);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true });
  });
  await page.reload();
  await expect.poll(() => listStored(page)).not.toContain(`local ${COPY_KEY}`);
});
