import { readFileSync } from 'node:fs';
import { expect, NOT_FOUND, test } from '../support/browser-test.ts';
import { evaluateSettled } from '../support/visit.ts';

const SLUG = 'per-seat-pricing-agency-of-nine';
const PATH = `/blog/${SLUG}`;

test.describe('an article', () => {
  test('has everything that belongs to it', async ({ page }) => {
    await page.goto(PATH);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'What per-seat pricing really costs an agency of nine',
    );
    await expect(page.getByRole('link', { name: 'Back to Blog' })).toHaveAttribute('href', '/');
    const header = page.locator('article > header');
    await expect(header.locator('li')).toHaveText(['CRM Strategy', 'Pricing', 'Agencies']);
    await expect(header.locator('h1 + p')).not.toBeEmpty();
    await expect(header).toContainText('Editorial desk');
    await expect(header.locator('time').first()).toHaveText('November 21, 2026');
    await expect(header).toContainText(/\d+ min read/);
    await expect(header.locator('img')).toHaveAttribute('alt', /columns/);
    await expect(page.getByRole('list', { name: 'Tags' }).locator('li')).toHaveText([
      '#per-seat pricing',
      '#agencies',
      '#cost',
      '#crm',
    ]);
    await expect(page.locator('.prose h2').first()).toBeVisible();
  });

  test('says what it is to search engines and readers of links', async ({ page, site }) => {
    await page.goto(PATH);
    await expect(page).toHaveTitle('Per-seat CRM pricing for an agency of nine');
    const content = (selector: string) => page.locator(selector).getAttribute('content');
    expect(await content('meta[name="description"]')).toMatch(/^What seats cost a nine-person agency/);
    expect(await content('meta[property="og:type"]')).toBe('article');
    expect(await content('meta[property="article:published_time"]')).toBe('2026-11-21T00:00:00.000Z');
    expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(site.url + PATH);
  });

  test('leads to its parts from the table of contents', async ({ page }) => {
    await page.goto(PATH);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'Four costs that no invoice names' }).click();
    const heading = page.getByRole('heading', { name: 'Four costs that no invoice names' });
    await expect(heading).toBeInViewport();
    await expect(contents).toBeInViewport();
    const header = await page.locator('header[data-site]').boundingBox();
    await expect
      .poll(async () => (await heading.boundingBox())?.y ?? 0)
      .toBeGreaterThanOrEqual(header?.height ?? 0);
  });

  test('has its contents folded on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(PATH);
    const first = page.locator('.article-contents li a').first();
    await expect(first).toBeHidden();
    await page.getByText('On this page', { exact: true }).click();
    await expect(first).toBeVisible();
  });

  test('discloses before the first link that earns', async ({ page }) => {
    for (const slug of [SLUG, 'kit-for-course-creators', 'gohighlevel-limits']) {
      await page.goto(`/blog/${slug}`);
      const order = await page.evaluate(() => {
        const disclosure = document.querySelector('[data-disclosure]');
        const links = [...document.querySelectorAll('a[href^="/go/"]')];
        return links.map(
          (link) =>
            disclosure !== null &&
            (disclosure.compareDocumentPosition(link) & 4) > 0 &&
            link.matches('[rel~="sponsored"][target="_blank"]'),
        );
      });
      expect(order.length, slug).toBeGreaterThan(0);
      expect(order, slug).not.toContain(false);
    }
  });

  test('has one quiet call to action in its flow, to the partner that it is about', async ({ page }) => {
    for (const [slug, partner, label] of [
      [SLUG, 'highlevel', 'Start Free Trial'],
      ['kit-for-course-creators', 'kit', 'See Kit prices'],
    ] as const) {
      await page.goto(`/blog/${slug}`);
      const link = page.locator('aside[aria-labelledby="offer"]').getByRole('link', { name: label });
      await expect(link).toHaveAttribute(
        'href',
        new RegExp(`^/go/${partner}\\?page=(trial|pricing)&source=article&position=body$`),
      );
      const around = await page.evaluate(() => {
        const offer = document.querySelector('aside[aria-labelledby="offer"]');
        return [offer?.previousElementSibling?.className, offer?.nextElementSibling?.className];
      });
      expect(around, slug).toEqual(['prose prose-long article-body', 'prose prose-long article-body']);
    }
  });

  test('leads on: previous and next of its topic, three related ones', async ({ page }) => {
    await page.goto('/blog/pipeline-stages-small-agency');
    const adjacent = page.getByRole('navigation', { name: /^More about/ });
    await expect(adjacent.getByRole('link')).toHaveCount(2);
    await expect(page.locator('section[aria-labelledby="related"] .card')).toHaveCount(3);
    const next = adjacent.locator('[rel="next"]');
    const title = await next.locator('strong').textContent();
    await next.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
    await expect(adjacent.locator('[rel="prev"] strong')).toHaveText(/pipeline/i);
  });

  test('loads no framework', async ({ page }) => {
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto(PATH, { waitUntil: 'networkidle' });
    expect(scripts.filter((url) => /client|react|article-list/.test(url))).toEqual([]);
    expect(await page.locator('astro-island').count()).toBe(0);
  });
});

