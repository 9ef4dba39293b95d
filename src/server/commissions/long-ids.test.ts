import { beforeEach, expect, it } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createPostbackAddresses, createRouteClient } from '../../../test/support/route-client.ts';
import { buildSampleFact, SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import type { CommissionSource } from '../../core/commissions/ledger/commission-source.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { commitImport } from './csv-import.ts';
import type { CommissionLedger } from './ledger.ts';
import { createPostbacks, createPostbackTokens, parseForm } from './postbacks.ts';
import { syncNetwork } from './sync-networks.ts';
import { answerId, discardMessages, rereadMessages } from './unread-messages.ts';

const NOW = Date.parse('2025-11-25T12:00:00Z');
const OTHER_CLICK = '22222222-2222-4222-8222-222222222222';
/** All three are the same double. */
const [FIRST, SECOND, ROUNDED] = ['1234567890123456701', '1234567890123456702', '1234567890123456800'];
const TERMS = { ...DEFAULT_TERMS, network: 'generic', currency: 'EUR' };
const [sample = expect.unreachable()] = readSamplePartners().values();
const tokens = createPostbackTokens('key');

let now: number;
let store: Ledger;
let ledger: CommissionLedger;
let site: Awaited<ReturnType<typeof createTestSite>>;
let send: (body: string, type?: string, partner?: string) => Promise<number>;

beforeEach(async () => {
  now = NOW;
  store = createMemoryLedger();
  const clicks = createMemoryClicks(buildSampleVisit(SAMPLE_CLICK));
  ledger = createTestLedger({ store, clicks, now: () => now });
  const partners = new Map(['shop', 'other'].map((key) => [key, { ...sample, key, terms: TERMS }]));
  site = await createTestSite({
    content: { partners },
    clock: { now: () => now, monotonic: () => 0 },
    commissions: ledger,
    ledger: store,
    postbackAddresses: createPostbackAddresses(),
  });
  const call = createRouteClient({ method: 'POST', path: POSTBACK_PATTERN, handle: createPostbacks(site) });
  send = async (body, type = 'application/json', partner = 'shop') => {
    const target = buildPostbackPath(partner, tokens.build(partner));
    const { status } = await call(body, { 'content-type': type }, { method: 'POST', target });
    now += 1_000;
    return status;
  };
});

const read = async () =>
  (await readEntries(ledger)).map(({ commission: { partner, nativeId, amount } }) =>
    [partner === 'shop' ? '' : partner, nativeId, amount].filter((one) => one !== ''),
  );
const write = (id: string, amount: number, more = `"sub":"${SAMPLE_CLICK}",`) =>
  `{${more}"id":${id},"amount":${amount},"currency":"EUR"}`;
const storeRounded = (
  fact: Parameters<typeof buildSampleFact>[0] = {},
  partner = 'shop',
  account = TERMS.account,
) =>
  store.append({
    facts: [
      buildSampleFact(
        { nativeId: ROUNDED, amount: 10_000, currency: 'EUR', ...fact },
        { partner, account, clickId: fact.token === SAMPLE_CLICK ? SAMPLE_CLICK : null },
      ),
    ],
  });
const readUnread = async () => (await store.readUnread()).map(({ problem }) => problem);
const QUESTION = `its id ${FIRST} is new, and may be that of ${ROUNDED}, whose digits were rounded`;

async function importRows(rows: string, alike?: 'same' | 'other') {
  const bytes = Buffer.from(`ID,Date,Commission\n${rows}`);
  const open = async function* () {
    yield bytes;
  };
  const format = await detectCsvFormat(open);
  const networks = readShippedNetworks();
  const profile = { currency: 'EUR', timeZone: 'UTC', ...(alike && { alike }) };
  return commitImport(
    { hash: rows, name: 'a.csv', readRows: () => readCsvRows(open, format) },
    { ledger, store, partner: 'shop', terms: TERMS, networks, profile, now },
  );
}

it.each([
  ['JSON', (id: string, amount: number) => [write(id, amount)]],
  ['JSON without its type', (id: string, amount: number) => [write(id, amount), 'text/plain']],
  ['a list', (id: string, amount: number) => [`[${write(id, amount)}]`]],
  [
    'a form',
    (id: string, amount: number) => [
      `sub=${SAMPLE_CLICK}&id=${id}&amount=${amount}&currency=EUR`,
      'application/x-www-form-urlencoded',
    ],
  ],
] as const)('two orders with long ids are two commissions, sent as %s, and sent again', async (_, build) => {
  for (const [id, amount] of [
    [FIRST, 100],
    [SECOND, 40],
    [FIRST, 100],
  ] as const) {
    const [body = '', type] = build(id, amount);
    expect(await send(body, type)).toBe(200);
  }
  expect(await read()).toEqual([
    [FIRST, 10_000],
    [SECOND, 4_000],
  ]);
  expect(await readUnread()).toEqual([]);
});

it('keeps the digits of a field that is JSON itself', () =>
  expect(parseForm(`data=${write(FIRST, 100, '')}`)).toMatchObject({ data: { id: FIRST, amount: 100 } }));

it.each([
  ['its click', { token: SAMPLE_CLICK }, `"sub":"${SAMPLE_CLICK}",`],
  ['its sub-id', { token: 'newsletter' }, '"sub_id":"newsletter",'],
])(
  'a rounded id that is stored goes on with the long id that has %s, and with no other',
  async (_, fact, more) => {
    await storeRounded(fact);
    for (const amount of [110, 120]) expect(await send(write(FIRST, amount, more))).toBe(200);
    expect(await read()).toEqual([[ROUNDED, 12_000]]);
    // In a file too.
    expect(await importRows(`${FIRST},2025-11-20,120.00`)).toMatchObject({ committed: true, new: 0 });
    expect(await read()).toEqual([[ROUNDED, 12_000]]);
    expect(await send(write(SECOND, 40, more))).toBe(400);
    expect(await readUnread()).toEqual([QUESTION.replace(FIRST, SECOND)]);
    expect(await read()).toEqual([[ROUNDED, 12_000]]);
  },
);

it.each([
  ['another click, the same order', `"sub":"${OTHER_CLICK}",`, true],
  ['another click, another order', `"sub":"${OTHER_CLICK}",`, false],
  ['no click, the same order', '', true],
  ['no click, another order', '', false],
])('asks once about a long id with %s, and the answer holds for it', async (_, more, isSame) => {
  await storeRounded({ token: more === '' ? '' : SAMPLE_CLICK });
  for (let time = 0; time < 2; time += 1) expect(await send(write(FIRST, 100, more))).toBe(400);
  expect(await readUnread()).toEqual([QUESTION]);
  // Reading it again is no answer.
  expect(await rereadMessages(site, 'shop')).toMatchObject({ read: 0, unread: 1 });
  const [message = expect.unreachable()] = await store.readUnread();
  for (let time = 0; time < 2; time += 1) await answerId(site, message, isSame);
  expect(await readUnread()).toEqual([]);
  expect(await send(write(FIRST, 90, more))).toBe(200);
  expect(await read()).toEqual(
    isSame
      ? [[ROUNDED, 9_000]]
      : [
          [ROUNDED, 10_000],
          [FIRST, 9_000],
        ],
  );
  // Each id has a question of its own.
  expect(await send(write(SECOND, 100, more))).toBe(400);
  expect(await readUnread()).toEqual([QUESTION.replace(FIRST, SECOND)]);
});

it.each([
  ['of another partner', 'other', TERMS.account],
  ['of another account', 'shop', 'second'],
])('a rounded id %s is another commission', async (_, partner, account) => {
  await storeRounded({ token: SAMPLE_CLICK }, partner, account);
  expect(await send(write(FIRST, 100))).toBe(200);
  expect((await read()).map((row) => row.at(-2)).sort()).toEqual([FIRST, ROUNDED]);
});

it('a rounded id is another commission once the long one is stored, and asks nothing about other ids', async () => {
  expect(await send(write(FIRST, 100))).toBe(200);
  await storeRounded({ token: SAMPLE_CLICK });
  expect(await send(write(FIRST, 90))).toBe(200);
  expect((await read()).toSorted()).toEqual([
    [FIRST, 9_000],
    [ROUNDED, 10_000],
  ]);
  for (const id of ['"a-1"', '9007199254740992', '"01234567890123456701"', '7'])
    expect(await send(write(id, 5, ''))).toBe(200);
  expect(await read()).toHaveLength(6);
});

it('asks about a long id of a file whose rounded form is stored', async () => {
  await storeRounded({ token: SAMPLE_CLICK });
  const row = `${FIRST},2025-11-20,120.00`;
  expect(await importRows(row)).toMatchObject({
    committed: false,
    alike: 1,
    problems: [expect.stringContaining(`${FIRST} is new, and looks like ${ROUNDED}`)],
  });
  expect(await importRows(row, 'same')).toMatchObject({ committed: true, new: 0, changed: 1 });
  expect(await read()).toEqual([[ROUNDED, 12_000]]);
});

/** Reads an interface whose records are these, once more. */
async function sync(...records: readonly { id: string; amount: number; token?: string; problem?: string }[]) {
  const source: CommissionSource = {
    async *readPages() {
      const list = records.map(({ id, amount, token = '', problem }) => {
        const {
          content: _,
          isDated: __,
          ...reported
        } = buildSampleFact({ nativeId: id, amount, token, currency: 'EUR' });
        const record = { id, amount, customer_email: 'jane@example.com' };
        return {
          reported: { ...reported, changeTime: null, eventTime: null },
          strings: [token],
          record,
          problem,
        };
      });
      yield {
        reports: list.filter(({ problem }) => problem === undefined),
        refused: list.flatMap(({ problem, ...one }) => (problem === undefined ? [] : [{ ...one, problem }])),
        cursor: null,
      };
    },
  };
  now += 1_000;
  return syncNetwork(site, 'generic', new Map([['shop', TERMS]]), source, 'one');
}

it('an interface goes on with a rounded id, or asks about it, and records nothing twice', async () => {
  await storeRounded({ token: 'newsletter' });
  const known = { id: FIRST, amount: 11_000, token: 'newsletter' };
  const open = { id: SECOND, amount: 4_000 };
  const problem = `1 of its records could not be counted yet: ${QUESTION.replace(FIRST, SECOND)}`;
  expect(await sync(known, open)).toMatchObject({ state: 'done', stored: 1, problem });
  expect(await sync(known, open)).toMatchObject({ state: 'done', stored: 0, problem });
  expect(await read()).toEqual([[ROUNDED, 11_000]]);
  expect(await readUnread()).toEqual([QUESTION.replace(FIRST, SECOND)]);
});

it('a record of an interface that cannot be read waits without personal fields, until it is discarded', async () => {
  const wrong = { id: '8', amount: 5, problem: 'the day 2031-01-05 is ahead' };
  const others = [
    { ...wrong, id: '9' },
    { id: '7', amount: 4_000 },
  ];
  for (let time = 0; time < 2; time += 1)
    expect(await sync(wrong, ...others)).toMatchObject({
      state: 'done',
      problem: expect.stringMatching(/^2 of its records could not/),
    });
  expect(await read()).toEqual([['7', 4_000]]);
  const waiting = (await store.readUnread()).toSorted((one, other) => (one.content < other.content ? -1 : 1));
  expect(waiting.map(({ partner, problem, content }) => [partner, problem, JSON.parse(content)])).toEqual(
    ['8', '9'].map((id) => [
      'shop',
      wrong.problem,
      { interface: { id, amount: 5, customer_email: '[removed]' } },
    ]),
  );
  await discardMessages(store, waiting.slice(0, 1));
  expect(await sync(wrong, ...others)).toMatchObject({ problem: expect.stringMatching(/^1 of its/) });
  expect(await store.readUnread()).toEqual(waiting.slice(1));
});
