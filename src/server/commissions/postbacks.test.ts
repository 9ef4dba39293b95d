import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import {
  createPostbackAddresses,
  createRouteClient,
  type RouteClient,
} from '../../../test/support/route-client.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import {
  type CommissionTerms,
  DEFAULT_TERMS,
  type Network,
} from '../../core/commissions/ledger/commission-terms.ts';
import type { Partner } from '../../core/outbound/partner.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { LedgerError } from '../../stores/ledger-rows.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import type { CommissionLedger } from './ledger.ts';
import { createPostbacks, createPostbackTokens, PostbackAddresses } from './postbacks.ts';

const SECRET = 'whsec_test';
const tokens = createPostbackTokens('key');
const terms = (network: Network): CommissionTerms => ({ ...DEFAULT_TERMS, network, currency: 'USD' });
const [kit] = readSamplePartners().values();
if (kit === undefined) throw new Error('no partner ships');
const partners = new Map(
  [...readShippedNetworks().keys()].map((network): [string, Partner] => [
    network,
    { ...kit, key: network, terms: terms(network) },
  ]),
);

let store: Ledger;
let ledger: CommissionLedger;
let call: RouteClient;
let now = 1_763_600_000_000;

beforeEach(async () => {
  vi.stubEnv('WEBHOOK_SECRETS', `rewardful=${SECRET}`);
  store = createMemoryLedger();
  const clicks = createMemoryClicks(buildSampleVisit(SAMPLE_CLICK));
  const partnerTerms = new Map([...partners].map(([key, partner]) => [key, partner.terms]));
  ledger = createTestLedger({ store, clicks, readTerms: () => partnerTerms, now: () => now++ });
  call = await createClient();
});

async function createClient(changes: Parameters<typeof createTestSite>[0] = {}): Promise<RouteClient> {
  const site = await createTestSite({
    content: { partners },
    clock: { now: () => now, monotonic: () => 0 },
    commissions: ledger,
    ledger: store,
    postbackAddresses: createPostbackAddresses(),
    ...changes,
  });
  return createRouteClient({ method: 'GET, POST', path: POSTBACK_PATTERN, handle: createPostbacks(site) });
}

const path = (partner: string) => buildPostbackPath(partner, tokens.build(partner));

const get = (partner: string, query: Record<string, string>) =>
  call(null, {}, { method: 'GET', target: `${path(partner)}?${new URLSearchParams(query)}` });

const post = (partner: string, body: unknown, headers: Record<string, string> = {}) =>
  call(typeof body === 'string' ? body : JSON.stringify(body), headers, {
    method: 'POST',
    target: path(partner),
  });

it('says that a message is refused, whatever the copy of the data has, and asks for a taken one again', async () => {
  call = await createClient({
    settings: { LEDGER_COPY: '/copies', LEDGER_COPY_KEY: 'k'.repeat(32), LEDGER_COPY_WAIT: 'strict' },
    platform: { copy: { wait: async () => false, close: async () => undefined } },
  });
  const status = async (response: Promise<Response>) => (await response).status;
  expect(await status(post('rewardful', '{'))).toBe(401);
  expect(await status(post('tolt', '{'))).toBe(400);
  expect(await status(get('generic', { amount: 'many' }))).toBe(400);
  expect(await status(call(null, {}, { method: 'GET', target: buildPostbackPath('generic', 'none') }))).toBe(
    404,
  );
  expect(await status(get('generic', MESSAGE))).toBe(503);
});

const read = async () => (await readEntries(ledger)).map(({ commission }) => commission);

const MESSAGE = {
  click: SAMPLE_CLICK,
  id: '1001',
  status: 'approved',
  amount: '40.00',
  currency: 'USD',
  kind: 'sale',
  at: '2025-11-20T10:00:00Z',
};
const EXPECTED = {
  nativeId: '1001',
  status: 'approved',
  amount: 4_000,
  currency: 'USD',
  kind: 'sale',
  clickId: SAMPLE_CLICK,
  eventTime: Date.parse(MESSAGE.at),
};

