import type { Page } from '@playwright/test';
import { buildArticlesResponse, respondToFunctions } from '../support/article-functions.ts';
import { expect, NOT_FOUND, test } from '../support/browser-test.ts';

const LOAD_FAILED = 'Failed to load articles. Please try again.';

const findSection = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
const cards = (page: Page) => page.locator('#articles article');
const search = (page: Page) => page.getByPlaceholder('Search articles...');
const more = (page: Page) => page.getByText('Load More Articles');

test.describe('the first page', () => {
  test('shows twelve cards with all that a card has', async ({ page }) => {
    await page.goto('/blog');
    await expect(cards(page)).toHaveCount(12);
    for (const card of await cards(page).all()) {
      expect(await card.locator('p').first().locator('span').count()).toBeLessThanOrEqual(2);
      await expect(card.getByRole('heading')).not.toBeEmpty();
      await expect(card.locator('.card-excerpt')).not.toBeEmpty();
      await expect(card.locator('.card-meta')).toHaveText(
        /^Editorial deskCompared in [A-Z][a-z]+ \d{4}\d+ min read$/,
      );
      await expect(card.locator('img')).toHaveAttribute('width', '1200');
    }
  });

  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    test(`begins with its first article within 500 px at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.goto('/blog');
      expect((await cards(page).first().boundingBox())?.y).toBeLessThanOrEqual(500);
    });
  }

  test('keeps its header in view, with the search in it', async ({ page }) => {
    await page.goto('/blog');
    await page.mouse.wheel(0, 3000);
    await expect(search(page)).toBeInViewport();
    await expect(page.locator('header').getByRole('link', { name: 'CRM & Automation Hub' })).toBeInViewport();
  });

  test('loads no framework before it is touched, and loads it then', async ({ page }) => {
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto('/blog', { waitUntil: 'networkidle' });
    expect(scripts.filter((url) => /client|article-list/.test(url))).toEqual([]);
    await search(page).focus();
    await expect.poll(() => scripts.some((url) => /article-list/.test(url))).toBe(true);
  });
});

test.describe('more articles', () => {
  test('come after the others; the address follows, focus goes on, Back leads back', async ({ page }) => {
    await page.goto('/blog');
    const before = await page.locator('.card-title').allTextContents();
    await more(page).click();
    await expect(cards(page)).toHaveCount(24);
    await expect(page).toHaveURL(/\/blog\?page=2$/);
    expect((await page.locator('.card-title').allTextContents()).slice(0, 12)).toEqual(before);
    await expect(page.locator('.card-title a').nth(12)).toBeFocused();
    await expect(more(page)).toHaveCount(0);
    await page.goBack();
    await expect(cards(page)).toHaveCount(12);
    await expect(page).toHaveURL(/\/blog$/);
    await page.goForward();
    await expect(cards(page)).toHaveCount(24);
  });

  test('are asked for from the function, twelve at a time', async ({ page }) => {
    const calls = await respondToFunctions(page, () => buildArticlesResponse('More', 3, true));
    await page.goto('/blog');
    await more(page).click();
    await expect(cards(page)).toHaveCount(15);
    expect(calls).toEqual([
      { name: 'proxy', body: { path: '/articles?page=2&limit=12', method: 'GET', payload: null } },
    ]);
  });

  test('that were loaded before are in the address of the page, on the server too', async ({ page }) => {
    await page.goto('/blog?page=2');
    await expect(cards(page)).toHaveCount(24);
  });

  test.describe('past the last page', () => {
    test.use({ tolerated: NOT_FOUND });
    test('are not there, and the page says so', async ({ page }) => {
      const response = await page.goto('/blog?page=40');
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'No articles available' })).toBeVisible();
    });
  });
});

test.describe('a search', () => {
  test('is sent by Enter, trimmed, and is in the address', async ({ page }) => {
    await page.goto('/blog');
    await search(page).fill('  pipeline   stages ');
    await search(page).press('Enter');
    await expect(page).toHaveURL(/\/blog\?q=pipeline\+stages$/);
    await expect(search(page)).toHaveValue('pipeline stages');
    await expect(cards(page).first()).toContainText('pipeline stages');
    await expect(page.locator('#articles mark').first()).toBeVisible();
    await expect(page).toHaveTitle(/^Articles about pipeline stages \| /);
    await expect(page.locator('.blog-intro')).toBeHidden();
    // The editor's picks below have a mark, which leads to it.
    await expect(page.locator('#no-source')).toBeVisible();
    await page.goBack();
    await expect(page).not.toHaveTitle(/pipeline/);
  });

  test('is sent by the button; Back leads to what was there', async ({ page }) => {
    await page.goto('/blog');
    await search(page).fill('webinar');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/\?q=webinar$/);
    await expect(cards(page).first()).toContainText(/webinar/i);
    await page.goBack();
    await expect(page).toHaveURL(/\/blog$/);
    await expect(cards(page)).toHaveCount(12);
    await expect(search(page)).toHaveValue('');
  });

  test('begins at page 1 again', async ({ page }) => {
    const calls = await respondToFunctions(page, ({ body }) =>
      buildArticlesResponse(body.path.includes('search') ? 'Hit' : 'More', 3, true),
    );
    await page.goto('/blog');
    await more(page).click();
    await expect(cards(page)).toHaveCount(15);
    await search(page).fill('crm');
    await search(page).press('Enter');
    await expect(cards(page)).toHaveCount(3);
    await expect(page).toHaveURL(/\?q=crm$/);
    expect(calls.at(-1)?.body.path).toBe('/articles/search?q=crm&page=1&limit=12');
  });

  test('for nothing lists everything', async ({ page }) => {
    await page.goto('/blog?q=webinar');
    await search(page).fill('   ');
    await search(page).press('Enter');
    await expect(page).toHaveURL(/\/blog$/);
    await expect(cards(page)).toHaveCount(12);
  });

  test('finds landing pages in their own group, with and without scripts', async ({
    page,
    browser,
    site,
  }) => {
    const plain = await browser.newPage({ javaScriptEnabled: false, baseURL: site.url });
    for (const [text, href] of [
      ['hubspot price', '/hubspot-from-the-documents'],
      ['free trial', '/gohighlevel-free-trial'],
      ['gohighlevel pricing', '/hubspot-vs-gohighlevel-pricing-comparison'],
    ] as const) {
      await page.goto('/blog');
      await search(page).fill(text);
      await search(page).press('Enter');
      const group = findSection(page, 'Pages').locator('h3 a');
      await expect(group.first()).toHaveAttribute('href', href);
      await expect(page.getByRole('status').first()).toHaveText(/^\d pages? and .*articles? for /);
      await plain.goto(`/blog?q=${text.replace(' ', '+')}`);
      const [found, rendered] = [page, plain].map((one) => one.locator('#articles').getByRole('link'));
      expect(await found?.allTextContents()).toEqual(await rendered?.allTextContents());
    }
    await plain.close();
  });

  test('without a match says so and shows the way back', async ({ page }) => {
    await page.goto('/blog');
    await search(page).fill('zzqxv "<&');
    await search(page).press('Enter');
    await expect(page.getByText('No articles found for "zzqxv "<&"')).toBeVisible();
    await page.getByRole('link', { name: 'Show all articles' }).click();
    await expect(cards(page)).toHaveCount(12);
  });
});

test('typing in the search of the header scrolls nothing', async ({ page }) => {
  await page.goto('/blog');
  await page.evaluate(() => scrollTo({ top: 1_500, behavior: 'instant' }));
  await search(page).pressSequentially('hub');
  expect(await page.evaluate(waitForRest)).toBe(1_500);
});

/** Runs in the page: resolves when it has not scrolled for some frames, with how far what it shows is down. */
async function waitForRest(): Promise<number> {
  let [last, frames] = [-1, 0];
  while (frames < 15) {
    await new Promise(requestAnimationFrame);
    frames = scrollY === last ? frames + 1 : 0;
    last = scrollY;
  }
  return last;
}

for (const [reducedMotion, width] of [
  ['reduce', 390],
  ['no-preference', 1440],
] as const) {
  test.describe(`after a search with reduced motion: ${reducedMotion}`, () => {
    test.use({ contextOptions: { reducedMotion } });

    test(`what was found, or that nothing was, is in view at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      for (const [text, send, down] of [
        ['webinar', 'button', 0],
        ['hubspot price', 'Enter', 1_500],
        ['zzqxv', 'Enter', 0],
        ['zzqxv', 'button', 1_500],
      ] as const) {
        await page.goto('/blog');
        await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), down);
        await search(page).fill(text);
        if (send === 'Enter') await search(page).press('Enter');
        else await page.getByRole('button', { name: 'Search' }).click();
        await expect(page).toHaveURL(/\?q=/);
        const first = page.locator('#articles :is(.card-title, h2)').first();
        await expect(first).toContainText(text === 'zzqxv' ? 'No articles found' : /./);
        await expect(page.locator('#articles')).toHaveAttribute('aria-busy', 'false');
        await page.evaluate(waitForRest);
        const what = `${text} by ${send}, begun at ${down} px`;
        const [header, result] = [await page.locator('header').boundingBox(), await first.boundingBox()];
        expect.soft(result?.y, what).toBeGreaterThanOrEqual(header?.height ?? 0);
        expect.soft(result?.y, what).toBeLessThan(700);
      }
    });
  });
}

