import type { CompatStatement, Identifier } from '@mdn/browser-compat-data';
import compat from '@mdn/browser-compat-data/forLegacyNode';
import type { BrowserContext, Page } from '@playwright/test';
import postcss from 'postcss';
import { AGENCY, answerSteps } from '../support/assessment.ts';
import { expect, siteTest, test } from '../support/browser-test.ts';
import { IS_FULL_LENGTH } from '../support/cases.ts';
import { readRoutes, sampleRoutes } from '../support/routes.ts';
import { PERSON, readEventsOf } from '../support/visit.ts';

const PHONE = { width: 375, height: 667 };

/** Lets pages of a context arrive as a browser reads them that knows no popover: Safari 16, Chrome 113, Firefox 124. */
async function forgetPopovers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover'));
  await context.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue();
    const response = await route.fetch();
    const html = (await response.text())
      .replaceAll(' popover=', ' data-popover=')
      .replaceAll('selector(:popover-open)', 'selector(:unknown-state)');
    return route.fulfill({ response, body: html });
  });
}

const measure = (page: Page) =>
  page.evaluate(() => ({
    header: document.querySelector('.site-header')?.getBoundingClientRect().height,
    bar: document.querySelector('.section-nav')?.getBoundingClientRect().height,
    width: document.documentElement.scrollWidth,
    // Each link of a menu is seen once, in the row or in no place.
    seen: [...document.querySelectorAll('.site-header nav a')].filter((link) => link.checkVisibility())
      .length,
  }));

const ROUTES = [
  '/',
  '/gohighlevel-free-trial',
  '/hubspot-vs-gohighlevel-pricing-comparison',
  '/blog',
  '/help',
];

for (const javaScriptEnabled of [true, false]) {
  test.describe(`without popovers, scripts ${javaScriptEnabled ? 'on' : 'off'}`, () => {
    // The hash of the styles in the policy is that of the page as it was sent.
    test.use({ bypassCSP: true, javaScriptEnabled, hasTouch: true });

    for (const viewport of [PHONE, { width: 768, height: 1024 }, { width: 1440, height: 900 }]) {
      test(`pages are laid out as elsewhere at ${viewport.width} px`, async ({ page, context }) => {
        await page.setViewportSize(viewport);
        const usual = new Map<string, unknown>();
        for (const route of ROUTES) {
          await page.goto(route);
          usual.set(route, await measure(page));
        }
        await forgetPopovers(context);
        for (const route of ROUTES) {
          await page.goto(route);
          await expect(page.locator('[data-popover]').first()).toBeAttached();
          expect.soft(await measure(page), route).toEqual(usual.get(route));
        }
      });
    }

    for (const route of ROUTES) {
      test(`on ${route} a tap opens the menu and closes it, and its links lead on`, async ({
        page,
        context,
      }) => {
        await forgetPopovers(context);
        await page.setViewportSize(PHONE);
        await page.goto(route);
        const menu = page.locator('#site-menu');
        const button = page.locator('.site-header summary');
        await expect(menu).toBeHidden();
        await button.tap();
        await expect(menu).toBeInViewport({ ratio: 1 });
        expect((await measure(page)).width, 'the menu scrolls the page sideways').toBe(PHONE.width);
        await button.tap();
        await expect(menu).toBeHidden();
        await button.press('Enter');
        await page.keyboard.press('Tab');
        await expect(menu.getByRole('link').first()).toBeFocused();
        await menu.getByRole('link', { name: 'Savings' }).tap();
        await expect(page).toHaveURL(/\/roi-calculator$/);
      });
    }

    test('the menu of a page leads to its parts', async ({ page, context }) => {
      await forgetPopovers(context);
      await page.setViewportSize(PHONE);
      await page.goto('/free-trial-demo');
      await page.locator('.section-nav summary').tap();
      const menu = page.locator('#section-menu');
      await menu.getByRole('link', { name: 'Support' }).tap();
      await expect(page.locator('#support')).toBeInViewport();
      if (javaScriptEnabled) await expect(menu).toBeHidden();
    });
  });
}

