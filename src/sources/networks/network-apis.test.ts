import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { buildSampleReport, SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createSyncSite, createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import {
  startUpstream,
  type Upstream,
  type UpstreamResponse,
} from '../../../test/support/upstream-server.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { CommissionSource } from '../../core/commissions/ledger/commission-source.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import type { CommissionLedger } from '../../server/commissions/ledger.ts';
import { readListedCommissions, syncNetwork } from '../../server/commissions/sync-networks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { fetchGet } from '../http/fetch.ts';
import { guardedGet } from '../http/guarded-http.ts';
import type { HttpGet } from '../http/http-get.ts';
import { createApiSource, isConnected } from './network-api.ts';

let now = Date.parse('2025-12-20T12:00:00Z');
const clock = { now: () => now, monotonic: () => performance.now() };
let respond: (url: URL) => UpstreamResponse;
let upstream: Upstream;
let get: HttpGet;
let pauses: number[];
/** Short only where no response ever comes: a slow machine exceeds a short one with any other. */
let deadlineMs: number;
let store: Ledger;
let ledger: CommissionLedger;

beforeEach(async () => {
  now = Date.parse('2025-12-20T12:00:00Z');
  pauses = [];
  deadlineMs = 30_000;
  upstream = await startUpstream((url) => respond(url));
  store = createMemoryLedger();
  ledger = createTestLedger({
    store,
    clicks: createMemoryClicks(buildSampleVisit(SAMPLE_CLICK)),
    now: () => now,
  });
});
afterEach(() => upstream.close());

const networks = readShippedNetworks();
const API_NETWORKS = [...networks].filter(([, file]) => file.interface !== undefined).map(([name]) => name);

/** Creates the source of a network as the site does; its host is on this machine. */
function createSource(network: string, rate?: { requests: number; perSeconds: number }): CommissionSource {
  const file = networks.get(network);
  const findSecret = () => 'key';
  if (file === undefined || !isConnected(file, findSecret)) throw new Error('the network has no interface');
  const hosts = [file.interface.url, file.interface.auth.url ?? file.interface.url].map(
    (url) => new URL(url).hostname,
  );
  const limited = { ...file, interface: { ...file.interface, rate: rate ?? file.interface.rate } };
  return createApiSource(limited, {
    get,
    clock,
    findSecret,
    testHosts: new Map(hosts.map((host) => [host, upstream.url])),
    sleep: async (ms) => {
      pauses.push(ms);
    },
    deadlineMs,
  });
}

function sync(network: string, partners: Record<string, string> = { highlevel: '' }) {
  const entries = Object.entries(partners).map(
    ([key, program]) => [key, { ...DEFAULT_TERMS, network, currency: 'USD', program }] as const,
  );
  return syncNetwork(getSite(), network, new Map(entries), createSource(network), randomUUID());
}

const getSite = () => ({ ...createSyncSite(ledger, store, clock.now), clock });
const readCommissions = async () => (await readEntries(ledger)).map(({ commission }) => commission);

const REWARD = {
  key: 'rew_1',
  amount: 2_500,
  created_at: Date.parse('2025-11-20T10:00:00Z'),
  updated_at: Date.parse('2025-11-21T10:00:00Z'),
  reward_status: 'approved',
  customer: { email: 'a@example.com', sid: SAMPLE_CLICK },
  company: { key: 'kitinc' },
};
const rewards = (items: readonly object[], hasMore = false) => ({
  json: { data: { has_more: hasMore, items }, message: '', status: '' },
});
const ACTION = {
  Id: '1000.1.1',
  CampaignId: '77',
  State: 'APPROVED',
  Payout: '7.50',
  Amount: '150.00',
  Currency: 'USD',
  EventDate: '2025-11-20T10:00:00-05:00',
  ReferringDate: '2025-11-19T10:00:00-05:00',
  SubId1: SAMPLE_CLICK,
};
const actions = (list: readonly object[], pages = 1) => ({
  json: { '@numpages': String(pages), Actions: list },
});
const earnings = (amount: number) => ({
  json: [
    {
      sub_id: SAMPLE_CLICK,
      data: { promoter_earnings_amount: amount },
      sub_data: [{ period: '2025-11-20', data: { promoter_earnings_amount: amount } }],
    },
  ],
});

/** FirstPromoter's report and its list of commissions. */
const firstPromoter = (amount: number, list: readonly object[]) => (url: URL) =>
  url.pathname.endsWith('/commissions') ? { json: list } : earnings(amount);
const LISTED = { id: 7, status: 'approved', amount: 4_000, unit: 'cash', created_at: '2025-11-20T15:00:00Z' };
const findListed = async () => ledger.table.readDifferences(await readListedCommissions(store, networks), -1);

describe.each([
  ['node:http', guardedGet],
  ['fetch', fetchGet],
])('a network read over %s', (_, transport) => {
  beforeEach(() => {
    get = transport;
  });

  it('compares the totals of FirstPromoter with its list of commissions, which counts nothing', async () => {
    respond = firstPromoter(4_000, [
      { ...LISTED, referral: { email: 'jane@example.com' } },
      { ...LISTED, id: 8, status: 'denied' },
      { ...LISTED, id: 9, unit: 'points' },
    ]);
    expect(await sync('firstpromoter')).toMatchObject({ state: 'done', stored: 1, problem: '' });
    expect(await findListed()).toEqual([]);
    expect(JSON.stringify(await readListedCommissions(store, networks))).not.toContain('jane');
    respond = firstPromoter(4_000, [LISTED, { ...LISTED, id: 10, amount: 1_500 }]);
    await sync('firstpromoter');
    expect(await readCommissions()).toHaveLength(1);
    expect(await findListed()).toEqual([
      { partner: 'highlevel', id: 'all since 2025-11-20', currency: 'USD', counted: 4_000, reported: 5_500 },
    ]);
    expect(upstream.calls.at(-1)).toMatch(/\/api\/v2\/affiliate\/commissions\?.*filters/);
  });

  it('reads the list of commissions over several pages, and stores the reports even when the list fails', async () => {
    const many = Array.from({ length: 130 }, (_, id) => ({ ...LISTED, id, amount: 10 }));
    respond = (url) => {
      const page = Number(url.searchParams.get('page'));
      return firstPromoter(1_300, many.slice((page - 1) * 100, page * 100))(url);
    };
    await sync('firstpromoter');
    expect(await readListedCommissions(store, networks)).toHaveLength(130);
    expect(await findListed()).toEqual([]);
    respond = (url) => (url.pathname.endsWith('/commissions') ? { status: 404, json: {} } : earnings(1_400));
    const result = await sync('firstpromoter');
    expect(result).toMatchObject({ state: 'done', stored: 1 });
    expect(result.problem).toContain('list of commissions');
  });

  it('reads the rewards of PartnerStack over several pages', async () => {
    respond = (url) =>
      url.searchParams.get('starting_after') === null
        ? rewards([REWARD], true)
        : rewards([{ ...REWARD, key: 'rew_2', reward_status: 'declined', customer: {} }]);
    expect(await sync('partnerstack')).toMatchObject({ state: 'done', stored: 2, matched: 1 });
    expect(await readCommissions()).toMatchObject([
      { nativeId: 'rew_1', status: 'approved', amount: 2_500, clickId: SAMPLE_CLICK },
      { nativeId: 'rew_2', status: 'reversed', amount: 0, clickId: null },
    ]);
    expect(upstream.calls[0]).toMatch(/^GET \/api\/v2\/rewards\?.*limit=250/);
    const created = Number(new URL(`http://x${upstream.calls[0]?.slice(4)}`).searchParams.get('min_created'));
    expect(now - created).toBeGreaterThanOrEqual(120 * DAY_MS);
    expect(upstream.lastHeaders().authorization).toBe('Bearer key');
    expect((await sync('partnerstack')).stored).toBe(0);
  });

  it('divides the rewards of one account among programs, by program, by click and for ever', async () => {
    const items = [
      REWARD,
      { ...REWARD, key: 'rew_2', company: {} },
      { ...REWARD, key: 'rew_3', company: {}, customer: {} },
    ];
    respond = () => rewards(items);
    await sync('partnerstack', { other: '', kit: 'kitinc', highlevel: '' });
    const list = async () =>
      (await readCommissions()).map(({ partner, nativeId }) => [partner, nativeId]).sort();
    const expected = [
      ['highlevel', 'rew_2'],
      ['kit', 'rew_1'],
      ['other', 'rew_3'],
    ];
    expect(await list()).toEqual(expected);
    await sync('partnerstack', { other: 'kitinc', kit: '', highlevel: '' });
    expect(await list()).toEqual(expected);
  });

  it('reads the actions of impact by their last update, so that a reversal after 75 days is found', async () => {
    respond = (url) => actions(url.searchParams.get('EndDate')?.startsWith('2025-12-20') ? [ACTION] : []);
    expect(await sync('impact')).toMatchObject({ state: 'done', stored: 1, matched: 1 });
    const dates = upstream.calls
      .map((call) => new URL(`http://x${call.slice(4)}`).searchParams)
      .filter((query) => query.has('StartDate'));
    expect(upstream.calls.some((call) => call.includes('LockingDateStart='))).toBe(true);
    const windows = dates.map((query) =>
      [query.get('StartDate'), query.get('EndDate')].map((date) => Date.parse(date ?? '')),
    );
    for (const [start = 0, end = 0] of windows) expect(end - start).toBeLessThanOrEqual(45 * DAY_MS);
    expect(now - Number(windows[0]?.[0])).toBeGreaterThanOrEqual(120 * DAY_MS);
    for (const [index, [start = 0]] of windows.slice(1).entries()) {
      expect(start).toBeLessThan(Number(windows[index]?.[1]));
    }
    const clickTime = Date.parse(ACTION.ReferringDate);
    expect(await readCommissions()).toMatchObject([
      { amount: 750, saleAmount: 15_000, status: 'approved', clickTime },
    ]);
    now += 75 * DAY_MS;
    respond = (url) =>
      actions(
        url.searchParams.get('EndDate')?.startsWith('2026-03-05')
          ? [{ ...ACTION, State: 'REVERSED', Payout: '0.00' }]
          : [],
      );
    expect(await sync('impact')).toMatchObject({ stored: 1 });
    expect(await readCommissions()).toEqual([
      expect.objectContaining({ amount: 0, reversedAmount: 750, status: 'reversed' }),
    ]);
  });

  it('follows the total of a click at FirstPromoter down, to zero and up again', async () => {
    const totals: number[] = [];
    for (const amount of [0, 4_000, 2_800, 0, 4_000, 4_000]) {
      respond = () => earnings(amount);
      now += DAY_MS;
      await sync('firstpromoter');
      totals.push((await readCommissions())[0]?.amount ?? -1);
    }
    expect(totals).toEqual([-1, 4_000, 2_800, 0, 4_000, 4_000]);
    expect(await store.readFacts()).toHaveLength(4);
    expect(upstream.calls[0]).toContain('/api/v2/affiliate/reports/sub_ids?');
  });

  it('counts a total per click only while no other source reports the commissions of the click', async () => {
    respond = () => earnings(4_000);
    await sync('firstpromoter');
    const read = async () =>
      (await readEntries(ledger))
        .filter(({ isCounted }) => isCounted)
        .map(({ commission }) => commission.amount);
    expect(await read()).toEqual([4_000]);
    const reported = buildSampleReport({ nativeId: '22', amount: 3_900, token: SAMPLE_CLICK });
    const reports = [{ reported, strings: [] }];
    await ledger.record({ partner: 'highlevel', terms: DEFAULT_TERMS, source: 'postback', reports });
    expect(await read()).toEqual([3_900]);
  });

  it('goes on at the page at which a run was interrupted', async () => {
    respond = (url) =>
      url.searchParams.get('starting_after') === null ? rewards([REWARD], true) : { status: 500, json: {} };
    expect(await sync('partnerstack')).toMatchObject({ state: 'failed', stored: 1 });
    upstream.calls.length = 0;
    respond = () => rewards([{ ...REWARD, key: 'rew_2' }]);
    expect(await sync('partnerstack')).toMatchObject({ state: 'done', stored: 1 });
    expect(upstream.calls).toEqual([expect.stringContaining('starting_after=rew_1')]);
    expect(await readCommissions()).toHaveLength(2);
  });

  it('waits as long as the network asks, and goes on', async () => {
    let calls = 0;
    respond = () =>
      ++calls < 3 ? { status: 429, headers: { 'retry-after': '7' }, json: {} } : rewards([REWARD]);
    expect(await sync('partnerstack')).toMatchObject({ state: 'done', stored: 1 });
    expect(pauses).toEqual([7_000, 7_000]);
  });

  it.each([
    ['status-401', 'refused the credentials (status 401)', 1],
    ['status-403', 'refused the credentials (status 403)', 1],
    ['status-429', 'asked to wait', 4],
    ['status-500', 'status 500', 4],
    ['hang', 'no complete response', 4],
    ['down', 'the connection failed', 4],
    ['wrong-shape', 'another form than documented', 4],
    ['broken-json', 'another form than documented', 4],
    ['html-with-200', 'another form than documented', 4],
  ] as const)('reports %s and leaves the ledger as it is', async (fault, problem, attempts) => {
    if (fault === 'hang') deadlineMs = 100;
    await upstream.fail(fault);
    const result = await sync('partnerstack');
    expect(result).toMatchObject({ state: 'failed', stored: 0 });
    expect(result.problem).toContain(problem);
    expect(pauses).toHaveLength(attempts - 1);
    expect(await store.readFacts()).toEqual([]);
  });

  it.each(API_NETWORKS)('reports a response of another shape than %s documents', async (network) => {
    await upstream.fail('wrong-shape');
    const result = await sync(network);
    expect(result).toMatchObject({ state: 'failed', stored: 0 });
    expect(result.problem).toContain('another form than documented');
  });

  it('reads pages by offset, in steps of what it got, also if that is less than it asked for', async () => {
    const rows = Array.from({ length: 350 }, (_, index) => ({
      conversion_data: {
        conversion_id: String(index),
        currency: 'USD',
        conversion_time: '2025-12-19 10:00:00',
        conversion_value: { publisher_commission: 1, conversion_status: 'pending' },
      },
    }));
    respond = ({ searchParams }) => {
      const offset = Number(searchParams.get('offset'));
      const isLast = searchParams.get('end_date')?.startsWith('2025-12-20');
      return { json: { conversions: isLast ? rows.slice(offset, offset + 100) : [] } };
    };
    expect(await sync('partnerize')).toMatchObject({ state: 'done', stored: 350 });
    expect(upstream.calls.filter((call) => call.includes('offset=300'))).toHaveLength(1);
    expect((await sync('partnerize')).stored).toBe(0);
  });

  it('reaches back to the oldest commission that is open, however long ago it was made', async () => {
    const respondWith = (conversion_status: string) => (url: URL) => {
      const [from = '', to = ''] = ['start_date', 'end_date'].map((name) => url.searchParams.get(name) ?? '');
      const isAsked =
        from < '2025-12-19T10' && to > '2025-12-19T10' && url.searchParams.get('offset') === '0';
      const conversion = { conversion_id: '1', currency: 'USD', conversion_time: '2025-12-19 10:00:00' };
      const conversion_value = { publisher_commission: 1, conversion_status };
      return { json: { conversions: isAsked ? [{ ...conversion, conversion_value }] : [] } };
    };
    respond = respondWith('pending');
    await sync('partnerize');
    now += 200 * DAY_MS;
    respond = respondWith('rejected');
    expect(await sync('partnerize')).toMatchObject({ stored: 1 });
    expect(await readCommissions()).toMatchObject([{ status: 'reversed' }]);
  });

  it('follows the next page on the host of the file alone, also behind an empty one', async () => {
    const row = (id: string) => ({
      transaction_id: id,
      commission: '3.20',
      status: 'pending',
      date: '2025-12-19',
    });
    const next = (href: string) => ({ meta: { pagination: { next: { href } } } });
    respond = ({ searchParams }) =>
      searchParams.has('page')
        ? { json: { data: [row('2')] } }
        : {
            json: {
              data: [],
              ...next(
                'https://api.pepperjamnetwork.com/20120402/publisher/report/transaction-details?page=2',
              ),
            },
          };
    expect(await sync('pepperjam')).toMatchObject({ state: 'done', problem: '', stored: 1 });
    expect(upstream.calls[1]).toContain('/20120402/publisher/report/transaction-details?page=2&apiKey=key');
    respond = () => ({ json: { data: [row('3')], ...next('https://elsewhere.example/?page=2') } });
    expect((await sync('pepperjam')).problem).toContain('another host');
  });

  it('asks for a token once, and sends it with each request', async () => {
    respond = ({ pathname }) =>
      pathname === '/uaa/oauth/token'
        ? { json: { access_token: 'token', expires_in: 3_600 } }
        : { json: { reportCurrencyCode: 'EUR', items: [] } };
    expect(await sync('tradedoubler')).toMatchObject({ state: 'done', problem: '' });
    expect(upstream.calls.filter((call) => call.startsWith('POST /uaa/oauth/token'))).toHaveLength(1);
    expect(upstream.lastHeaders().authorization).toBe('Bearer token');
  });

  it('waits before it asks more often than a network allows', async () => {
    respond = () => ({ json: [] });
    const slow = createSource('awin', { requests: 5, perSeconds: 60 });
    await syncNetwork(getSite(), 'awin', new Map([['kit', DEFAULT_TERMS]]), slow, randomUUID());
    expect([upstream.calls.length, pauses.length]).toEqual([12, 7]);
    expect(pauses.every((ms) => ms > 50_000 && ms <= 60_000)).toBe(true);
  });

  it('names an error that comes with status 200', async () => {
    respond = () => ({ json: { errors: [{ message: 'the company is unknown' }] } });
    expect((await sync('cj')).problem).toContain('the company is unknown');
  });

  it.each([
    [{ Payout: 'lots' }, 'amount must be a decimal number'],
    [{ Payout: '90000000' }, 'the amount is too large to be true'],
    [{ EventDate: '2031-01-05T10:00:00Z' }, 'the day 2031-01-05 is ahead'],
    [{ EventDate: '2569-11-20T10:00:00Z' }, 'the day 2569-11-20 is ahead'],
    [{ EventDate: '1925-11-20T10:00:00Z' }, 'the day 1925-11-20 is more than ten years ago'],
    [{ EventDate: '2025-02-30T10:00:00Z' }, 'at must be a time'],
    [{ EventDate: '0000-00-00T00:00:00Z' }, 'at must be a time'],
    [{ EventDate: '2025-11-20T10:00:00+99:00' }, 'at must be a time'],
  ])(
    'keeps a record with %j among the messages that wait, and the others of its page',
    async (wrong, problem) => {
      const records = [{ ...ACTION, ...wrong, Id: '1000.1.2' }, ACTION];
      respond = () => actions(records);
      for (let time = 0; time < 2; time += 1)
        expect(await sync('impact')).toMatchObject({
          state: 'done',
          problem: expect.stringContaining(`1 of its records could not be counted yet: ${problem}`),
        });
      expect((await readCommissions()).map(({ nativeId }) => nativeId)).toEqual(['1000.1.1']);
      const waiting = await store.readUnread();
      expect(waiting.map((one) => [one.problem, JSON.parse(one.content)])).toEqual([
        [expect.stringContaining(problem), { interface: records[0] }],
      ]);
    },
  );

  it('stops at a network that repeats its pages', async () => {
    respond = () => rewards([REWARD], true);
    expect(await sync('partnerstack')).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('repeats'),
    });
    respond = () => rewards([REWARD]);
    expect((await sync('partnerstack')).state).toBe('done');
  });

  it('lets one process read a network at a time', async () => {
    const { promise: isWaiting, resolve: release } = Promise.withResolvers<void>();
    const source: CommissionSource = {
      async *readPages() {
        await isWaiting;
        yield { reports: [], cursor: null };
      },
    };
    const first = syncNetwork(getSite(), 'partnerstack', new Map([['kit', DEFAULT_TERMS]]), source, 'first');
    respond = () => rewards([REWARD]);
    expect((await sync('partnerstack')).state).toBe('busy');
    release();
    expect((await first).state).toBe('done');
    now += 1;
    expect((await sync('partnerstack')).state).toBe('done');
  });
});