it.each([
  ['a query', () => get('generic', MESSAGE)],
  [
    'a form',
    () =>
      post('generic', new URLSearchParams(MESSAGE).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      }),
  ],
  ['JSON', () => post('generic', MESSAGE)],
  ['JSON without a content type', () => post('generic', MESSAGE, { 'content-type': 'text/plain' })],
])('stores a commission that is reported as %s, with the journey of its click', async (_, send) => {
  const response = await send();
  expect([response.status, await response.json()]).toEqual([200, { stored: 1, duplicates: 0, matched: 1 }]);
  expect(await read()).toEqual([expect.objectContaining(EXPECTED)]);
  expect(await store.readJourneys()).toEqual([
    expect.objectContaining({
      clickId: SAMPLE_CLICK,
      page: '/pricing',
      placement: 'hero',
      entryPage: '/blog',
    }),
  ]);
});

it('keeps a message with two values of one field, of the query and of a form', async () => {
  const query = `${new URLSearchParams(MESSAGE)}`;
  const target = path('generic');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const more of [
    '&id=second',
    '&amount=99',
    '&status=paid',
    '&kind=lead',
    '&click=x',
    '&at=2025-11-21',
  ]) {
    expect((await call(null, {}, { method: 'GET', target: `${target}?${query}${more}` })).status).toBe(400);
    expect((await call(`${query}${more}`, form, { method: 'POST', target })).status).toBe(400);
  }
  expect(await read()).toEqual([]);
  // What is said twice is said once.
  await call(`${query}&${query}`, form, { method: 'POST', target });
  expect(await read()).toEqual([expect.objectContaining({ amount: 4_000, nativeId: MESSAGE.id })]);
});

it('finds the click in any field, and never by anything but its value', async () => {
  await get('generic', { ...MESSAGE, click: '', note: `from ${SAMPLE_CLICK}` });
  await get('generic', { ...MESSAGE, id: '1002', click: 'newsletter' });
  expect((await read()).map(({ clickId }) => clickId)).toEqual([SAMPLE_CLICK, null]);
  expect((await readEntries(ledger)).map(({ reason }) => reason)).toEqual([null, 'unknown-token']);
});

const REWARDFUL = JSON.stringify({
  object: {
    id: 'c-1',
    amount: 3_000,
    currency: 'USD',
    sale: { sale_amount_cents: 10_000 },
    via: SAMPLE_CLICK,
  },
  event: { id: 'e', type: 'commission.voided', created_at: '2025-11-19T10:00:00Z' },
});
const sign = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

it('accepts a signed webhook only with the signature of its bytes', async () => {
  const headers = { 'x-rewardful-signature': sign(REWARDFUL, SECRET) };
  expect((await post('rewardful', `${REWARDFUL} `, headers)).status).toBe(401);
  const wrong = { 'x-rewardful-signature': sign(REWARDFUL, 'other') };
  expect((await post('rewardful', REWARDFUL, wrong)).status).toBe(401);
  expect((await post('rewardful', REWARDFUL, { 'x-rewardful-signature': 'zz' })).status).toBe(401);
  expect(await read()).toEqual([]);
  expect((await post('rewardful', REWARDFUL, headers)).status).toBe(200);
  expect(await read()).toEqual([expect.objectContaining({ nativeId: 'c-1', status: 'reversed', amount: 0 })]);
  expect((await store.readFacts())[0]?.source).toBe('webhook');
});

it('refuses a message without a signature like a wrong one while a secret is set, by POST and by GET', async () => {
  const wrong = await post('rewardful', REWARDFUL, { 'x-rewardful-signature': sign(REWARDFUL, 'other') });
  const { requestId: _, ...problem } = await wrong.json();
  for (const response of [await post('rewardful', REWARDFUL), await get('rewardful', MESSAGE)]) {
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject(problem);
  }
  expect(await read()).toEqual([]);
  expect((await post('generic', MESSAGE)).status).toBe(200);
});

it('accepts a message without fields as a test, and labels it', async () => {
  const response = await post('generic', {});
  expect([response.status, await response.json()]).toEqual([
    200,
    { stored: 1, duplicates: 0, matched: 0, test: true },
  ]);
  expect(await readEntries(ledger)).toEqual([
    expect.objectContaining({ reason: 'test-message', isCounted: false }),
  ]);
});

it.each([
  ['an amount that is no number', { amount: 'lots' }, 'amount must be a decimal number'],
  ['an invalid time', { at: 'yesterday' }, 'at must be a time'],
  ['a currency that is no code', { currency: 'dollars' }, 'ISO 4217'],
])('responds 400 to %s and says what is expected', async (_, change, detail) => {
  const response = await get('generic', { ...MESSAGE, ...change });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(detail);
  expect(await read()).toEqual([]);
});

