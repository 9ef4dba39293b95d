import { expect, test } from '../support/browser-test.ts';
import {
  type ConsoleSite,
  confirmWithPassword,
  OWNER,
  openConsoleSite,
  openSetting,
  readConsoleUrl,
  setUpOperator,
} from '../support/console-access.ts';
import { type Site, startSite } from '../support/site.ts';

test.use({
  tolerated: {
    patterns: [/^404: no page at /, /the server responded with a status of (400|401|403|404|422) /],
    reason: 'browsers log the status of every refusal',
  },
});

/** Passkeys belong to a domain: they work at localhost, not at an address. */
const atLocalhost = (url: string) => url.replace('127.0.0.1', 'localhost');

test.describe('a new site', () => {
  let site: Site;
  test.beforeEach(async () => (site = await startSite()));
  test.afterEach(() => site.remove());

  test('the printed address leads to a password, works once, and signs in from then on', async ({ page }) => {
    const setup = await readConsoleUrl(site);
    expect((await page.goto(`${site.url}/console`))?.status()).toBe(404);
    await expect(page.locator('h1')).toHaveText('Oops! Page not found');

    await page.goto(setup);
    await page.getByLabel('Name').fill(OWNER.name);
    await page.getByLabel('Password').fill('Password123!');
    await page.getByRole('button', { name: 'Open the console' }).click();
    await expect(page.getByRole('alert')).toContainText('common one');
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.waitForURL(`${site.url}/console/settings/start`);

    expect((await page.goto(setup))?.status()).toBe(404);
    await page.goto(`${site.url}/console/settings`);
    await expect(page.locator('main')).toContainText(
      `Signed in as ${OWNER.name}. You may: See money, edit content, publish, manage.`,
    );
    await openSetting(page, 'People');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();

    await page.goto(`${site.url}/console/settings`);
    await page.getByLabel('Name').fill(OWNER.name);
    await page.getByLabel('Password').fill('not the password of Ada');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('alert')).toHaveText('The name or the password is wrong.');
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    // The page that was asked for first.
    await page.waitForURL(`${site.url}/console/settings`);
  });

  test('signs in with a passkey that was added in the settings @chromium', async ({ page, context }) => {
    const setup = await readConsoleUrl(site);
    const client = await context.newCDPSession(page);
    await client.send('WebAuthn.enable');
    await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(atLocalhost(setup));
    await page.getByLabel('Name').fill(OWNER.name);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.waitForURL(/\/console\/settings\/start$/);

    await page.goto(atLocalhost(`${site.url}/console/settings`));
    await openSetting(page, 'People');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await confirmWithPassword(page);
    await page.getByLabel('Name of the new passkey').fill('Test device');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.locator('#passkeys tbody')).toContainText('Test device');
    await openSetting(page, 'People');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();

    await page.goto(atLocalhost(`${site.url}/console/settings`));
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(/\/console\/settings$/);
    await expect(page.locator('#passkeys tbody')).not.toContainText('never');

    await openSetting(page, 'People');
    await page.getByText('Remove').first().click();
    await page.getByRole('button', { name: 'Remove Test device' }).click();
    // The session is new: the passkey confirms what was asked for, without the password.
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
    await expect(page.getByRole('status').first()).toContainText('no longer signs in');
    await openSetting(page, 'People');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.goto(atLocalhost(`${site.url}/console/sign-in`));
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('You are not signed in.')).toBeVisible();
  });

  test('works without scripts, except passkeys', async ({ browser }) => {
    const setup = await readConsoleUrl(site);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(setup);
    await page.getByLabel('Name').fill(OWNER.name);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.goto(`${site.url}/console/settings`);
    await openSetting(page, 'People');
    await page.locator('#operators').getByLabel('Name').fill('Bob');
    await page.getByRole('button', { name: 'Add an operator' }).click();
    await page.getByLabel('Password').fill('not the password of Ada');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByRole('alert')).toHaveText('The password is wrong. Nothing was changed.');
    await confirmWithPassword(page);
    const address = await page.locator('.settings-issued input').inputValue();
    expect(address).toContain('/console/setup/');
    await page.goto(`${site.url}/console/settings`);
    expect(await page.locator('.settings-issued input').inputValue()).toBe(address);
    await expect(page.locator('#operators')).toContainText('Join; may: Edit content');

    await setUpOperator(address, { name: 'Bob', password: 'a password that Bob made up' });
    await page.reload();
    await openSetting(page, 'People');
    await page.locator('#operators summary', { hasText: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Bob' }).click();
    await expect(page.getByRole('status')).toContainText('Bob can no longer sign in.');
    await context.close();
  });
});

test.describe('a site with an operator', () => {
  let operator: ConsoleSite;
  test.beforeAll(async () => (operator = await openConsoleSite(await startSite())));
  test.afterAll(() => operator.site.remove());

  test('a page of another site can make a signed-in browser change nothing', async ({ page, context }) => {
    const { site, cookie } = operator;
    await operator.signIn(context);
    const action = `${site.url}/console/settings`;
    // Another port is another origin of the same site: the browser does send the cookie there.
    for (const attacker of ['http://127.0.0.1:9/attack', 'http://evil.example/attack']) {
      await page.route(attacker, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><title>x</title><form method="post" action="${action}">
            <input name="action" value="end-all-sessions"><input name="token" value="guess"></form>
            <form method="post" action="${site.url}/console/sign-out"><input name="token" value="x"></form>`,
        }),
      );
      for (const index of [0, 1]) {
        await page.goto(attacker);
        await Promise.all([
          page.waitForURL(`${site.url}/**`),
          page.evaluate((which) => document.forms[which]?.submit(), index),
        ]);
        await page.waitForLoadState('networkidle');
      }
    }
    const response = await fetch(action, { headers: { cookie } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(`Signed in as <b>${OWNER.name}</b>`);
  });

  test('a link on another site opens the console of a signed-in browser', async ({ page, context }) => {
    const { site } = operator;
    await operator.signIn(context);
    await page.route('http://mail.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Mail</title><a href="${site.url}/console/settings">Open</a>`,
      }),
    );
    await page.goto('http://mail.example/');
    await page.getByText('Open').click();
    await expect(page.locator('main')).toContainText('Signed in as');
    expect(page.url()).toBe(`${site.url}/console/settings`);
  });
});
