import type { Page } from '@playwright/test';
import { ASKS_TO_CONFIRM } from '../support/browser-test.ts';
import {
  CONFIRMATION,
  confirmWithPassword,
  openSetting,
  postConsoleForm,
} from '../support/console-access.ts';
import { expect, seeded, site, test } from '../support/console-test.ts';

test.use({ tolerated: ASKS_TO_CONFIRM });

/** Creates a share link from a view, as an operator who manages does; resolves with its address. */
async function share(page: Page, view: string): Promise<string> {
  await page.goto(`${site.url}/console/${view}`);
  await page.locator('main .share-link').getByRole('link', { name: 'Share this view' }).click();
  // What was chosen in other views stays chosen, and is part of the address.
  expect(await page.getByLabel('Address of the view').inputValue()).toContain(`/console/${view}`);
  await page.getByRole('button', { name: 'Create a share link' }).click();
  await confirmWithPassword(page);
  return page.locator('.settings-issued input').inputValue();
}

test('a share link shows its view and nothing else, until it is revoked', async ({ page, browser }) => {
  const address = await share(page, 'pages?range=3mo&page=%2Froi-calculator');
  const guests = await browser.newContext();
  const guest = await guests.newPage();
  const readTitle = async (url: string) => {
    const response = await guest.goto(url);
    return [response?.status(), await guest.getByRole('heading', { level: 1 }).textContent()];
  };
  const title = 'CRM ROI calculator: your tools vs. one platform earned $392 so far.';
  expect(await readTitle(address)).toEqual([200, title]);
  await expect(guest.locator('main')).toContainText('/roi-calculator');
  await expect(guest.locator('main')).not.toContainText('/case-studies');
  await expect(guest.locator('.share-link, .bar, .rail a, form')).toHaveCount(0);

  // Its parameters are fixed, and no other view opens with it.
  await guest.goto(`${address}?page=%2Fcase-studies`);
  await expect(guest.locator('main')).not.toContainText('/case-studies');
  expect((await readTitle(`${address}/campaigns`))[0]).toBe(404);
  await guest.goto(`${site.url}/console/commissions`);
  await expect(guest).toHaveURL(/\/console\/sign-in/);

  await openSetting(page, 'People');
  await page.locator('#share summary').first().click();
  await page.getByRole('button', { name: 'Revoke the link' }).click();
  await expect(page.getByRole('status')).toHaveText('The share link shows nothing any more.');
  expect(await readTitle(address)).toEqual([404, 'This link shows nothing']);
  await guests.close();
});

test('views that can be shared show and export no row of money or visits', async ({ browser }) => {
  const settings = `${site.url}/console/settings`;
  const read = async () => (await fetch(settings, { headers: { cookie: seeded.cookie } })).text();
  const token = /name="token" value="([^"]+)"/.exec(await read())?.[1] ?? '';
  const guests = await browser.newContext();
  const guest = await guests.newPage();
  for (const view of ['', '/pages', '/pages?page=%2Fassessment', '/sources', '/campaigns', '/partners']) {
    const fields = {
      action: 'share',
      address: `/console${view}`,
      label: '',
      days: '1',
      token,
      ...CONFIRMATION,
    };
    await postConsoleForm(settings, fields, { cookie: seeded.cookie });
    const [, url = ''] = /value="(http[^"]*\/console\/share\/[\w-]{43})"/.exec(await read()) ?? [];
    expect.soft((await guest.goto(url))?.status(), view).toBe(200);
    const links = await guest
      .locator('a[href]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    const own = new URL(url).pathname;
    expect
      .soft(
        links.filter((href) => href?.startsWith('/console') && !href.startsWith(own)),
        view,
      )
      .toEqual([]);
    await expect.soft(guest.locator('form'), view).toHaveCount(0);
    const texts = `${await guest.content()}${await (await fetch(`${url}.csv`)).text()}`;
    expect.soft(/\bc-\d+\b|session-\d+/.exec(texts)?.[0], view).toBeUndefined();
  }
  await guests.close();
});