/** A message with names that no network has documented: any subset of its fields, and words beside them. */
const foreignMessages = fc.record(
  {
    reference: fc.stringMatching(/^[A-Z]{2}\d{3,8}$/),
    'clicked via': fc.constant(SAMPLE_CLICK),
    earning_total: fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    currencyCode: fc.constantFrom('USD', 'EUR'),
    state_of_things: fc.constantFrom('approved', 'pending', 'new'),
    note: fc.constantFrom('', 'a note'),
  },
  { requiredKeys: ['earning_total'] },
);

it('never takes a message with unknown names for a test, and stores each one of them once', async () =>
  forAll(
    0.5,
    [fc.uniqueArray(foreignMessages, { maxLength: 4, selector: (one) => JSON.stringify(one) })],
    async (messages) => {
      store = createMemoryLedger();
      ledger = createTestLedger({ store, clicks: createMemoryClicks([]) });
      call = await createClient();
      for (const message of [...messages, ...messages]) {
        const response = await post('generic', message);
        expect(response.status).toBe(400);
        expect(await response.text()).toMatch(/the fields? (id and )?amount (is|are) missing/);
      }
      expect(await store.readFacts()).toEqual([]);
      const unread = await store.readUnread();
      const sort = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();
      expect(sort(unread.map(({ content }) => JSON.parse(content) as unknown))).toEqual(sort(messages));
    },
  ));

it('stores an unread message without personal fields, and asks to send again what does not fit', async () => {
  await post('generic', { earning: '5.00', email: 'ann@example.com', customer: { ip: '192.0.2.1' } });
  const [first] = await store.readUnread();
  expect(JSON.parse(first?.content ?? '')).toEqual({
    earning: '5.00',
    email: '[removed]',
    customer: { ip: '[removed]' },
  });
  for (let index = 1; index < 200; index++) await post('generic', { earning: '5.00', n: index });
  const response = await post('generic', { earning: '5.00', n: 200 });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3600']);
  expect((await post('generic', { earning: '5.00', n: 1 })).status).toBe(400);
  expect(await store.readUnread()).toHaveLength(200);
});

it.each([
  ['money whose id was not filled in', { id: '{{event.id}}', amount: '40.00' }, 'the field id is missing'],
  ['a sale without an amount', { id: '7', click: SAMPLE_CLICK }, 'the field amount is missing'],
  [
    'a lead whose money has another name',
    { id: '7', kind: 'lead', payout_value: '5.00' },
    'the field amount is missing',
  ],
  [
    'money that names a click alone, which can be of any sale',
    { click: SAMPLE_CLICK, amount: '5.00' },
    'the field id is missing',
  ],
  ['a negative sale', { ...MESSAGE, amount: '-1000000' }, 'kind=adjustment'],
  ['an amount that no commission has', { ...MESSAGE, amount: '1000000.01' }, 'too large'],
  ['a refund with a positive amount', { ...MESSAGE, kind: 'refund' }, 'a refund has a negative amount'],
  ['an id that does not fit', { ...MESSAGE, id: 'x'.repeat(513) }, 'longer than 512'],
])('refuses and stores %s', async (_, message, reason) => {
  const response = await get('generic', message);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(reason)]);
  expect([await read(), (await store.readUnread()).length]).toEqual([[], 1]);
});

it.each([
  ['a reversal without an amount', { id: '7', status: 'reversed' }, { status: 'reversed', amount: 0 }],
  ['a correction', { id: '7', kind: 'adjustment', amount: '-5.00' }, { kind: 'adjustment', amount: -500 }],
  ['a refund', { id: '7', type: 'refund', amount: '-5.00' }, { kind: 'adjustment', amount: -500 }],
  ['money without a click', { id: '9', amount: '40', click: '' }, { amount: 4_000 }],
])('accepts %s', async (_, message, expected) => {
  expect((await get('generic', message)).status).toBe(200);
  expect(await read()).toEqual([expect.objectContaining(expected)]);
});

it.each([
  ['status', { status: 'approved' }, { status: 'approved', amount: 4_000, currency: 'EUR' }],
  ['reversal', { status: 'reversed' }, { amount: 0, reversedAmount: 4_000, currency: 'EUR' }],
  ['amount', { status: 'approved', amount: '30.00' }, { amount: 3_000, currency: 'EUR' }],
])('a %s alone leaves the rest of a commission as it was', async (_, message, expected) => {
  await get('generic', { ...MESSAGE, status: 'pending', currency: 'EUR', at: '' });
  expect((await get('generic', { id: MESSAGE.id, ...message })).status).toBe(200);
  expect(await read()).toEqual([expect.objectContaining(expected)]);
});