/** What browsers that people have lack, each taken from this one before a page runs its scripts. The first eight broke pages. */
const LACKS: Readonly<Record<string, string>> = {
  'AbortSignal.any': 'delete AbortSignal.any',
  'AbortSignal.timeout': 'delete AbortSignal.timeout; delete AbortSignal.any',
  checkVisibility: 'delete Element.prototype.checkVisibility',
  'Object.hasOwn': 'delete Object.hasOwn',
  PerformanceObserver: 'delete window.PerformanceObserver',
  'an observer of paints': 'PerformanceObserver.prototype.observe = () => { throw new TypeError("type"); }',
  IntersectionObserver: 'delete window.IntersectionObserver',
  'local storage': 'Object.defineProperty(window, "localStorage", { get: () => null })',
  'session storage': 'Object.defineProperty(window, "sessionStorage", { get: () => null })',
  'any storage':
    'for (const area of ["localStorage", "sessionStorage"]) Object.defineProperty(window, area, { get: () => null })',
  'permission to store':
    'for (const area of ["localStorage", "sessionStorage"]) Object.defineProperty(window, area, { get() { throw new DOMException("denied", "SecurityError"); } })',
  'room in its storage':
    'Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }',
  'crypto.randomUUID': 'delete Crypto.prototype.randomUUID',
  sendBeacon: 'delete Navigator.prototype.sendBeacon',
  locks: 'delete Navigator.prototype.locks',
  'Array.prototype.at': 'delete Array.prototype.at; delete String.prototype.at',
  structuredClone: 'delete window.structuredClone',
  requestIdleCallback: 'delete window.requestIdleCallback',
  'Map.groupBy': 'delete Map.groupBy; delete Object.groupBy',
  'copies of arrays':
    'for (const name of ["toSorted", "toReversed", "findLast", "findLastIndex"]) delete Array.prototype[name]',
  'URL.canParse': 'delete URL.canParse',
  toWellFormed: 'delete String.prototype.toWellFormed',
};

test.describe('in a browser that lacks', () => {
  test.use({
    userAgent: PERSON,
    tolerated: { patterns: [/./], reason: 'the browser reports what it lacks' },
  });
  test.beforeEach(({ provider }) => provider.reset());

  const tried = Object.entries(LACKS).slice(0, IS_FULL_LENGTH ? undefined : 8);
  for (const [index, [name, script]] of tried.entries()) {
    test(`${name}, visits count, and all that pages offer works`, async ({ page, provider, site }) => {
      await page.addInitScript({ content: `try { ${script} } catch {}` });
      const campaign = `lacks-${index}`;

      await page.goto(`/?utm_source=${campaign}`);
      await expect
        .poll(async () =>
          (await readEventsOf(site, ({ campaign: { utm_source } }) => utm_source === campaign)).map(
            (event) => event.name,
          ),
        )
        .toContain('page_view');

      await page.goto('/roi-calculator');
      const fields = page.getByRole('spinbutton');
      await fields.first().click();
      await page.keyboard.press('End');
      await page.keyboard.type('499');
      await expect(fields.first()).toHaveValue(/499$/);
      await expect(fields).toHaveCount(5);
      await page.keyboard.press('Enter');
      await expect(page.locator('[data-savings]').first()).toBeVisible();

      await page.goto('/assessment');
      await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
      await answerSteps(page, AGENCY);
      await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();

      await page.goto('/blog');
      await page.getByPlaceholder('Search articles...').click();
      await page.keyboard.type('pipeline');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('status').getByText(/articles? for “pipeline”/)).toBeVisible();
      await page.goto('/blog');
      await page.getByText('Load More Articles').click();
      await expect(page).toHaveURL(/page=2/);
      await expect(page.locator('#articles article').nth(3)).toBeVisible();

      provider.reset();
      await page.goto('/gohighlevel-free-trial');
      const opened = page.context().waitForEvent('page');
      await page.locator('main a[href^="/go/highlevel"]').first().click();
      await (await opened).waitForURL((url) => url.origin === provider.url);
    });
  }
});

