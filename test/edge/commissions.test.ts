import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConsoleSite, postConsoleForm } from '../support/console-access.ts';
import { sendRaw } from '../support/raw-request.ts';
import { type Site, startSite } from '../support/site.ts';
import { startUpstream, type Upstream } from '../support/upstream-server.ts';
import { PERSON } from '../support/visit.ts';

const EARNED = [{ period: '2026-11-01', data: { promoter_earnings_amount: 4_002 } }];

let site: Site;
let network: Upstream;
let cookie: string;
/** The postback address of a partner. */
let address: string;

const read = async (path: string) =>
  (await fetch(`${site.url}/console/${path}`, { headers: { cookie } })).text();

const report = async (id: string, click: string) => {
  const body = new URLSearchParams({ click, id, status: 'approved', amount: '40.01', currency: 'USD' });
  return (await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(30_000) })).json();
};

beforeAll(async () => {
  network = await startUpstream(({ pathname }) => ({
    json: pathname.endsWith('/reports/sub_ids') ? [{ sub_id: 'newsletter-7', sub_data: EARNED }] : [],
  }));
  const env = {
    FIRSTPROMOTER_TOKEN: 'token',
    FIRSTPROMOTER_ACCOUNT_ID: 'account',
    TEST_HOSTS: `api.firstpromoter.com=${network.url}`,
  };
  site = await startSite({ runtime: 'workers', env });
  ({ cookie } = await openConsoleSite(site));
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await read('partners/import')) ?? [];
  const fields = { token, action: 'create-postbacks' };
  expect((await postConsoleForm(`${site.url}/console/partners/import`, fields, { cookie })).status).toBe(303);
  [, address = ''] =
    /class="secret-address"[^>]*>([^<?]+)/.exec(await read('partners/import?show=highlevel')) ?? [];
});
afterAll(async () => {
  await site.remove();
  await network.close();
});

it('stores a postback once and matches it with its click', async () => {
  const request = ['GET /go/highlevel HTTP/1.1', 'Host: site', `User-Agent: ${PERSON}`, 'Connection: close'];
  const redirect = await sendRaw(site.url, `${request.join('\r\n')}\r\n\r\n`);
  const [, click = ''] = /fp_sid=([\w-]{36})/.exec(redirect) ?? [];
  const id = randomUUID();
  expect(await report(id, click)).toEqual({ stored: 1, duplicates: 0, matched: 1 });
  expect(await report(id, click)).toEqual({ stored: 0, duplicates: 1, matched: 1 });
  expect(await read('commissions.csv')).toMatch(new RegExp(`${id}.*40\\.01`));
});

it('keeps the digits of ids that are long numbers in JSON', async () => {
  const orders = { '1234567890123456701': '100', '1234567890123456702': '40' };
  for (const [id, amount] of Object.entries(orders)) {
    const body = `{"id":${id},"amount":${amount},"currency":"USD"}`;
    const response = await fetch(address, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ stored: 1 });
  }
  const csv = await read('commissions.csv');
  for (const [id, amount] of Object.entries(orders))
    expect(csv).toMatch(new RegExp(`${id}.*\\b${amount}\\.00`));
});

it('responds to each of many postbacks that arrive at the same time', async () => {
  const reports = Array.from({ length: 60 }, () => report(randomUUID(), randomUUID()));
  expect(await Promise.all(reports)).toEqual(Array(60).fill({ stored: 1, duplicates: 0, matched: 0 }));
});

it("reads a network's API when the Cron Trigger runs", async () => {
  await expect.poll(() => read('commissions.csv?range=all'), { timeout: 135_000 }).toMatch(/40\.02/);
  expect(network.calls[0]).toMatch(/^GET .*\/reports\/sub_ids\?/);
});
