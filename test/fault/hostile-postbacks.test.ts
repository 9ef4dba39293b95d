import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectIdle } from '../support/process.ts';
import { findWrongHeaders } from '../support/raw-request.ts';
import { runCommand } from '../support/run-command.ts';
import { type Site, startSite } from '../support/site.ts';
import { createPostbackUrl, readLedgerFacts } from '../support/site-ledger.ts';

const SECRET = 'a-secret-of-the-test-long-enough';
const BAD_FIELDS = [
  '__proto__',
  'constructor',
  'toString',
  "'; DROP TABLE facts; --",
  '<img src=x onerror=alert(1)>',
  '\u202eevil',
  '\u0000\u001b[31m',
  '=HYPERLINK("//evil")',
  '\ud800',
  '9'.repeat(400),
];
const AMOUNTS = [
  'NaN',
  'Infinity',
  '1e308',
  '-0',
  '0x10',
  '1,2,3.4.5',
  '٣٫٥',
  '',
  ' ',
  '[]',
  '9'.repeat(60),
  '1e-400',
  '99999999999999999999.99',
  '-99999999999999999999.99',
  '1/2',
  '$1',
  '1 000,00',
  '00000001',
  '+-1',
];

let site: Site;
let url: string;
let signedUrl: string;
beforeAll(async () => {
  site = await startSite({ env: { WEBHOOK_SECRETS: `kit=${SECRET}` } });
  url = await createPostbackUrl(site);
  signedUrl = await createPostbackUrl(site, 'kit');
});
afterAll(() => site.remove());

/** Sends a message and returns its status; a response has all headers and repeats nothing of the message. */
async function send(address: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(address, { redirect: 'manual', ...init });
  const text = await response.text();
  expect(findWrongHeaders(Object.fromEntries(response.headers)), address.slice(0, 200)).toEqual([]);
  expect(response.headers.get('content-type')).toMatch(/^application\/(problem\+)?json/);
  expect(text).not.toMatch(/onerror|DROP TABLE|HYPERLINK|SQLITE|node:|\.ts:/);
  return response.status;
}