it('two ids are two commissions, however long they are and whatever they begin with', async () => {
  const ids = [
    `${'x'.repeat(300)}1`,
    `${'x'.repeat(300)}2`,
    `sub:${SAMPLE_CLICK}`,
    `id:sub:${SAMPLE_CLICK}`,
    '7',
  ];
  for (const id of ids) await get('generic', { ...MESSAGE, id });
  const entries = await readEntries(ledger);
  expect(entries.map(({ commission }) => commission.amount)).toEqual(ids.map(() => 4_000));
  expect(entries.every(({ isCounted }) => isCounted)).toBe(true);
});

it('reads nothing but the signed body while a secret is set, whatever the query and the type say', async () => {
  const body = JSON.stringify({ ...MESSAGE, status: 'pending' });
  const signature = sign(body, SECRET);
  await forAll(
    0.5,
    [
      fc.dictionary(
        fc.constantFrom('status', 'amount', 'sale_amount', 'at', 'id', 'click', 'test'),
        fc.string(),
        { maxKeys: 4 },
      ),
      fc.constantFrom('application/json', 'text/plain', 'application/x-www-form-urlencoded'),
    ],
    async (query, type) => {
      const response = await call(
        body,
        { 'x-rewardful-signature': signature, 'content-type': type },
        { method: 'POST', target: `${path('rewardful')}?${new URLSearchParams(query)}` },
      );
      expect(response.status).toBe(200);
      expect(await store.readFacts()).toEqual([
        expect.objectContaining({ nativeId: '1001', status: 'pending', amount: 4_000, saleAmount: null }),
      ]);
    },
  );
});

it.each(['{', '[1]', '"text"', '[{"id":"1"},{"id":"2"}]'])(
  'keeps what is no object of JSON: %s',
  async (body) => {
    expect((await post('generic', body, { 'content-type': 'application/json' })).status).toBe(400);
    expect(await store.readUnread()).toMatchObject([
      {
        problem: 'it is neither a form nor one object of JSON',
        content: JSON.stringify({ body: JSON.stringify(parseJson(body) ?? body) }),
      },
    ]);
  },
);

it('reads a list of one message, and a form in parts', async () => {
  const form = new FormData();
  for (const [name, value] of Object.entries(MESSAGE)) form.set(name, String(value));
  const parts = new Response(form);
  const type = parts.headers.get('content-type') ?? '';
  expect((await post('generic', await parts.text(), { 'content-type': type })).status).toBe(200);
  expect((await post('generic', [{ ...MESSAGE, id: '1002' }])).status).toBe(200);
  expect((await read()).map(({ nativeId, amount }) => [nativeId, amount])).toEqual([
    ['1001', 4_000],
    ['1002', 4_000],
  ]);
});

it.each([
  ['a wrong token', () => buildPostbackPath('generic', tokens.build('impact'))],
  ['an empty-looking token', () => buildPostbackPath('generic', 'x')],
  ['an unknown partner', () => buildPostbackPath('unknown', tokens.build('unknown'))],
])('responds 404 to %s with the same body as any unknown address', async (_, target) => {
  const response = await call(
    null,
    {},
    { method: 'GET', target: `${target()}?${new URLSearchParams(MESSAGE)}` },
  );
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    code: 'not-found',
    detail: 'There is nothing at this address.',
  });
  expect(await read()).toEqual([]);
});

it('limits guesses of tokens and messages per address', async () => {
  const createLimiter = () => createRateLimiter({ perSecond: 1, burst: 3, maxAddresses: 9, now: () => 0 });
  call = await createClient({ postbackLimiter: createLimiter(), platform: { shareLimiter: createLimiter } });
  const guess = () => call(null, {}, { method: 'GET', target: buildPostbackPath('generic', 'guess') });
  const statuses = [await guess(), await guess(), await guess(), await guess()].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404, 429]);
  for (let count = 0; count < 3; count++) expect((await get('generic', MESSAGE)).status).toBe(200);
  expect((await get('generic', MESSAGE)).status).toBe(429);
});