test.describe('an island that fails', () => {
  test.use({ tolerated: { patterns: [/./], reason: 'the test makes islands fail' } });

  /** Lets what every rendering of an island calls throw from the next one on. */
  const fail = (page: Page) =>
    page.evaluate(() => {
      String.prototype.trim = () => {
        throw new TypeError('trim is not a function');
      };
    });

  for (const isLater of [false, true])
    test(`gives the calculator back to the server, ${isLater ? 'while it is used' : 'from the start'}`, async ({
      page,
    }) => {
      await page.goto('/roi-calculator');
      const fields = page.getByRole('spinbutton');
      if (isLater) {
        await fields.first().click();
        await expect(page.locator('astro-island[ssr]', { has: fields.first() })).toHaveCount(0);
      }
      await fail(page);
      await fields.first().click();
      await page.keyboard.press('End');
      await page.keyboard.type('5');
      const button = page.locator('astro-island').getByRole('button', { name: 'Calculate' });
      await button.click();
      await expect(page).toHaveURL(/\?/);
      await expect(fields).toHaveCount(5);
    });

  test('leaves the assessment to its forms', async ({ page }) => {
    await breakIsland(page, 'assessment-island', 'AssessmentIsland');
    await page.goto('/assessment');
    await page.getByRole('button', { name: 'Start My Assessment' }).first().click();
    for (const label of AGENCY.flat()) await page.getByLabel(label, { exact: true }).check();
    await page.locator('.question-form [type=submit]').click();
    await expect(page.getByRole('heading', { name: 'We recommend GoHighLevel' })).toBeVisible();
  });

  test('leaves search and Load More to the server', async ({ page }) => {
    await breakIsland(page, 'article-list', 'ArticleList');
    await page.goto('/blog');
    await page.getByPlaceholder('Search articles...').click();
    await page.keyboard.type('pipeline');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').getByText(/articles? for “pipeline”/)).toBeVisible();
    await page.goto('/blog');
    await page.getByText('Load More Articles').click();
    await expect(page).toHaveURL(/\/blog\?page=2#more-2$/);
  });
});

/** Replaces the file of an island by one whose component throws. */
const breakIsland = (page: Page, file: string, component: string) =>
  page.route(`**/_astro/${file}*.js`, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function ${component}() { throw new TypeError("broken"); }`,
    }),
  );

/** The oldest browsers in which pages are whole, as README says. */
const OLDEST = { chrome: 109, firefox: 115, safari: 16.4, safari_ios: 16.4 };

/** Whether today's browsers have a feature, and one of the oldest lacks it. What no browser but one has, others' tests see. */
function isNewer({ support }: CompatStatement): boolean {
  const has = (name: keyof typeof OLDEST, version: number) =>
    [support[name] ?? []]
      .flat()
      .some(
        ({ version_added: from, flags, prefix, alternative_name: other }) =>
          typeof from === 'string' &&
          Number.parseFloat(from.replace('≤', '')) <= version &&
          !(flags ?? prefix ?? other),
      );
  const names = ['chrome', 'firefox', 'safari', 'safari_ios'] as const;
  return names.every((name) => has(name, 999)) && !names.every((name) => has(name, OLDEST[name]));
}

/** Names of methods that every interface with one has only in newer browsers, and static ones with their interface. */
function listNewerCalls(): ReadonlySet<string> {
  const calls = new Map<string, boolean>();
  const { builtins } = compat.javascript;
  for (const root of [builtins, builtins?.Intl ?? {}, compat.api])
    for (const [owner, members] of Object.entries(root ?? {}))
      for (const [key, { __compat: member }] of Object.entries(members)) {
        if (key === '__compat' || member === undefined) continue;
        const name = key.replace(/_static$/, '');
        for (const call of [name, `${owner}.${name}`])
          calls.set(call, (calls.get(call) ?? true) && isNewer(member));
      }
  return new Set([...calls].flatMap(([name, isNew]) => (isNew ? [name] : [])));
}

/** Methods of our own, and of libraries, that have the name of a newer one. */
const OWN_CALLS = new Set(['isActive', 'address', 'skipTransition', 'use']);
/** What a page is whole without: lines break elsewhere, marks and columns are less even, nothing fades or stays in place, menus are `details`. */
const DISPENSABLE =
  /^(text-wrap|box-decoration-break|view-transition-name|overflow-anchor|hyphens|content-visibility|accent-color|mask|print-color-adjust|@property|::details-content|:popover-open|:has)\b|: subgrid$/;

siteTest('what public pages cannot do without is in the oldest browsers', async ({ site }) => {
  const pending = new Set(sampleRoutes(await readRoutes(site.url), site.contentDir));
  const newer = listNewerCalls();
  const scripts: string[] = [];
  for (const address of pending) {
    const text = await (await fetch(site.url + address)).text();
    for (const [name] of text.matchAll(/(?<=["'`/])[\w.-]+\.js(?=["'`])/g)) pending.add(`/_astro/${name}`);
    for (const [, styles = ''] of text.matchAll(/<style[^>]*>(.*?)<\/style>/gs))
      expect.soft(listNewerStyles(styles), address).toEqual([]);
    if (!address.endsWith('.js')) continue;
    scripts.push(address);
    // Only the console reads amounts in any currency, with code that its scripts share with calculators.
    if (address.startsWith('/_astro/price.')) continue;
    const calls = [...text.matchAll(/(?:\b([A-Z]\w*))?\.(\w+)\(/g)].flatMap(([, owner, name = '']) =>
      newer.has(owner === undefined ? name : `${owner}.${name}`) && !OWN_CALLS.has(name) ? [name] : [],
    );
    expect.soft(calls, address).toEqual([]);
  }
  const names = [
    'visit-script',
    'free-visit-script',
    'article-list',
    'assessment-island',
    'enhance-contact-form',
  ];
  for (const name of names) expect(scripts.join(' ')).toContain(`/${name}`);
});

