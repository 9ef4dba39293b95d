import { expect, test } from '../support/browser-test.ts';
import { readRoutes, sampleRoutes } from '../support/routes.ts';
import { holdFiles } from '../support/visit.ts';

const ARTICLE_LIST = '**/_astro/article-list*.js';

test('pages have no inline island loader, and no script before the first paint', async ({ site }) => {
  const withIsland: string[] = [];
  for (const route of sampleRoutes(await readRoutes(site.url), site.contentDir)) {
    const html = await (await fetch(site.url + route)).text();
    const scripts = [...html.matchAll(/<script(?![^>]*ld\+json)[^>]*>.*?<\/script>/gs)].map(
      ([script]) => script,
    );
    const deferring = scripts.filter((script) => script.includes('/_astro/island-loader'));
    const hasIsland = html.includes('<astro-island');
    if (hasIsland) withIsland.push(route);
    expect.soft(deferring.length, `${route}: scripts that defer islands`).toBe(hasIsland ? 1 : 0);
    expect.soft(scripts.join(), `${route}: inline loader`).not.toMatch(/customElements|self\.Astro/);
    expect
      .soft(
        scripts.filter((one) => one.includes(' src=')),
        route,
      )
      .toEqual([]);
  }
  expect(withIsland).toContain('/blog');
});

test('a link that is clicked before its island has loaded is handled by the island', async ({ page }) => {
  const release = await holdFiles(page, ARTICLE_LIST);
  await page.goto('/blog');
  await page.getByText('Load More Articles').click();
  expect(new URL(page.url()).search).toBe('');
  release();
  await expect(page.locator('#articles article')).toHaveCount(24);
  await expect(page).toHaveURL(/\/blog\?page=2$/);
});

test('a form that is submitted before its island has loaded is handled by the island', async ({ page }) => {
  const release = await holdFiles(page, ARTICLE_LIST);
  await page.goto('/blog');
  await page.getByPlaceholder('Search articles...').fill('webinar');
  await page.getByPlaceholder('Search articles...').press('Enter');
  release();
  await expect(page).toHaveURL(/\/blog\?q=webinar$/);
});

test.describe('when the island cannot load', () => {
  test.use({
    tolerated: {
      patterns: [/Failed to load resource/, /Error hydrating/],
      reason: 'the files of the island are blocked',
    },
  });

  for (const file of ['article-list', 'island-loader']) {
    test(`the browser follows the link without ${file}`, async ({ page }) => {
      await page.route(`**/_astro/${file}*.js*`, (route) => route.abort());
      await page.goto('/blog');
      await page.getByText('Load More Articles').click();
      await expect(page).toHaveURL(/\/blog\?page=2#more-2$/);
    });

    test(`the browser submits the form without ${file}`, async ({ page }) => {
      await page.route(`**/_astro/${file}*.js*`, (route) => route.abort());
      await page.goto('/blog');
      await page.getByPlaceholder('Search articles...').fill('webinar');
      await page.getByPlaceholder('Search articles...').press('Enter');
      await expect(page).toHaveURL(/\/blog\?q=webinar#articles$/);
    });
  }
});
