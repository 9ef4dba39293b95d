import { expect, test } from '../support/browser-test.ts';
import { startSite } from '../support/site.ts';

const IMAGE = '{ src: ../images/signpost.svg, alt: A signpost with four signs, focus: 30% 70% }';
const PAGE = `title: A page with images
description: A page that shows one image in its hero and another in a section of its own, with a caption.
sections:
  - { type: hero, title: Look at this, figure: { kind: image, image: ${IMAGE} } }
  - { type: image, title: Closer, image: ${IMAGE}, caption: 'The **same** drawing again.' }
`;

test('an image of the content folder is immutable, compressed and cannot run scripts', async ({ site }) => {
  const html = await (await fetch(`${site.url}/blog/crm-basics`)).text();
  const src = /src="(\/images\/crm-basics\.[0-9a-f]{10}\.svg)"/.exec(html)?.[1];
  const response = await fetch(site.url + src, { headers: { 'accept-encoding': 'br' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
});

test('an image of the content folder has its size in the HTML, loads late below the first screen, and is in feeds and structured data', async ({
  page,
  site,
}) => {
  await page.goto('/blog');
  const images = await page
    .locator('.card-image img')
    .evaluateAll((all) =>
      all.map((img) => ['width', 'height', 'loading', 'fetchpriority'].map((name) => img.getAttribute(name))),
    );
  expect(images.length).toBeGreaterThan(5);
  expect(images[0]).toEqual(['1200', '630', null, 'high']);
  for (const image of images.slice(1)) expect(image).toEqual(['1200', '630', 'lazy', null]);
  const address = new RegExp(`${site.url}/images/[a-z0-9-]+\\.[0-9a-f]{10}\\.svg`);
  expect(await (await fetch(`${site.url}/rss.xml`)).text()).toMatch(address);
  await page.goto('/blog/crm-basics');
  expect(await page.locator('script[type="application/ld+json"]').first().textContent()).toMatch(address);
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
    'content',
    /\/og\/blog\/crm-basics\.[0-9a-f]{10}\.png$/,
  );
});

test('a page shows images in its hero and in a section, and an article in its text', async ({ page }) => {
  await using own = await startSite({
    contentEdits: {
      'pages/with-images.yaml': () => PAGE,
      'articles/crm-basics.md': (text) => `${text}\n\n![The signs of a post](../images/signpost.svg)\n`,
    },
  });
  await page.goto(`${own.url}/with-images`);
  const images = page.getByRole('img', { name: 'A signpost with four signs' });
  await expect(images).toHaveCount(2);
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1200);
    expect(await image.evaluate((img) => getComputedStyle(img).objectPosition)).toBe('30% 70%');
  }
  await expect(images.first()).toHaveAttribute('fetchpriority', 'high');
  await expect(images.last()).toHaveAttribute('loading', 'lazy');
  await expect(page.getByText('The same drawing again.')).toBeVisible();
  await page.goto(`${own.url}/blog/crm-basics`);
  const image = page.locator('.prose').getByRole('img', { name: 'The signs of a post' });
  await expect(image).toHaveAttribute('width', '1200');
  await image.scrollIntoViewIfNeeded();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1200);
  // The images below may still load; without their server they would be logged as errors.
  await page.goto('about:blank');
});