/** Properties, values, functions, selectors and rules of a style sheet that the oldest browsers lack, outside of `@supports`. */
function listNewerStyles(text: string): readonly string[] {
  const { properties = {}, types = {}, selectors = {}, 'at-rules': rules = {} } = compat.css;
  const found = new Set<string>();
  const note = (name: string, feature: Identifier | undefined) => {
    if (feature?.__compat && isNewer(feature.__compat) && !DISPENSABLE.test(name)) found.add(name);
  };
  postcss.parse(text).walk((node) => {
    for (let { parent } = node; parent; parent = parent.parent as typeof parent)
      if (parent.type === 'atrule' && 'name' in parent && parent.name === 'supports') return;
    if (node.type === 'decl') {
      note(node.prop, properties[node.prop]);
      for (const [word] of node.value.matchAll(/(?<![\w-])[a-z][\w-]*(?![\w-]|\()/g))
        note(`${node.prop}: ${word}`, properties[node.prop]?.[word]);
      for (const [, name = ''] of node.value.matchAll(/([a-z][\w-]*)\(/g))
        note(`${name}()`, types[name] ?? types['color']?.[name]);
    } else if (node.type === 'rule')
      for (const [pseudo, name = '', isOf] of node.selector.matchAll(/(?<!\\)::?([\w-]+)(\([^()]* of )?/g))
        note(pseudo, isOf ? selectors[name]?.['of_syntax'] : selectors[name]);
    else if (node.type === 'atrule') note(`@${node.name}`, rules[node.name]);
  });
  return [...found];
}
