import { finishAssessment } from '../support/assessment.ts';
import { expect, test } from '../support/browser-test.ts';
import { startCommand } from '../support/run-command.ts';
import { clickAndArrive, openAndStore, PERSON, waitForDelivery } from '../support/visit.ts';

test.use({ userAgent: PERSON });

test('a commission leads back to click, page, campaign and answers', async ({ page, provider, site }) => {
  await openAndStore(page, '/blog?utm_source=newsletter&utm_medium=email&utm_campaign=november');
  await finishAssessment(page);
  await waitForDelivery(page);
  provider.reset();
  const link = page.locator('main a[href*="/go/highlevel"]').first();
  const { request } = await clickAndArrive(page, provider, link);
  const clickId = request.query.get('fp_sid') ?? '';
  await waitForDelivery(page);

  const run = (...words: string[]) =>
    startCommand('commissions', words, { DATA_DIR: site.dataDir, SITE_URL: site.url });
  const url = (await run('postback-url', 'highlevel')).stdout.trim();
  const report = {
    click: clickId.toUpperCase(),
    id: 'c-1',
    status: 'approved',
    amount: '40.01',
    currency: 'USD',
  };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(report) });
  expect([response.status, await response.json()]).toEqual([200, { stored: 1, duplicates: 0, matched: 1 }]);

  expect(JSON.parse((await run('explain', 'c-1', '--format', 'json')).stdout)).toMatchObject({
    commission: { partner: 'highlevel', id: 'c-1', status: 'approved', amount: 4_001, currency: 'USD' },
    click: { id: clickId, page: '/assessment', source: expect.stringMatching(/./) },
    campaign: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'november' },
    answers: { businessType: 'agency', revenue: '5k-25k', budget: 'budget_low', challenges: 'leads,costs' },
  });
  expect(JSON.parse((await run('report', '--by', 'page', '--format', 'json')).stdout).rows).toEqual([
    expect.objectContaining({ key: '/assessment', clicks: 1, conversions: 1 }),
  ]);
});

test('a visit from an assistant earns under its name', async ({ page, provider, site }) => {
  // The assistant itself cannot be opened: a page of its host with a link to the site.
  await page.route('https://chatgpt.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${site.url}/gohighlevel-free-trial" referrerpolicy="origin">A guide</a>`,
    }),
  );
  await page.goto('https://chatgpt.com/c/1');
  await page.getByRole('link', { name: 'A guide' }).click();
  await waitForDelivery(page);
  provider.reset();
  const link = page.locator('main a[href*="/go/highlevel"]').first();
  const { request } = await clickAndArrive(page, provider, link);
  await waitForDelivery(page);
  // The partner learns nothing of the referrer.
  expect(`${request.query}`).not.toContain('chatgpt');

  const run = (...words: string[]) =>
    startCommand('commissions', words, { DATA_DIR: site.dataDir, SITE_URL: site.url });
  const url = (await run('postback-url', 'highlevel')).stdout.trim();
  const report = {
    click: request.query.get('fp_sid'),
    id: 'c-assistant',
    status: 'approved',
    amount: '70.00',
    currency: 'USD',
  };
  expect((await fetch(url, { method: 'POST', body: JSON.stringify(report) })).status).toBe(200);

  const { rows } = JSON.parse((await run('report', '--by', 'source', '--format', 'json')).stdout);
  expect(rows).toContainEqual(
    expect.objectContaining({
      key: 'AI assistant / ChatGPT',
      clicks: 1,
      conversions: 1,
      currencies: { USD: expect.objectContaining({ approved: 7_000 }) },
    }),
  );
});
