import { expect, test } from '../support/browser-test.ts';
import { startSite } from '../support/site.ts';

const ID = 'abcdefghijk';

test('a video loads nothing before it is played, then plays without cookies', async ({ page }) => {
  const site = await startSite({
    contentEdits: {
      'pages/free-trial-demo.yaml': (text) =>
        text.replace('kind: video', `kind: video\n      youtube: ${ID}`),
    },
  });
  const outside: string[] = [];
  await page.route(/youtube|ytimg|google/, (route) => {
    outside.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<title>player</title>' });
  });
  await page.goto(`${site.url}/free-trial-demo`);
  const poster = page.getByRole('link', { name: /Play the video/ });
  await expect(poster).toHaveAttribute('href', `https://www.youtube.com/watch?v=${ID}`);
  expect(outside).toEqual([]);
  const before = await page.locator('[data-video]').boundingBox();
  await poster.click();
  const player = page.locator('figure iframe');
  await expect(player).toHaveAttribute(
    'src',
    new RegExp(`^https://www\\.youtube-nocookie\\.com/embed/${ID}`),
  );
  await expect(player).toHaveAttribute('title', 'Inside the account');
  await expect.poll(() => outside.length).toBeGreaterThan(0);
  expect(await page.locator('figure > :has(iframe)').boundingBox()).toEqual(before);
  await site.remove();
});

test('a page without a video shows its chapters as text', async ({ page }) => {
  await page.goto('/free-trial-demo');
  await expect(page.locator('a[data-video]')).toHaveCount(0);
  await expect(page.locator('figure ol > li')).toHaveCount(6);
});
