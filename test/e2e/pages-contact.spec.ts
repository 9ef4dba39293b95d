import type { SiteEvent } from '../../src/core/events/site-event.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import {
  createNodeSqliteReader,
  DATABASE_FILE,
} from '../../src/stores/sql/node-sqlite/node-sqlite-executor.ts';
import { expect, test } from '../support/browser-test.ts';
import type { Site } from '../support/site.ts';
import { holdFiles, PERSON } from '../support/visit.ts';

const LONGER_THAN_A_PROGRAM = 3_200;
const MESSAGE = 'Which plan for three people?\nWe have 900 contacts. <b>Thanks</b>';

async function readMessages(site: Site): Promise<SiteEvent[]> {
  const reader = new SqlEventStore(
    createNodeSqliteReader(`${site.dataDir}/${DATABASE_FILE}`, () => undefined),
  );
  const events: SiteEvent[] = [];
  for await (const event of reader.read({ names: ['contact_message'] })) events.push(event);
  await reader.close();
  return events;
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({
      javaScriptEnabled,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });

    test('a message is stored, and the page says so', async ({ page, site }) => {
      const name = `Ada ${javaScriptEnabled}`;
      await page.goto('/contact?topic=expert');
      await expect(page.getByLabel('What is it about?')).toHaveValue('expert');
      await page.getByLabel('Your name').fill(name);
      await page.getByLabel('Your email address').fill('ada@example.com');
      await page.getByLabel('Your message').fill(MESSAGE);
      await page.waitForTimeout(LONGER_THAN_A_PROGRAM);
      await page.getByRole('button', { name: 'Send message' }).click();
      await expect(page.getByText('We have your message')).toBeVisible();
      await expect(page.locator('form[data-contact]')).toHaveCount(0);
      const stored = (await readMessages(site)).filter(({ data }) => data['name'] === name);
      expect(stored).toMatchObject([
        {
          label: 'expert',
          page: '/contact',
          flags: [],
          data: { email: 'ada@example.com', message: MESSAGE },
        },
      ]);
      await page.reload();
      expect((await readMessages(site)).filter(({ data }) => data['name'] === name)).toHaveLength(1);
    });

    test.use({
      tolerated: { patterns: [/status of 422/], reason: 'the response to a wrong form has that status' },
    });

    test('an error keeps what was typed and says what to do', async ({ page }) => {
      await page.goto('/contact');
      const form = page.locator('form[data-contact]');
      await page.getByLabel('What is it about?').selectOption('privacy');
      await page.getByLabel('Your name').fill('Ada');
      if (javaScriptEnabled) await expect(page.locator('form[data-contact][novalidate]')).toBeAttached();
      await page.getByLabel('Your email address').fill('ada@example');
      await page.getByLabel('Your message').fill(MESSAGE);
      await page.getByRole('button', { name: 'Send message' }).click();
      await expect(form.getByText('it should look like name@example.com')).toBeVisible();
      await expect(page.getByLabel('Your email address')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('What is it about?')).toHaveValue('privacy');
      await expect(page.getByLabel('Your name')).toHaveValue('Ada');
      await expect(page.getByLabel('Your email address')).toHaveValue('ada@example');
      await expect(page.getByLabel('Your message')).toHaveValue(MESSAGE);
    });
  });
}

test.describe('before the script has loaded', () => {
  test.use({ userAgent: PERSON });

  test('a message that is posted twice, and then sent by the script, is stored once', async ({
    page,
    site,
  }) => {
    const release = await holdFiles(page, '**/_astro/enhance-contact-form*.js');
    const posted: string[] = [];
    await page.route('**/contact', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch({ maxRedirects: 0 });
      posted.push(String(response.status()));
      // The page stays, as while the answer is on its way.
      await route.fulfill({ status: 204 });
    });
    await page.goto('/contact');
    await page.getByLabel('Your name').fill('Ada Twice');
    await page.getByLabel('Your email address').fill('ada@example.com');
    await page.getByLabel('Your message').fill(MESSAGE);
    await page.waitForTimeout(LONGER_THAN_A_PROGRAM);
    const button = page.getByRole('button', { name: 'Send message' });
    await button.click({ noWaitAfter: true });
    await expect.poll(() => posted).toEqual(['303']);
    await button.click({ noWaitAfter: true });
    await expect.poll(() => posted).toEqual(['303', '303']);
    release();
    await expect(page.locator('form[data-contact][novalidate]')).toBeAttached();
    await button.dblclick();
    await expect(page.getByText('We have your message')).toBeVisible();
    const stored = (await readMessages(site)).filter(({ data }) => data['name'] === 'Ada Twice');
    expect(stored).toHaveLength(1);
    await page.reload();
    expect((await readMessages(site)).filter(({ data }) => data['name'] === 'Ada Twice')).toEqual(stored);
  });
});

test('with scripts the first wrong field has the focus and its error as description', async ({ page }) => {
  await page.goto('/contact');
  const name = page.getByLabel('Your name');
  await name.focus();
  await expect(page.locator('form[data-contact][novalidate]')).toBeAttached();
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Enter your name/);
});

test.describe('while the site cannot be reached', () => {
  test.use({ tolerated: { patterns: [/ERR_INTERNET_DISCONNECTED/], reason: 'the test cuts the line' } });

  test('the form says so and keeps everything', async ({ page, context }) => {
    await page.goto('/contact');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your email address').fill('ada@example.com');
    await page.getByLabel('Your message').fill(MESSAGE);
    await expect(page.locator('form[data-contact][novalidate]')).toBeAttached();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByRole('alert')).toContainText('Your text is still here');
    await expect(page.getByLabel('Your message')).toHaveValue(MESSAGE);
    await context.setOffline(false);
  });
});

test('a form from another site is refused', async ({ site }) => {
  const response = await fetch(`${site.url}/contact`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ name: 'x' }),
  });
  expect(response.status).toBe(403);
});

test('what was typed comes back as text, never as markup', async ({ site }) => {
  const response = await fetch(`${site.url}/contact`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({
      name: '"><img src=x onerror=alert(1)>',
      message: '</textarea><script>1</script>',
    }),
  });
  const html = await response.text();
  expect(response.status).toBe(422);
  expect(html).not.toContain('<img src=x');
  expect(html).not.toContain('<script>1');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
});
