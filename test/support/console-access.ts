import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import type { Site } from './site.ts';

/** The first operator of a test. */
export const OWNER = { name: 'Ada', password: 'correct horse battery staple' };

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

/** Creates the first operator of a site and signs a browser in. */
export async function signInFirstOperator(context: BrowserContext, site: Site): Promise<void> {
  const [name = '', value = ''] = (await setUpOperator(await readConsoleUrl(site))).split('=', 2);
  await context.addCookies([{ name, value, url: site.url, httpOnly: true, sameSite: 'Strict' }]);
}
