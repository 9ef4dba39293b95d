import { expect, test } from '../support/browser-test.ts';
import { FOOTER_PAGES, PAGE_EXPECTATIONS } from '../support/page-expectations.ts';

for (const { path, anchors = [], texts, inOrder = [], calls = [] } of PAGE_EXPECTATIONS) {
  test(`${path} says what the specification says, at its anchors, with its calls to action`, async ({
    page,
  }) => {
    await page.goto(path);
    // Folded sections are part of the page.
    await page.locator('details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    const main = page.locator('body');
    const text = (await main.innerText()).replace(/\s+/g, ' ');
    for (const wanted of [...texts, ...inOrder]) expect.soft(text, wanted).toContain(wanted);
    let at = 0;
    for (const wanted of inOrder) {
      const found = text.indexOf(wanted, at);
      expect.soft(found, `${wanted}, after what precedes it`).toBeGreaterThanOrEqual(0);
      if (found >= 0) at = found;
    }
    for (const id of anchors) {
      await expect.soft(page.locator(`main #${id}`), `#${id}`).toHaveCount(1);
    }
    for (const { address, event } of calls) {
      const link = page.locator(`a[href*="${address}"][data-action="${event}"]`).first();
      await expect.soft(link, `${address} with ${event}`).toHaveAttribute('target', '_blank');
      await expect.soft(link).toHaveAttribute('rel', /sponsored/);
    }
  });

  test(`${path} discloses before its first link to a partner`, async ({ page }) => {
    await page.goto(path);
    const order = await page
      .locator('[data-disclosure], a[href^="/go/"]')
      .evaluateAll((found) => found.map((one) => (one.matches('a') ? 'link' : 'disclosure')));
    expect(order[0]).toBe('disclosure');
  });
}

test('every page that the footer promises is there, and says more than its name', async ({ page }) => {
  for (const path of FOOTER_PAGES) {
    const response = await page.goto(path);
    expect.soft(response?.status(), path).toBe(200);
    const words = (await page.locator('main').innerText()).split(/\s+/).length;
    expect.soft(words, `${path}: words`).toBeGreaterThan(150);
  }
});

for (const [alias, target] of [
  ['/gohighlevel-tutorial', '/gohighlevel-complete-tutorial'],
  ['/expert-review', '/expert-review-gohighlevel-business-systems-consultant'],
  ['/roi-calculator/?crm=5', '/roi-calculator?crm=5'],
] as const) {
  test(`${alias} leads to ${target}`, async ({ site }) => {
    const response = await fetch(site.url + alias, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, target]);
  });
}
