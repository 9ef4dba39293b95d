import { expect, it, onTestFinished } from 'vitest';
import { openConsoleSite } from '../support/console-access.ts';
import { startSite } from '../support/site.ts';

/** Rows of three batches, each a transaction of its own. */
const ROWS = 2_500;

it('imports a file in batches on workerd, and every row counts once', async () => {
  const site = await startSite({ runtime: 'workers' });
  onTestFinished(() => site.remove());
  const { cookie } = await openConsoleSite(site);
  const read = async (path: string) =>
    (await fetch(`${site.url}/console/${path}`, { headers: { cookie } })).text();
  const post = async (fields: Readonly<Record<string, string | File>>) => {
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(await read('import')) ?? [];
    const body = new FormData();
    for (const [name, value] of Object.entries({ token, ...fields })) body.set(name, value);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${site.url}/console/partners/import`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    });
    return response.headers.get('location') ?? '';
  };
  const rows = Array.from({ length: ROWS }, (_, index) => `c-${index},1.25,approved,2026-01-25`);
  const file = new File([['id,amount,status,date', ...rows].join('\n')], 'report.csv');
  const location = await post({
    action: 'upload',
    partner: 'highlevel',
    currency: 'USD',
    timeZone: 'UTC',
    file,
  });
  const preview = await read(location.replace('/console/', ''));
  expect(preview).toMatch(/data-count="rows">2,500</);
  const upload = new URL(location, site.url).searchParams.get('upload') ?? '';
  await post({ action: 'commit', upload });
  const isImported = async () => (await read('commissions.csv?range=all')).split('\n').length > ROWS;
  await expect.poll(isImported, { timeout: 120_000, interval: 1_000 }).toBe(true);
  const exported = (await read('commissions.csv?range=all')).trim().split('\n').slice(1);
  expect(new Set(exported).size).toBe(ROWS);
  expect(exported).toHaveLength(ROWS);
  // The file is gone, and the same form again imports nothing.
  await post({ action: 'commit', upload });
  expect(await read('import')).toContain('no longer stored here');
});
