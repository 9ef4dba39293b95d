// A network's page with its secrets, and a network that is made of a message which could not be read.
import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { findAxeViolationsUnfolded, findViolationsInBothSchemes } from '../support/accessibility.ts';
import { ASKS_TO_CONFIRM, expect, test } from '../support/browser-test.ts';
import { type ConsoleSite, confirmWithPassword, openConsoleSite } from '../support/console-access.ts';
import { findOverflow } from '../support/layout.ts';
import { startSite } from '../support/site.ts';

const NAME = 'REWARDFUL_WEBHOOK_SECRET';
const SECRET = 'typed-in-text';

let opened: ConsoleSite;
const open = (rest: string) => `${opened.site.url}/console/partners${rest}`;

test.use({ tolerated: ASKS_TO_CONFIRM });
test.beforeAll(async () => {
  const toRewardful = (text: string) => text.replace(/^network: .*$/m, 'network: rewardful');
  const site = await startSite({ contentEdits: { 'partners/kit.yaml': toRewardful } });
  opened = await openConsoleSite(site);
});
test.afterAll(() => opened.site.remove());
test.beforeEach(({ context }) => opened.signIn(context));

/** The address of a partner's postbacks, which is created once. */
async function readAddress(page: Page, partner: string): Promise<string> {
  await page.goto(open('/import'));
  const create = page.getByRole('button', { name: 'Create them' });
  if ((await create.count()) > 0) await create.click();
  await page.goto(open(`/import?show=${partner}`));
  const line = await page.locator('.secret-address').first().inputValue();
  return line.split('?')[0] ?? '';
}

async function expectGoodPage(page: Page): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findOverflow(page)).toEqual([]);
  }
  expect(await findAxeViolationsUnfolded(page)).toEqual([]);
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
}

test('the secret of a webhook is typed in after the password, never shown, and renewed with an overlap', async ({
  page,
}) => {
  const address = await readAddress(page, 'kit');
  let sent = 0;
  const send = async (key: string) => {
    sent += 1;
    const object = { id: `c-${sent}`, amount: 100, currency: 'USD' };
    const body = JSON.stringify({ event: { type: 'commission.created', id: `e-${sent}` }, object });
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-rewardful-signature': signature };
    return (await fetch(address, { method: 'POST', headers, body })).status;
  };
  await page.goto(open('/networks'));
  await page.getByRole('link', { name: 'Rewardful' }).click();
  await expect(page.getByLabel(`Text of ${NAME}`, { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Change secrets' }).click();
  await confirmWithPassword(page);
  const field = page.getByLabel(`Text of ${NAME}`, { exact: true });
  await expect(field).toHaveAttribute('type', 'password');
  await field.fill(SECRET);
  await field.press('Enter');
  await expect(page.getByRole('status')).toContainText(`${NAME} was stored`);
  expect([await send(SECRET), await send('another')]).toEqual([200, 401]);
  await page.getByLabel(`Text of ${NAME}`, { exact: true }).fill('another');
  await page.getByRole('combobox', { name: 'Accept the former' }).first().selectOption('30');
  await page.getByRole('button', { name: `Store ${NAME}`, exact: true }).click();
  await expect(page.getByText(/The former one is accepted until .*, last used/)).toBeVisible();
  expect([await send('another'), await send(SECRET), await send('third')]).toEqual([200, 200, 401]);
  await page.reload();
  await expect(page.getByRole('row', { name: /^c-\d/ })).toHaveCount(3);
  await expectGoodPage(page);
  const file = path.join(opened.site.dataDir, 'network-secrets.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain(SECRET);
  const ready = await (await fetch(`${opened.site.url}/readyz?all`)).text();
  for (const text of [await page.content(), opened.site.output(), ready]) expect(text).not.toContain(SECRET);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a message that cannot be read becomes a network, by which it is read', async ({ page }) => {
    const address = await readAddress(page, 'highlevel');
    const query = 'ref_no=R-1&visitor_tag=abc&earned=12.50&basket=80.00&money=EUR&verdict=granted';
    expect((await fetch(`${address}?${query}`)).status).toBe(400);
    await page.goto(open('/import'));
    await page.getByRole('link', { name: 'Make a network of this' }).click();
    await page.getByLabel('Name of the file').fill('odd');
    const choose = (field: string, meaning: string) =>
      page.getByLabel(new RegExp(`^${field}:`)).selectOption({ label: meaning });
    await choose('ref_no', 'Id of the commission');
    await choose('visitor_tag', 'Sub-id (the click)');
    await choose('earned', 'Commission');
    await choose('basket', 'Sale');
    await choose('money', 'Currency');
    await choose('verdict', 'Status');
    await page.getByRole('button', { name: 'Show what they become' }).click();
    await page.getByLabel('Status “granted” means').selectOption('approved');
    await page.getByRole('button', { name: 'Show what they become' }).click();
    await expect(page.getByRole('row', { name: /R-1.*€12\.50.*approved/ })).toBeVisible();
    await page.getByRole('button', { name: 'Write networks/odd.yaml' }).click();
    await expect(page.getByRole('status')).toContainText('Created content/networks/odd.yaml');
    await page.getByRole('button', { name: 'Read again as they are' }).click();
    await expect(page.getByRole('status')).toContainText('1 message read');
    await page.goto(open('/networks/odd'));
    await expect(page.getByRole('row', { name: /^R-1/ })).toContainText('€12.50');
    expect((await fetch(`${address}?${query.replace('R-1', 'R-2')}`)).status).toBe(200);
  });
});

test('the form of a new network and the list of networks hold in each width and scheme', async ({ page }) => {
  const address = await readAddress(page, 'hubspot');
  expect((await fetch(`${address}?ref_no=R-1&earned=12.50&money=EUR&verdict=granted&tag=x`)).status).toBe(
    400,
  );
  await page.goto(open('/import'));
  await page.getByRole('link', { name: 'Make a network of this' }).last().click();
  await expectGoodPage(page);
  await page.goto(open('/networks'));
  await expectGoodPage(page);
});