test.describe('the second function', () => {
  for (const [what, first] of [
    ['no articles', { json: { articles: [], hasMore: false } }],
    ['nothing', { json: null }],
    ['an error', { status: 502, json: { detail: 'Article proxy invocation failed: Article Service' } }],
    ['no answer', 'abort'],
  ] as const) {
    test.describe('', () => {
      test.use({ tolerated: { patterns: [/Failed to load resource/], reason: 'the first function fails' } });
      test(`is asked when the first gives ${what}`, async ({ page }) => {
        const calls = await respondToFunctions(page, ({ name }) =>
          name === 'proxy' ? first : buildArticlesResponse('Second', 2),
        );
        await page.goto('/blog');
        await search(page).fill('crm');
        await search(page).press('Enter');
        await expect(page.locator('.card-title')).toHaveText(['Second 1', 'Second 2']);
        const path = '/articles/search?q=crm&page=1&limit=12';
        expect(calls).toEqual([
          { name: 'proxy', body: { path, method: 'GET', payload: null } },
          { name: 'cdn-proxy', body: { path, method: 'GET' } },
        ]);
      });
    });
  }
});

test.describe('while it loads and when it fails', () => {
  test.use({
    tolerated: { patterns: [/Failed to load resource/], reason: 'the functions are made to fail' },
  });

  test('six placeholder cards take the place of a list without articles', async ({ page }) => {
    let release = () => {};
    const wait = new Promise<void>((resolve) => {
      release = resolve;
    });
    await respondToFunctions(page, async () => {
      await wait;
      return buildArticlesResponse('Late', 2);
    });
    await page.goto('/blog');
    await search(page).fill('late');
    await search(page).press('Enter');
    await expect(page.locator('[data-skeletons] .card')).toHaveCount(6);
    release();
    await expect(page.locator('.card-title')).toHaveText(['Late 1', 'Late 2']);
    await expect(page.locator('[data-skeletons]')).toHaveCount(0);
  });

  test('after three more attempts it says so; Retry asks for page 1 of the same search', async ({ page }) => {
    let isDown = true;
    const calls = await respondToFunctions(page, () =>
      isDown ? { status: 502, json: {} } : buildArticlesResponse('Back', 1),
    );
    await page.clock.install();
    await page.goto('/blog');
    await search(page).fill('crm');
    await search(page).press('Enter');
    for (const [attempt, delay] of [1_000, 2_000, 4_000].entries()) {
      await expect.poll(() => calls.length).toBeGreaterThanOrEqual((attempt + 1) * 2);
      await page.clock.runFor(delay + 50);
    }
    const alert = page.getByRole('alert').filter({ hasText: LOAD_FAILED });
    await expect(alert).toBeVisible();
    expect(calls).toHaveLength(8);
    isDown = false;
    await alert.getByText('Retry').click();
    await expect(page.locator('.card-title')).toHaveText(['Back 1']);
    expect(calls.at(-1)?.body.path).toBe('/articles/search?q=crm&page=1&limit=12');
  });

  test('a failure of the next page keeps what is there', async ({ page }) => {
    const calls = await respondToFunctions(page, () => ({ status: 502, json: {} }));
    await page.clock.install();
    await page.goto('/blog');
    await more(page).click();
    for (const [attempt, delay] of [1_000, 2_000, 4_000].entries()) {
      await expect.poll(() => calls.length).toBeGreaterThanOrEqual((attempt + 1) * 2);
      await page.clock.runFor(delay + 50);
    }
    await expect(page.getByRole('alert').filter({ hasText: LOAD_FAILED })).toBeVisible();
    await expect(cards(page)).toHaveCount(12);
    await expect(page).toHaveURL(/\/blog$/);
  });
});