test.describe('Share', () => {
  test('copies the address where there is no share sheet, and says so', async ({ page, context, site }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
    await page.goto(`${PATH}?utm_source=newsletter#s-four-costs-that-no-invoice-names`);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.locator('article > header [role="status"]')).toHaveText('Link copied');
    expect(await evaluateSettled(page, () => navigator.clipboard.readText())).toBe(site.url + PATH);
  });

  for (const [outcome, said] of [
    ['resolves', ''],
    ['AbortError', ''],
    ['NotAllowedError', 'Link copied'],
  ] as const) {
    test(`opens the share sheet; if that ${outcome}, says ${said || 'nothing'}`, async ({
      page,
      context,
      site,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.addInitScript((name) => {
        const shared: unknown[] = [];
        Object.assign(globalThis, { shared });
        Navigator.prototype.share = async (data) => {
          shared.push(data);
          if (name !== 'resolves') throw new DOMException('no', name);
        };
      }, outcome);
      await page.goto(PATH);
      await page.getByRole('button', { name: 'Share' }).click();
      const readShared = () => page.evaluate(() => (globalThis as unknown as { shared: unknown[] }).shared);
      await expect
        .poll(readShared)
        .toEqual([{ title: 'Per-seat CRM pricing for an agency of nine', url: site.url + PATH }]);
      await expect(page.locator('article > header [role="status"]')).toHaveText(said);
    });
  }

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });
    test('is not offered', async ({ page }) => {
      await page.goto(PATH);
      await expect(page.locator('[data-share]:visible')).toHaveCount(0);
    });
  });
});

test.describe('an article that does not exist', () => {
  test.use({ tolerated: NOT_FOUND });

  for (const path of ['/blog/no-such-article', '/blog/UPPER', `/blog/${'x'.repeat(130)}`]) {
    test(`${path.slice(0, 40)} responds 404 with the way back`, async ({ page }) => {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Article Not Found');
      await expect(page.getByText("The article you're looking for doesn't exist.")).toBeVisible();
      await expect(page.getByRole('link', { name: 'Back to Blog' })).toHaveAttribute('href', '/');
      await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
    });
  }
});

test.describe('topics and tags', () => {
  test('an article leads to its topic, the topic to its articles', async ({ page }) => {
    await page.goto(PATH);
    await page.locator('article > header').getByRole('link', { name: 'CRM Strategy' }).click();
    await expect(page).toHaveURL(/\/blog\/topic\/crm-strategy$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('CRM Strategy');
    for (const card of await page.locator('.card').all()) await expect(card).toContainText('CRM Strategy');
    await expect(page.getByRole('navigation', { name: 'Topics' }).locator('[aria-current]')).toHaveText(
      'CRM Strategy',
    );
  });

  test('a tag lists its articles and is excluded from search engines', async ({ page }) => {
    await page.goto(PATH);
    await page.getByRole('link', { name: '#per-seat pricing' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('#per-seat pricing');
    await expect(page.locator('.card-title').first()).toContainText('per-seat');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  });

  test.describe('that do not exist', () => {
    test.use({ tolerated: NOT_FOUND });
    for (const path of ['/blog/topic/none', '/blog/tag/none', '/blog/topic/automation?page=9']) {
      test(`${path} responds 404`, async ({ page }) => {
        const response = await page.goto(path);
        expect(response?.status()).toBe(404);
        await expect(page.getByRole('link', { name: 'Show all articles' })).toBeVisible();
      });
    }
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('every article that has an offer has its pick within 900 px, after the disclosure', async ({
    page,
    request,
  }) => {
    test.slow();
    const sitemap = await (await request.get('/sitemap-articles.xml')).text();
    const addresses = [...sitemap.matchAll(/https?:\/\/[^<]+(\/blog\/[a-z0-9-]+)</g)];
    const articles = addresses.map(([, path = '']) => path);
    expect(articles.length).toBeGreaterThan(20);
    for (const path of articles) {
      const file = readFileSync(`content/articles/${path.replace('/blog/', '')}.md`, 'utf8');
      await page.goto(path);
      if (/^partner: none$/m.test(file)) {
        await expect(page.locator('a[href*="position=short"]')).toHaveCount(0);
        continue;
      }
      const first = page.locator('a[href*="/go/"]').first();
      expect(await first.getAttribute('href'), path).toContain('position=short');
      const top = await first.evaluate((link) => link.getBoundingClientRect().top);
      expect(top, path).toBeLessThanOrEqual(900);
      const isDisclosed = await first.evaluate((link) => {
        const words = document.querySelector('[data-disclosure]');
        return words !== null && (words.compareDocumentPosition(link) & 4) !== 0;
      });
      expect(isDisclosed, path).toBe(true);
    }
  });

  test('the header has the button of the pick while the pick is above the screen, and nothing moves', async ({
    page,
  }) => {
    await page.goto(PATH);
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.push(Reflect.get(entry, 'value'));
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const late = page.locator('header a[href*="position=header"]');
    await expect(late).toBeHidden();
    await page.mouse.wheel(0, 2_000);
    await expect(late).toBeVisible();
    await expect(late).toHaveAttribute('rel', 'sponsored noopener');
    await page.mouse.wheel(0, -2_000);
    await expect(late).toBeHidden();
    // A jump from above the summary to below it is a scroll as well.
    await page.setViewportSize({ width: 390, height: 300 });
    await page.mouse.wheel(0, 2_000);
    await expect(late).toBeVisible();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'seen'))).toEqual([]);
  });
});
