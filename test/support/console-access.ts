import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import type { Site } from './site.ts';

/** The first operator of a test. */
export const OWNER = { name: 'Ada', password: 'correct horse battery staple' };

/** The field in which a posted form has the password again, so that the session is confirmed. */
export const CONFIRMATION = { 'confirm-password': OWNER.password };

/** Gives the password again on the page that asks to confirm, unless the session was confirmed before. */
export async function confirmWithPassword(page: Page): Promise<void> {
  await page.locator('#confirm, .notice').waitFor();
  if ((await page.locator('#confirm').count()) === 0) return;
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}

/** Opens a line of the settings, unless it is open. */
export async function openSetting(page: Page, name: string): Promise<void> {
  const line = page.locator('.setting', { has: page.getByText(name, { exact: true }) }).first();
  if ((await line.getAttribute('open')) === null) await line.locator('summary').first().click();
}

/** The address that the site has printed for the operator, once it is there. */
export async function readConsoleUrl(site: Pick<Site, 'output'>): Promise<string> {
  for (;;) {
    const [, url] = [...site.output().matchAll(/^Console: (\S+)$/gm)].at(-1) ?? [];
    if (url !== undefined) return url;
    await sleep(50);
  }
}

/** Sets a name and a password at a one-time address; resolves with the cookie of the session, `name=value`. */
export async function setUpOperator(url: string, { name, password } = OWNER): Promise<string> {
  const response = await postConsoleForm(url, { name, password });
  const [cookie = ''] = response.headers.getSetCookie();
  if (response.status !== 303) throw new Error(`set-up responded with ${response.status}`);
  return cookie.split(';', 1)[0] ?? '';
}

/** Posts a form as a page of the console would. */
export function postConsoleForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
    redirect: 'manual',
  });
}

/** A site with data, and an operator who is signed in. */
export interface ConsoleSite {
  readonly site: Site;
  /** The cookie of the operator's session, `name=value`. */
  readonly cookie: string;
  signIn(context: BrowserContext): Promise<void>;
}

/** Creates the first operator of a site that has its data. */
export async function openConsoleSite(site: Site): Promise<ConsoleSite> {
  const cookie = await setUpOperator(await readConsoleUrl(site));
  const [name = '', value = ''] = cookie.split('=', 2);
  const session = { name, value, url: site.url, httpOnly: true, sameSite: 'Strict' } as const;
  return { site, cookie, signIn: (context) => context.addCookies([session]) };
}