it('responds 413 to more than 64 KB and 405 to other methods', async () => {
  expect((await post('generic', { ...MESSAGE, note: 'x'.repeat(70_000) })).status).toBe(413);
  const response = await call(null, {}, { method: 'DELETE', target: path('generic') });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

it('responds 503 while the ledger cannot store, so that the network sends again', async () => {
  store.append = async () => {
    throw new LedgerError('unavailable', 'the disk is full');
  };
  const response = await get('generic', MESSAGE);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
});

it('stores the message without personal fields', async () => {
  await post('generic', {
    ...MESSAGE,
    email: 'a@example.com',
    customer: { firstName: 'Ann', ip_address: '192.0.2.1', contact: 'b@example.com', plan: 'pro' },
    userAgent: 'Mozilla/5.0',
  });
  const [fact] = await store.readFacts();
  const raw = await store.readRaw(fact?.rawId ?? '');
  expect(JSON.parse(raw?.content ?? '')).toEqual({
    ...MESSAGE,
    email: '[removed]',
    customer: { firstName: '[removed]', ip_address: '[removed]', contact: '[removed]', plan: 'pro' },
    userAgent: '[removed]',
  });
});

describe('a renewed address', () => {
  const HOUR = 3_600_000;
  let time = 1_000;
  let addresses: PostbackAddresses;
  const ask = async (partner: string, token: string) => (await addresses.readTokens())?.check(partner, token);
  const build = async (partner: string) => (await addresses.readTokens())?.build(partner) ?? '';

  beforeEach(async () => {
    time = 1_000;
    addresses = new PostbackAddresses(createMemoryLedger(), () => time);
    await addresses.create();
  });

  it('replaces that of its partner alone, and the former one is accepted for as long as was said', async () => {
    const [former, other] = [await build('kit'), await build('acme')];
    await addresses.renew('kit', HOUR);
    const present = await build('kit');
    expect(present).not.toBe(former);
    expect([await build('acme'), await ask('kit', present), await ask('acme', present)]).toEqual([
      other,
      'present',
      null,
    ]);
    time += HOUR - 1;
    expect(await ask('kit', former)).toBe('former');
    time += 1;
    expect([await ask('kit', former), await ask('kit', present)]).toEqual([null, 'present']);
    expect(await addresses.readFormer()).toEqual(new Map());
  });

  it('is not accepted from now on when that was said, and no address returns with a later renewal', async () => {
    const seen = [await build('kit')];
    for (let count = 0; count < 3; count += 1) {
      await addresses.renew('kit', 0);
      expect(await Promise.all(seen.map((token) => ask('kit', token)))).toEqual(seen.map(() => null));
      seen.push(await build('kit'));
    }
    expect(new Set(seen).size).toBe(4);
  });

  it('is accepted as long as was promised, whatever is renewed meanwhile', async () => {
    const first = await build('kit');
    for (let count = 0; count < 8; count += 1) {
      await addresses.renew('kit', count === 5 ? 0 : HOUR);
      time += 1;
    }
    expect(await ask('kit', first)).toBe('former');
    // Two operators at once.
    await Promise.all(['kit', 'acme', 'kit', 'other'].map((partner) => addresses.renew(partner, HOUR)));
    expect([...(await addresses.readFormer()).keys()].sort()).toEqual(['acme', 'kit', 'other']);
    time = 1_000 + HOUR;
    expect(await ask('kit', first)).toBe(null);
  });

  it('says when the former address was last used', async () => {
    await addresses.renew('kit', HOUR);
    const until = 1_000 + HOUR;
    expect(await addresses.readFormer()).toEqual(new Map([['kit', { until, lastUsedAt: null }]]));
    time = 2_000;
    await addresses.noteFormerUse('kit');
    expect(await addresses.readFormer()).toEqual(new Map([['kit', { until, lastUsedAt: 2_000 }]]));
    time += 59_999;
    await addresses.noteFormerUse('kit');
    expect((await addresses.readFormer()).get('kit')?.lastUsedAt, 'within a minute').toBe(2_000);
    time += 1;
    await addresses.noteFormerUse('kit');
    expect((await addresses.readFormer()).get('kit')?.lastUsedAt).toBe(62_000);
  });

  it('is refused as a whole where the renewals are damaged: an address that was given up must not return', async () => {
    const store = createMemoryLedger();
    await new PostbackAddresses(store, () => time).create();
    await store.writeState('postback-renewals', '{"kit":{"version":-1,"former":[]}}');
    await expect(new PostbackAddresses(store, () => time).readTokens()).rejects.toThrow();
  });

  it('belongs to a partner that is called like a property of every object', async () => {
    expect(await ask('constructor', await build('constructor'))).toBe('present');
    await addresses.renew('constructor', 0);
    expect(await ask('constructor', await build('constructor'))).toBe('present');
  });
});
