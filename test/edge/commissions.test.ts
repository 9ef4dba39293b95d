import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { openConsoleSite, postConsoleForm } from '../support/console-access.ts';
import { sendRaw } from '../support/raw-request.ts';
import { startSite } from '../support/site.ts';
import { startUpstream } from '../support/upstream-server.ts';
import { PERSON } from '../support/visit.ts';

/** Starts the site on workerd with an operator; resolves with what the operator reads and posts in the console. */
async function startConsole(env: Readonly<Record<string, string>> = {}) {
  const site = await startSite({ runtime: 'workers', env });
  onTestFinished(() => site.remove());
  const { cookie } = await openConsoleSite(site);
  const read = async (path: string) =>
    (await fetch(`${site.url}/console/${path}`, { headers: { cookie } })).text();
  const post = async (path: string, fields: Readonly<Record<string, string>>) => {
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(await read(path)) ?? [];
    return postConsoleForm(`${site.url}/console/${path}`, { token, ...fields }, { cookie });
  };
  return { site, read, post };
}

/** Starts the site and creates its postback addresses; resolves with the one of a partner. */
async function startPostbacks() {
  const { site, read, post } = await startConsole();
  expect((await post('import', { action: 'create-postbacks' })).status).toBe(303);
  const [, address = ''] = /class="secret-address">([^<]+)</.exec(await read('import?show=highlevel')) ?? [];
  const report = async (id: string, click: string) => {
    const body = new URLSearchParams({ click, id, status: 'approved', amount: '40.01', currency: 'USD' });
    return (await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(30_000) })).json();
  };
  return { site, read, report };
}

it('stores a postback once and matches it with its click', async () => {
  const { site, read, report } = await startPostbacks();
  const request = ['GET /go/highlevel HTTP/1.1', 'Host: site', `User-Agent: ${PERSON}`, 'Connection: close'];
  const redirect = await sendRaw(site.url, `${request.join('\r\n')}\r\n\r\n`);
  const [, click = ''] = /fp_sid=([\w-]{36})/.exec(redirect) ?? [];
  expect(await report('c-1', click)).toEqual({ stored: 1, duplicates: 0, matched: 1 });
  expect(await report('c-1', click)).toEqual({ stored: 0, duplicates: 1, matched: 1 });
  expect(await read('commissions.csv')).toMatch(/c-1.*40\.01/);
});

it('responds to each of many postbacks that arrive at the same time', async () => {
  const { report } = await startPostbacks();
  const outcomes = await Promise.all(Array.from({ length: 60 }, (_, id) => report(`c-${id}`, randomUUID())));
  expect(outcomes).toEqual(Array(60).fill({ stored: 1, duplicates: 0, matched: 0 }));
});

it("reads a network's API when the Cron Trigger runs", async () => {
  const upstream = await startUpstream(({ pathname }) => ({
    json: pathname.endsWith('/reports/sub_ids')
      ? [
          {
            sub_id: 'newsletter-7',
            sub_data: [{ period: '2026-11-01', data: { promoter_earnings_amount: 4_001 } }],
          },
        ]
      : [],
  }));
  onTestFinished(() => upstream.close());
  const { read } = await startConsole({
    FIRSTPROMOTER_TOKEN: 'token',
    FIRSTPROMOTER_ACCOUNT_ID: 'account',
    FIRSTPROMOTER_URL: upstream.url,
  });
  await expect.poll(() => read('commissions.csv?period=all'), { timeout: 45_000 }).toMatch(/40\.01/);
  expect(upstream.calls[0]).toMatch(/^GET .*\/reports\/sub_ids\?/);
});
