import { formatMoney } from '../../src/console/reports/format.ts';
import { expect, test } from '../support/browser-test.ts';
import { buildClickVisit, startWorkSite, type WorkSite } from '../support/console-work-site.ts';
import { buildSampleEvent } from '../support/sample-events.ts';

let work: WorkSite;
const open = (path: string) => `${work.site.url}/console/${path}`;

test.beforeAll(async () => {
  const now = Date.now();
  const message = { topic: 'general', name: 'Grace', email: 'grace@example.com', message: 'Is it right?' };
  work = await startWorkSite(
    [buildClickVisit(30), buildClickVisit(20), buildClickVisit(1)],
    ([first, second]) => [
      { nativeId: 'c-1', eventTime: now, status: 'approved', amount: 4_000, token: first?.id ?? '' },
      { nativeId: 'c-2', eventTime: now, status: 'pending', amount: 2_500, token: second?.id ?? '' },
      { nativeId: 'c-3', eventTime: now, amount: 900 },
      { nativeId: 'c-4', eventTime: now, amount: 700, token: 'no-click-of-ours' },
      { nativeId: 'c-5', eventTime: now, amount: 300, currency: 'EUR' },
    ],
    [buildSampleEvent({ name: 'contact_message', page: '/contact', data: message, serverTime: Date.now() })],
  );
});
test.afterAll(() => work.site.remove());
test.beforeEach(({ context }) => work.signIn(context));

test('a message is answered at the address that it shows on request', async ({ page }) => {
  await page.goto(open('messages'));
  await expect(page.locator('main')).not.toContainText('grace@example.com');
  await page.getByRole('link', { name: /show the email address/ }).click();
  await expect(page.getByRole('link', { name: 'grace@example.com' })).toBeVisible();
  await page.getByRole('button', { name: /^Answered/ }).click();
  await expect(page.getByRole('status')).toHaveText('The message is marked as answered.');
});

test('unmatched commissions are matched, dismissed and taken back by keyboard alone', async ({ page }) => {
  await page.goto(open('unmatched'));
  const items = page.locator('[data-work-item]');
  await expect(items).toHaveCount(3);
  const id = await items.nth(1).locator('.commission-link').textContent();
  await items.nth(1).getByRole('textbox').focus();
  await page.keyboard.type(work.clicks[2]?.id ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(`${id} was matched with its click.`);
  await expect(items).toHaveCount(2);
  await expect(items.nth(1)).toBeFocused();
  // No letter decides.
  for (const letter of 'jkixu') await page.keyboard.press(letter);
  await expect(items.nth(1)).toBeFocused();
  await page.getByRole('button', { name: `Undo the decision about ${id}` }).press('Enter');
  await expect(page.getByRole('status')).toHaveText(`The decision about ${id} was undone.`);
  await expect(items).toHaveCount(3);
  await page.waitForLoadState();
  await items
    .last()
    .getByRole('button', { name: /^Dismiss/ })
    .press('Enter');
  await expect(page.getByRole('status')).toContainText('was dismissed');
  await expect(items.last()).toBeFocused();
  await page.getByRole('button', { name: /^Undo the decision/ }).press('Enter');
  await expect(items).toHaveCount(3);
});

test('a file is previewed, imported and taken back', async ({ page }) => {
  await page.goto(open('partners/import'));
  await page.getByText('Import a report as a file').click();
  const content = `id,sub id,amount,status,date\n7001,${work.clicks[2]?.id},12.50,approved,2026-01-25\n7002,,3.00,pending,2026-01-26\n`;
  await page
    .getByLabel('File, at most')
    .setInputFiles({ name: 'report.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await page.getByRole('combobox', { name: 'Partner' }).selectOption('highlevel');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByLabel('Time zone').selectOption('UTC');
  await page.getByRole('button', { name: 'Read it so' }).click();
  await expect(page.locator('[data-count="rows"]')).toHaveText('2');
  await expect(page.locator('[data-count="matched"]')).toHaveText('1');
  await expect(page.locator('main')).toContainText(formatMoney(1_550, 'USD'));
  await expect(page.getByRole('table', { name: 'Imported files' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await expect(page.getByRole('status')).toContainText('report.csv was imported: 2 rows, 1 matched.');
  await page.getByRole('button', { name: 'Undo the import of report.csv' }).click();
  await expect(page.getByRole('status')).toContainText('The import was undone.');
  await page.getByRole('button', { name: 'Create them' }).click();
  await page.getByRole('button', { name: /Send a test message to the address of GoHighLevel/ }).click();
  await expect(page.getByRole('status')).toContainText('stored a test message');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('unmatched commissions are matched, dismissed and taken back', async ({ page }) => {
    await page.goto(open('unmatched'));
    const item = page.locator('[data-work-item]').filter({ hasText: 'c-3' });
    await item.getByLabel('Number of the click for c-3').fill('unknown');
    await item.getByRole('button', { name: 'Match' }).click();
    await expect(page.getByRole('alert')).toContainText('No stored click has this id');
    await item.getByLabel('Number of the click for c-3').fill(work.clicks[2]?.id ?? '');
    await item.getByRole('button', { name: 'Match' }).click();
    await expect(page.getByRole('status')).toHaveText('c-3 was matched with its click.');
    await page.getByRole('button', { name: 'Undo the decision about c-3' }).click();
    await item.getByRole('button', { name: 'Dismiss c-3' }).click();
    await expect(page.getByRole('status')).toContainText('c-3 was dismissed');
    await page.getByRole('button', { name: 'Undo the decision about c-3' }).click();
    await expect(item).toBeVisible();
  });
});

test('a task is snoozed and taken back by keyboard without scripts', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await work.signIn(context);
  const page = await context.newPage();
  await page.goto(`${work.site.url}/console?range=91d`);
  const tasks = page.locator('#tasks');
  const task = tasks.getByRole('listitem').filter({ hasText: 'claims have no fresh source' });
  await task.getByText('Snooze').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(task.getByRole('button', { name: '1 day' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${work.site.url}/console?range=91d`);
  await expect(page.getByRole('status')).toHaveText(/^Snoozed until .+: \d+ claims have no fresh source\.$/);
  await expect(task.filter({ visible: true })).toHaveCount(0);
  await tasks.getByText('1 snoozed').focus();
  await page.keyboard.press('Enter');
  await expect(task).toContainText('or when it gets worse');
  await task.getByRole('button', { name: 'Show it again' }).press('Enter');
  await expect(page.getByRole('status')).toHaveText('The task is in the list again.');
  await task.getByRole('link').click();
  await expect(page).toHaveURL(open('content?state=to-do'));
  await context.close();
});
