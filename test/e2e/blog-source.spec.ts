import { buildArticlesResponse, respondToFunctions } from '../support/article-functions.ts';
import { expect, test } from '../support/browser-test.ts';
import { openConsoleSite } from '../support/console-access.ts';
import { buildServedArticles, respondAsRemote, respondAsWordPress } from '../support/fake-services.ts';
import { findOverflow } from '../support/layout.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream } from '../support/upstream-server.ts';

/** Nothing listens on the discard port of the loopback address. */
const NOWHERE = 'http://127.0.0.1:9';

test.use({
  tolerated: {
    patterns: [/Failed to load resource/, /^Failed to load article:/],
    reason: 'the article service is down or has no key, and the article page logs it, as specified',
  },
});

test.describe('while the article service is down and there are no copies', () => {
  let down: Site;
  test.beforeAll(async () => (down = await startSite({ articleService: { url: NOWHERE, key: 'key' } })));
  test.afterAll(() => down.remove());

  test('the hub says so with Retry, and lists when the service is back', async ({ page }) => {
    await respondToFunctions(page, () => buildArticlesResponse('Back', 2));
    const response = await page.goto(`${down.url}/blog?q=crm`);
    expect(response?.status()).toBe(503);
    expect(response?.headers()['retry-after']).toMatch(/^[1-9]\d?$/);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Failed to load articles. Please try again.');
    await alert.getByRole('link', { name: 'Retry' }).click();
    await expect(page.locator('.card-title')).toHaveText(['Back 1', 'Back 2']);
  });

  test('an article says so with Retry, and logs it', async ({ page }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    const response = await page.goto(`${down.url}/blog/crm-basics`);
    expect(response?.status()).toBe(503);
    await expect(page.getByRole('alert')).toContainText('Failed to load article. Please try again.');
    await page.getByRole('link', { name: 'Retry' }).click();
    await expect(page).toHaveURL(/\/blog\/crm-basics$/);
    expect(logged).toContain('Failed to load article: /blog/crm-basics');
  });

  test('the front page is complete without its newest articles', async ({ page }) => {
    const response = await page.goto(`${down.url}/`);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('Failed to load articles. Please try again.');
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });
    test('Retry asks for the same search again', async ({ page }) => {
      await page.goto(`${down.url}/blog?q=crm+seats&page=2`);
      await page.getByRole('link', { name: 'Retry' }).click();
      await expect(page).toHaveURL(`${down.url}/blog?q=crm+seats`);
    });
  });
});

test('Retry says how long it waits, and shows the article of a service that is back', async ({ page }) => {
  const served = respondAsRemote(() => buildServedArticles(3));
  let isDown = true;
  await using upstream = await startUpstream((url) => (isDown ? { status: 500, json: {} } : served(url)));
  await using site = await startSite({ articleService: { url: upstream.url, key: 'key' } });
  // The wait after the last failure is several seconds by now.
  await expect
    .poll(async () => Number((await fetch(`${site.url}/blog/article-1`)).headers.get('retry-after')), {
      timeout: 30_000,
    })
    .toBeGreaterThanOrEqual(3);
  const response = await page.goto(`${site.url}/blog/article-1`);
  expect(response?.status()).toBe(503);
  await expect(page.getByRole('alert')).toContainText(/The next attempt can work in \d+ s\./);
  isDown = false;
  await page.getByRole('link', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toContainText(/Trying again in \d+ s/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Article number 1', {
    timeout: 40_000,
  });
});

test('deletions of many articles wait until an operator accepts them', async ({ page, context }) => {
  let served = buildServedArticles(20);
  await using upstream = await startUpstream(respondAsWordPress(() => served));
  await using site = await startSite({
    env: { ARTICLE_SOURCE: 'wordpress', ARTICLE_SERVICE_URL: upstream.url },
  });
  const opened = await openConsoleSite(site);
  await opened.signIn(context);
  const readReady = async () => (await fetch(`${site.url}/readyz`)).text();
  const readStatus = async (slug: string) => (await fetch(`${site.url}/blog/${slug}`)).status;
  await expect.poll(() => readStatus('article-19'), { timeout: 30_000 }).toBe(200);
  await expect
    .poll(async () => (await fetch(`${site.url}/sitemap-articles.xml`)).text(), { timeout: 30_000 })
    .toContain('article-0<');
  served = served.slice(0, 8);
  // Copies of a run before are old.
  await site.kill();
  await site.start();
  await expect.poll(readReady, { timeout: 60_000 }).toContain('12 of 20 articles are missing');
  expect(await readStatus('article-19')).toBe(200);
  await page.goto(`${site.url}/console/content`);
  await expect(page.getByText('12 of 20 articles are missing')).toBeVisible();
  await page.getByRole('button', { name: 'Accept the deletions' }).click();
  await expect(page.getByText('The deletions of 12 articles were accepted.')).toBeVisible();
  await expect.poll(() => readStatus('article-19'), { timeout: 30_000 }).toBe(404);
  expect(await readReady()).not.toContain('missing');
  expect(await readStatus('article-1')).toBe(200);
});

test.describe('while the article service has no key', () => {
  let keyless: Site;
  test.beforeAll(async () => {
    keyless = await startSite({
      articleService: { url: NOWHERE },
      contentEdits: { 'site.yaml': (text) => text.replace('name: Article Service', 'name: Story Desk') },
    });
  });
  test.afterAll(() => keyless.remove());

  test('the hub asks to connect, by the name of the service, and then lists', async ({ page }) => {
    await page.goto(`${keyless.url}/blog`);
    await expect(page.getByRole('heading', { name: 'Connect to Story Desk' })).toBeVisible();
    const button = page.getByRole('button', { name: 'Connect to Story Desk' });
    await button.click();
    await expect(page.getByRole('alert')).toHaveText(
      'Unable to connect to Story Desk. Please check your API key configuration in your server environment.',
    );
    await page.route('**/functions/story-desk-proxy', (route) => {
      const reply = buildArticlesResponse('Connected', 1);
      return typeof reply === 'string' ? route.abort() : route.fulfill({ json: reply.json });
    });
    await button.click();
    await expect(page.locator('.card-title')).toHaveText(['Connected 1']);
  });
});

test.describe('articles as others write them', () => {
  const LONG = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrente';
  const article = (title: string, body: string) => () =>
    `---\ntitle: ${title}\nexcerpt: ${LONG.repeat(3)} and more\ncategories: [${LONG}, Automation]\ntags: [${LONG}]\npublishedAt: 2026-01-01\n---\n${body}\n`;

  test('fit at 320 px, with long words, wide tables and no image', async ({ page }) => {
    await using site = await startSite({
      contentEdits: {
        'articles/zz-long.md': article(
          `${LONG} and a title`,
          `## ${LONG}\n\nWords \`${LONG.repeat(2)}\`.\n\n| a | b | c | d | e | f |\n|-|-|-|-|-|-|\n${'| wide cell '.repeat(6)}|\n\n## Second\n\n${LONG}`,
        ),
      },
    });
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of ['/blog/zz-long', `/blog?q=${LONG}`, `/blog/tag/${LONG.toLowerCase()}`]) {
      await page.goto(site.url + path);
      await expect(page.getByText(LONG).filter({ visible: true }).first()).toBeVisible();
      expect.soft(await findOverflow(page), path).toEqual([]);
    }
  });
});