test.describe('without a key', () => {
  test.use({ tolerated: { patterns: [/Failed to load resource/], reason: 'the functions have no key' } });

  test('it asks to connect, tests the connection, and lists when it is there', async ({ page }) => {
    let state: 'missing' | 'broken' | 'connected' = 'missing';
    const calls = await respondToFunctions(page, async () => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (state === 'missing') return { status: 503, json: { detail: 'API key not configured' } };
      if (state === 'broken') return { status: 502, json: { detail: 'Article proxy invocation failed: X' } };
      return buildArticlesResponse('Connected', 2);
    });
    await page.goto('/blog');
    await search(page).fill('crm');
    await search(page).press('Enter');
    await expect(page.getByRole('heading', { name: 'Connect to Article Service' })).toBeVisible();
    await expect(page.getByText(LOAD_FAILED)).toHaveCount(0);

    const button = page.locator('#articles form button');
    await expect(button).toHaveText('Connect to Article Service');
    await button.click();
    await expect(button).toHaveText('Testing Connection...');
    await expect(page.getByRole('alert')).toHaveText(
      'Unable to connect to Article Service. Please check your API key configuration in your server environment.',
    );
    expect(calls.at(-1)?.body.path).toBe('/articles?page=1&limit=1');

    state = 'broken';
    await button.click();
    await expect(page.getByRole('alert')).toHaveText('Article proxy invocation failed: X');

    state = 'connected';
    await button.click();
    await expect(page.locator('.card-title')).toHaveText(['Connected 1', 'Connected 2']);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the search is a form', async ({ page }) => {
    await page.goto('/blog');
    await search(page).fill(' webinar ');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/\/blog\?q=\+webinar\+#articles$/);
    await expect(cards(page).first()).toContainText(/webinar/i);
    await expect(search(page)).toHaveValue('webinar');
  });

  test('more articles are a link to the first of them', async ({ page }) => {
    await page.goto('/blog');
    await more(page).click();
    await expect(page).toHaveURL(/\/blog\?page=2#more-2$/);
    await expect(cards(page)).toHaveCount(24);
    await expect(page.locator('#more-2')).toBeInViewport();
  });
});