describe('a message with a valid token', () => {
  // First: the messages of the next test fill the places of those that cannot be read.
  it('is refused beyond 64 KiB, with other methods, and with a compressed body', async () => {
    expect(await send(url, { method: 'POST', body: 'x'.repeat(70_000) })).toBe(413);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) expect(await send(url, { method })).toBe(405);
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const body = gzipSync('{"id":"g","amount":"1","currency":"USD"}');
    expect(await send(url, { method: 'POST', headers, body })).toBe(400);
  });

  it.each(['query', 'form', 'JSON'])('with hostile fields as %s is stored whole or refused', async (kind) => {
    const statuses = new Set<number>();
    for (const [number, bad] of [...BAD_FIELDS, ...AMOUNTS].entries()) {
      for (const field of ['id', 'click', 'status', 'amount', 'currency', 'time', 'kind', '__proto__', bad]) {
        const fields = { id: `h-${kind}-${number}-${field.length}`, amount: '1.00', currency: 'USD' };
        const message = new Map<string, string>([...Object.entries(fields), [field, bad]]);
        const query = new URLSearchParams([...message]);
        const json = `{${[...message].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`;
        if (kind === 'query') statuses.add(await send(`${url}?${query}`));
        else
          statuses.add(
            await send(url, {
              method: 'POST',
              headers: {
                'content-type': kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
              },
              body: kind === 'form' ? query : json,
            }),
          );
      }
    }
    // 503 once as many unread messages are stored as fit.
    expect([...statuses].filter((status) => ![200, 400, 429, 503].includes(status))).toEqual([]);
    expect(readLedgerFacts(site.dataDir).integrity).toBe('ok');
    const report = await runCommand('commissions', ['report', '--by', 'partner', '--format', 'json'], {
      DATA_DIR: site.dataDir,
    });
    expect(JSON.parse(report.stdout).total).toBeDefined();
  });

  it.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['text cut off', '{"id":"x"'],
    ['30,000 nested arrays', `{"id":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['a key twice', '{"id":"a","id":"b","amount":"1","amount":"2"}'],
    ['a prototype', '{"__proto__":{"isTest":true},"constructor":{"prototype":{"x":1}}}'],
    ['objects where text belongs', '{"id":{"a":1},"amount":["1"],"currency":true,"click":{}}'],
    [
      '6,000 fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`f${n}`, n]))),
    ],
  ])('whose body is %s gets 200 or 400', async (_, body) => {
    const headers = { 'content-type': 'application/json' };
    expect([200, 400, 413, 503]).toContain(await send(url, { method: 'POST', headers, body }));
  });
});

describe('a message of a partner whose messages are signed', () => {
  const body = JSON.stringify({ id: 'signed-1', amount: '5.00', currency: 'USD' });
  const sign = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex');
  const post = (headers: Readonly<Record<string, string>>, text = body) =>
    send(signedUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });

  it.each([
    ['no signature', () => ({})],
    ['an empty one', () => ({ 'x-webhook-signature': '' })],
    ['one of another secret', () => ({ 'x-webhook-signature': sign(body, 'another') })],
    ['one of another body', () => ({ 'dub-signature': sign(`${body} `) })],
    ['one that is cut off', () => ({ 'x-rewardful-signature': sign(body).slice(0, 63) })],
    ['one with more behind it', () => ({ 'x-webhook-signature': `${sign(body)}00` })],
    ['one with the name of the algorithm', () => ({ 'x-webhook-signature': `sha256=${sign(body)}` })],
    [
      'a wrong one before the right one',
      () => ({ 'x-webhook-signature': '0'.repeat(64), 'dub-signature': sign(body) }),
    ],
  ])('gets 401 with %s', async (_, headers) => expect(await post(headers())).toBe(401));

  it('gets 401 as a query, and is stored once however often its signature is replayed', async () => {
    expect(await send(`${signedUrl}?id=signed-2&amount=1&currency=USD`)).toBe(401);
    for (let count = 0; count < 5; count += 1)
      expect(await post({ 'x-webhook-signature': sign(body) })).toBe(200);
    expect(readLedgerFacts(site.dataDir).ids.filter((id) => id.includes('signed-'))).toHaveLength(1);
  });
});

describe('a message without a valid token', () => {
  it('gets 404 in every spelling and changes nothing', async () => {
    const before = readLedgerFacts(site.dataDir).ids.length;
    const token = url.split('/').at(-1) ?? '';
    const spellings = [
      token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
      token.slice(0, -1),
      `${token}a`,
      '..',
      '%2e%2e',
      '%00',
      'constructor',
      'x'.repeat(4_000),
      `${token}%20`,
      `${token};`,
    ];
    const statuses = new Set<number>();
    for (const partner of ['highlevel', 'kit', '__proto__', 'constructor', '%2e', 'HIGHLEVEL', 'nothing'])
      for (const spelling of spellings)
        statuses.add(
          (
            await fetch(`${site.url}/api/postbacks/${partner}/${spelling}?id=x&amount=1`, {
              redirect: 'manual',
            })
          ).status,
        );
    for (const status of statuses) expect([301, 400, 404, 429]).toContain(status);
    expect(readLedgerFacts(site.dataDir).ids).toHaveLength(before);
    expect(site.output()).not.toContain(token);
  });
});

it('survives a flood of 3,000 messages from one client, is idle afterwards and has logged no error', {
  tags: ['rest', 'measures'],
}, async () => {
  const statuses = new Map<number, number>();
  let left = 3_000;
  const work = async () => {
    while (left-- > 0) {
      const { status } = await fetch(`${url}?id=flood-${left % 50}&amount=1.00&currency=USD`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
  await expectIdle(site.pid());
  expect(site.output()).not.toMatch(/"level":"error"|\bat .+\.m?[jt]s:\d+/);
});
