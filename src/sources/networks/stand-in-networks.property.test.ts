import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEARCHED } from '../../../test/support/cases.ts';
import { createChance } from '../../../test/support/chance.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createSyncSite, createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { DAY_MS } from '../../core/clock.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { parseJson } from '../../core/text/parse-text.ts';
import { syncNetwork } from '../../server/commissions/sync-networks.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { type GuardedRequest, type GuardedResponse, HttpError } from '../http/http-get.ts';
import { createApiSource, isConnected } from './network-api.ts';

// Every network whose interface is read, as a server that knows the truth. The servers share no code with the program:
// each is written from what the network's file says of requests, windows, pages and responses.

type Status = 'pending' | 'approved' | 'paid' | 'reversed';

interface State {
  readonly at: number;
  readonly status: Status;
  /** Minor units. */
  readonly amount: number;
}

/** A commission with all that will become of it; its first state is that of the sale. */
interface Sale {
  readonly id: string;
  readonly at: number;
  readonly states: readonly State[];
}

/** A commission as it is at a moment. */
interface Row extends State {
  readonly id: string;
  readonly sold: number;
  /** When the status and when the amount changed last; the sale without a change. */
  readonly decided: number;
  readonly amended: number;
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly now: number;
  /** What the network responds to a page behind the last one. */
  readonly behind: 'empty' | 'last' | 'refused';
}

interface Server {
  readonly origin: string;
  /** Where tokens come from. */
  readonly tokens?: string;
  readonly words: Readonly<Partial<Record<Status, readonly (string | number)[]>>>;
  /** Which changes are found long after the sale: all, or those of commissions that are still open. */
  readonly late: 'all' | 'open';
  readonly nearDays: number;
  /** The most requests in so many seconds. */
  readonly rate?: readonly [number, number];
  /** Corrections are records of their own with a negative amount. */
  readonly corrects?: boolean;
  readonly currency: string;
  /** The id that the ledger has. */
  readonly name?: (row: { id: string; sold: number }) => string;
  readonly isAllowed: (asked: Asked, token: string) => boolean;
  /** The response to a request; undefined for a request that the network refuses with status 400. */
  readonly respond: (asked: Asked, rows: readonly Row[], draw: Draw) => unknown;
}

/** Random numbers of a case. */
interface Draw {
  readonly chance: (share: number) => boolean;
  readonly between: (least: number, most: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

function createDraw(seed: number): Draw {
  const next = createChance(seed);
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    chance: (share) => next() < share,
    between,
    pick: (list) => {
      const item = list[between(0, list.length - 1)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}

const dig = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
const text = (value: unknown) => (value === undefined || value === null ? '' : String(value));
const iso = (time: number) => new Date(time).toISOString();
const plain = (time: number) => iso(time).slice(0, 19).replace('T', ' ');
const day = (time: number) => iso(time).slice(0, 10);
const money = (amount: number) => (amount / 100).toFixed(2);
/** A time that a request names; `undefined` for one that is not written as it has to be. */
const readTime = (value: string, form: RegExp) => (form.test(value) ? Date.parse(value) : Number.NaN);
const ISO_Z = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ISO_PLAIN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const utc = (value: string) => readTime(value.replace(/$/, ISO_PLAIN.test(value) ? 'Z' : ''), ISO_Z);
const bearer = ({ headers }: Asked, token: string) => headers['authorization'] === `Bearer ${token}`;
const basic = ({ headers }: Asked) =>
  headers['authorization'] === `Basic ${Buffer.from('key:key').toString('base64')}`;

/** The rows of days that are both included; null for days that are not written as they have to be. */
function ofDays(rows: readonly Row[], from: string, to: string, read = (row: Row) => day(row.sold)) {
  if (!DAY.test(from) || !DAY.test(to)) return null;
  return rows.filter((row) => read(row) >= from && read(row) <= to);
}

/** The rows between two times; null for a window that is not one, or that is longer than so many days. */
function between(
  rows: readonly Row[],
  [from, to]: readonly [number, number],
  days: number,
  read = (row: Row) => row.sold,
) {
  if (!(from < to) || to - from > days * DAY_MS) return null;
  return rows.filter((row) => read(row) >= from && read(row) < to);
}

/** A part of a list by `offset` and `limit`. */
function slice(rows: readonly Row[] | null, offset: string, limit: string) {
  if (rows === null || !/^\d+$/.test(offset) || !/^[1-9]\d*$/.test(limit)) return null;
  return rows.slice(Number(offset), Number(offset) + Number(limit));
}

/** A page that there is not: status 404. */
class NotFound extends Error {}

/** A page from 1 on. */
function pageOf(rows: readonly Row[] | null, page: string, size: string, behind: Asked['behind'] = 'empty') {
  if (!/^[1-9]\d*$/.test(page)) return null;
  const last = Math.max(1, Math.ceil((rows?.length ?? 0) / Number(size)));
  if (behind === 'refused' && Number(page) > last) throw new NotFound();
  // The only page again, if it is full, could not be told from a network that ignores the number.
  const isTold = last > 1 || (rows?.length ?? 0) < Number(size);
  const at = behind === 'last' && isTold ? Math.min(last, Number(page)) : Number(page);
  return slice(rows, String((at - 1) * Number(size)), size);
}

const denver = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Denver',
  dateStyle: 'short',
  timeStyle: 'medium',
});

const SERVERS: Readonly<Record<string, Server>> = {
  admitad: {
    origin: 'https://api.admitad.com',
    tokens: 'https://api.admitad.com/token/',
    words: {
      pending: ['pending', 'hold'],
      approved: ['approved', 'approved_but_stalled'],
      reversed: ['declined'],
    },
    late: 'open',
    nearDays: 120,
    currency: 'EUR',
    isAllowed: bearer,
    respond: ({ path, query }, rows, { pick }) => {
      const [from = '', to = ''] = ['date_start', 'date_end'].map((name) =>
        (query.get(name) ?? '').split('.').reverse().join('-'),
      );
      if (path !== '/statistics/actions/') return undefined;
      const page = slice(ofDays(rows, from, to), query.get('offset') ?? '0', query.get('limit') ?? '20');
      return (
        page && {
          results: page.map((row) => ({
            action_id: Number(row.id),
            subid: '',
            payment: row.amount / 100,
            cart: 100,
            currency: 'EUR',
            action_date: plain(row.sold),
            status_updated: plain(row.at),
            click_date: null,
            status: pick(SERVERS['admitad']?.words[row.status] ?? []),
          })),
        }
      );
    },
  },
  adtraction: {
    origin: 'https://api.adtraction.com',
    words: { pending: [2, 4], approved: [1], reversed: [5] },
    late: 'open',
    nearDays: 120,
    currency: 'SEK',
    rate: [30, 60],
    isAllowed: ({ headers }) => headers['X-Token'] === 'key',
    respond: ({ method, path, body }, rows, { pick }) => {
      if (method !== 'POST' || path !== '/v2/affiliate/transactions' || dig(body, 'transactionStatus') !== 0)
        return undefined;
      const times = [utc(text(dig(body, 'fromDate'))), utc(text(dig(body, 'toDate')))] as const;
      return between(rows, times, 31)?.map((row) => ({
        uniqueId: row.id,
        commission: row.amount / 100,
        orderValue: 100,
        currency: 'SEK',
        transactionStatus: pick(SERVERS['adtraction']?.words[row.status] ?? []),
        transactionDate: iso(row.sold),
        lastUpdated: iso(row.at),
        click: { epi: null },
      }));
    },
  },
  awin: {
    origin: 'https://api.awin.com',
    words: {
      pending: ['pending'],
      approved: ['approved'],
      reversed: ['declined', 'deleted'],
      paid: ['approved'],
    },
    late: 'all',
    nearDays: 120,
    currency: 'GBP',
    rate: [20, 60],
    isAllowed: bearer,
    respond: ({ path, query }, rows, { pick }) => {
      if (path !== '/publishers/key/transactions/' || query.get('timezone') !== 'UTC') return undefined;
      const [start = '', end = ''] = ['startDate', 'endDate'].map((name) => query.get(name) ?? '');
      if (!ISO_PLAIN.test(start) || !ISO_PLAIN.test(end)) return undefined;
      const dates: Record<string, (row: Row) => number> = {
        transaction: (row) => row.sold,
        validation: (row) => (row.decided === row.sold ? 0 : row.decided),
        amendment: (row) => (row.amended === row.sold ? 0 : row.amended),
      };
      return between(rows, [utc(start), utc(end)], 31, dates[query.get('dateType') ?? ''])?.map((row) => ({
        id: Number(row.id),
        paidToPublisher: row.status === 'paid',
        clickRefs: null,
        clickDate: null,
        commissionStatus: pick(SERVERS['awin']?.words[row.status] ?? []),
        commissionAmount: { amount: row.amount / 100, currency: 'GBP' },
        saleAmount: { amount: 100, currency: 'GBP' },
        transactionDate: iso(row.sold).slice(0, 19),
      }));
    },
  },
  cj: {
    origin: 'https://commissions.api.cj.com',
    words: { pending: ['new', 'extended'], approved: ['locked', 'closed'] },
    late: 'open',
    nearDays: 120,
    corrects: true,
    currency: 'USD',
    isAllowed: bearer,
    respond: ({ path, method, body }, rows, { pick, between: number }) => {
      const read = (name: string) => text(dig(body, 'variables', name));
      const own = between(rows, [utc(read('from')), utc(read('to'))], 31);
      if (path !== '/query' || method !== 'POST' || text(dig(body, 'variables', 'company', '0')) !== 'key')
        return undefined;
      if (own === null) return { errors: [{ message: 'the range is longer than 31 days' }], data: null };
      const left = own
        .filter(({ id }) => Number(id) > Number(read('after') || -1))
        .sort((one, other) => Number(one.id) - Number(other.id));
      const page = left.slice(0, number(1, 4));
      const records = page.map((row) => ({
        commissionId: row.id,
        originalActionId: row.id,
        actionType: 'sim_sale',
        shopperId: '',
        actionStatus: pick(SERVERS['cj']?.words[row.status] ?? []),
        pubCommissionAmountUsd: money(row.amount),
        saleAmountUsd: '100.00',
        eventDate: iso(row.sold),
        postingDate: iso(row.sold),
        clickDate: null,
      }));
      const rest = { payloadComplete: page.length === left.length, maxCommissionId: page.at(-1)?.id ?? null };
      return { data: { publisherCommissions: { ...rest, count: page.length, records } } };
    },
  },
  ebay: {
    origin: 'https://api.partner.ebay.com',
    words: { pending: ['Pending'], approved: ['Approved'], reversed: ['Reversed'] },
    late: 'open',
    nearDays: 120,
    currency: 'USD',
    isAllowed: basic,
    respond: ({ path, query }, rows, { pick }) => {
      if (path !== '/Mediapartners/key/Reports/ebay_partner_transaction_detail.json') return undefined;
      const [from = '', to = ''] = ['START_DATE', 'END_DATE'].map((name) => query.get(name) ?? '');
      const own = ofDays(rows, from, to, ({ sold }) => denver.format(sold).slice(0, 10));
      return (
        own && {
          Records: own.flatMap((row) => [
            { EpnTransactionId: `click-${row.id}`, EventName: 'Click', Status: 'Approved', Earnings: '0' },
            {
              EpnTransactionId: row.id,
              EventName: pick(['Sale', 'Winning Bid (Revenue)']),
              CustomId: '',
              Earnings: money(row.amount),
              Sales: '100.00',
              ClickTimestamp: denver.format(row.sold),
              Status: pick(SERVERS['ebay']?.words[row.status] ?? []),
            },
          ]),
        }
      );
    },
  },
  everflow: {
    origin: 'https://api.eflow.team',
    words: { pending: ['pending', 'on_hold'], approved: ['approved'], reversed: ['rejected', 'invalid'] },
    late: 'open',
    nearDays: 120,
    currency: 'USD',
    isAllowed: ({ headers }) => headers['X-Eflow-API-Key'] === 'key',
    respond: ({ method, path, query, body, behind }, rows, { pick }) => {
      const [from, to] = [text(dig(body, 'from')), text(dig(body, 'to'))];
      if (method !== 'POST' || path !== '/v1/affiliates/reporting/conversions') return undefined;
      if (Date.parse(to) - Date.parse(from) > 14 * DAY_MS || dig(body, 'timezone_id') !== 67)
        return undefined;
      const page = pageOf(
        ofDays(rows, from, to),
        query.get('page') ?? '',
        query.get('page_size') ?? '',
        behind,
      );
      return (
        page && {
          conversions: page.map((row) => ({
            conversion_id: `c${row.id}`,
            sub1: '',
            payout: row.amount / 100,
            sale_amount: 100,
            currency_id: 'USD',
            conversion_unix_timestamp: Math.floor(row.sold / 1_000),
            status: pick(SERVERS['everflow']?.words[row.status] ?? []),
          })),
        }
      );
    },
    name: ({ id }) => `c${id}`,
  },
  firstpromoter: {
    origin: 'https://api.firstpromoter.com',
    words: { pending: [''] },
    late: 'open',
    nearDays: 120,
    currency: 'USD',
    isAllowed: (asked, token) => bearer(asked, token) && asked.headers['account-id'] === 'key',
    respond: ({ path, query, behind }, rows) => {
      const read = (name: string) => query.get(name) ?? '';
      const page = (own: readonly Row[] | null) => pageOf(own, read('page'), read('per_page'), behind);
      if (path === '/api/v2/affiliate/commissions')
        return page(ofDays(rows, read('filters[created_at][from]'), '9999-12-31'))?.map((row) => ({
          id: Number(row.id),
          status: 'approved',
          unit: 'cash',
          amount: row.amount,
          created_at: iso(row.sold),
        }));
      if (path !== '/api/v2/affiliate/reports/sub_ids' || read('group_by') !== 'day') return undefined;
      const earn = (amount: number) => ({ promoter_earnings_amount: amount, refunds_count: 0 });
      const list = page(ofDays(rows, read('start_date'), read('end_date')))?.map((row) => ({
        sub_id: `click-${row.id}`,
        data: earn(row.amount),
        sub_data: [{ period: day(row.sold), data: earn(row.amount) }],
      }));
      return list && { data: list };
    },
    name: ({ id, sold }) => `sub:click-${id}:${day(sold)}`,
  },
  impact: {
    origin: 'https://api.impact.com',
    words: { pending: ['PENDING'], approved: ['APPROVED'], reversed: ['REVERSED'] },
    late: 'all',
    nearDays: 40,
    currency: 'EUR',
    isAllowed: basic,
    respond: ({ path, query, headers }, rows) => {
      const read = (name: string) => query.get(name) ?? '';
      if (path !== '/Mediapartners/key/Actions' || headers['ir-version'] !== '16') return undefined;
      const own = query.has('StartDate')
        ? between(rows, [utc(read('StartDate')), utc(read('EndDate'))], 45, ({ amended }) => amended)
        : between(
            rows.filter(({ decided, sold }) => decided !== sold),
            [utc(read('LockingDateStart')), utc(read('LockingDateEnd'))],
            45,
            ({ decided }) => decided,
          );
      const page = pageOf(own, read('Page'), read('PageSize'));
      return (
        page && {
          '@numpages': String(Math.ceil((own?.length ?? 0) / Number(read('PageSize')))),
          Actions: page.map((row) => ({
            Id: `1000.${row.id}.1`,
            State: row.status.toUpperCase(),
            Currency: 'EUR',
            CampaignId: '7',
            Payout: row.status === 'reversed' ? '0.00' : money(row.amount),
            Amount: '100.00',
            EventDate: iso(row.sold).replace('.000Z', '+00:00'),
            SubId1: '',
          })),
        }
      );
    },
    name: ({ id }) => `1000.${id}.1`,
  },
  kwanko: {
    origin: 'https://api.kwanko.com',
    words: { pending: ['pending_approval'], approved: ['v'], reversed: ['r'] },
    late: 'open',
    nearDays: 120,
    currency: 'EUR',
    isAllowed: bearer,
    respond: ({ path, query }, rows, { pick }) => {
      const times = ['completion_date_from', 'completion_date_to'].map((name) => utc(query.get(name) ?? ''));
      const own = between(rows, [times[0] ?? 0, times[1] ?? 0], 31);
      if (path !== '/publishers/conversions' || query.get('columns') !== 'ALL' || own === null)
        return undefined;
      return {
        conversions: own.map((row) => ({
          kwanko_id: `k${row.id}`,
          campaign: { id: 7 },
          turnover: { value: 100, currency: 'EUR' },
          state: pick(SERVERS['kwanko']?.words[row.status] ?? []),
          completed_at_timestamp: row.sold / 1_000,
          websites_per_language: [{ earnings: { value: row.amount / 100, currency: 'EUR' }, argsites: [] }],
        })),
      };
    },
    name: ({ id }) => `7-k${id}`,
  },
  partnerize: {
    origin: 'https://api.partnerize.com',
    words: { pending: ['pending'], approved: ['approved', 'mixed'], reversed: ['rejected'] },
    late: 'open',
    nearDays: 120,
    currency: 'GBP',
    isAllowed: basic,
    respond: ({ path, query }, rows, { pick }) => {
      const read = (name: string) => query.get(name) ?? '';
      if (path !== '/reporting/report_publisher/publisher/key/conversion.json') return undefined;
      const own = between(rows, [utc(read('start_date')), utc(read('end_date'))], 31);
      const page = slice(own, read('offset'), read('limit'));
      return (
        page && {
          conversions: page.map((row) => ({
            conversion_data: {
              conversion_id: `p${row.id}`,
              publisher_reference: '',
              currency: 'GBP',
              conversion_time: plain(row.sold),
              last_modified: plain(row.at),
              conversion_value: {
                value: 100,
                publisher_commission: row.amount / 100,
                conversion_status: pick(SERVERS['partnerize']?.words[row.status] ?? []),
              },
            },
          })),
        }
      );
    },
    name: ({ id }) => `p${id}`,
  },
  partnerstack: {
    origin: 'https://api.partnerstack.com',
    words: { pending: ['pending', 'hold'], approved: ['approved'], paid: ['paid'], reversed: ['declined'] },
    late: 'open',
    nearDays: 400,
    currency: 'USD',
    isAllowed: bearer,
    respond: ({ path, query }, rows, { pick, chance }) => {
      const read = (name: string) => query.get(name) ?? '';
      if (path !== '/api/v2/rewards' || !/^\d{13}$/.test(read('min_created'))) return undefined;
      const own = rows
        .filter(({ sold }) => sold >= Number(read('min_created')))
        .sort((one, other) => one.sold - other.sold || Number(one.id) - Number(other.id));
      const after = read('starting_after');
      const start = after === '' ? 0 : own.findIndex(({ id }) => `rew_${id}` === after) + 1;
      // A key that is no longer in the list.
      if (after !== '' && start === 0) return undefined;
      const page = own.slice(start, start + (chance(0.2) ? 1 : Number(read('limit'))));
      const items = page.map((row) => ({
        key: `rew_${row.id}`,
        amount: row.amount,
        currency: 'USD',
        customer: null,
        company: null,
        created_at: row.sold,
        updated_at: row.at,
        reward_status: pick(SERVERS['partnerstack']?.words[row.status] ?? []),
      }));
      return { data: { has_more: start + page.length < own.length, items }, status: '', message: '' };
    },
    name: ({ id }) => `rew_${id}`,
  },
  pepperjam: {
    origin: 'https://api.pepperjamnetwork.com',
    words: {
      pending: ['pending', 'delayed'],
      approved: ['locked'],
      paid: ['paid'],
      reversed: ['unconfirmed'],
    },
    late: 'open',
    nearDays: 120,
    currency: 'USD',
    isAllowed: ({ query }) => query.get('apiKey') === 'key',
    respond: ({ path, query }, rows, { pick, between: number, chance }) => {
      const read = (name: string) => query.get(name) ?? '';
      if (path !== '/20120402/publisher/report/transaction-details' || read('format') !== 'json')
        return undefined;
      const own = ofDays(rows, read('startDate'), read('endDate'));
      const start = Number(read('from') || 0);
      // A page may be empty and name a next one.
      const page = own?.slice(start, start + (chance(0.2) ? 0 : number(1, 4)));
      if (!own || !page) return undefined;
      const end = start + page.length;
      const rest = `startDate=${read('startDate')}&endDate=${read('endDate')}&from=${end}`;
      const href = `https://api.pepperjamnetwork.com${path}?format=json&page=${Number(read('page')) + 1}&${rest}`;
      return {
        meta: { pagination: end < own.length ? { next: { rel: 'next', href } } : {} },
        data: page.map((row) => ({
          transaction_id: row.id,
          sid: '',
          commission: money(row.amount),
          sale_amount: '100.00',
          status: pick(SERVERS['pepperjam']?.words[row.status] ?? []),
          date: plain(row.sold),
        })),
      };
    },
  },
  rakuten: {
    origin: 'https://api.rakutenmarketing.com',
    tokens: 'https://api.rakutenmarketing.com/token',
    words: { approved: [''] },
    late: 'open',
    nearDays: 30,
    corrects: true,
    currency: 'USD',
    isAllowed: bearer,
    respond: ({ path, query, now, behind }, rows) => {
      const read = (name: string) => query.get(name) ?? '';
      const [from, to] = [utc(read('process_date_start')), utc(read('process_date_end'))];
      // Events are kept for about 30 days.
      if (path !== '/events/1.0/transactions' || from < now - 31 * DAY_MS) return undefined;
      return pageOf(between(rows, [from, to], 31), read('page'), read('limit'), behind)?.map((row) => ({
        etransaction_id: `e${row.id}`,
        u1: '',
        commissions: row.amount / 100,
        currency: 'USD',
        sale_amount: row.amount,
        transaction_date: plain(row.sold),
        process_date: plain(row.at),
      }));
    },
    name: ({ id }) => `e${id}`,
  },
  skimlinks: {
    origin: 'https://reporting.skimapis.com',
    tokens: 'https://authentication.skimapis.com/access_token',
    words: { pending: ['active'], paid: ['active'], reversed: ['cancelled'] },
    late: 'all',
    nearDays: 120,
    currency: 'USD',
    isAllowed: ({ query }, token) => query.get('access_token') === token,
    respond: ({ path, query }, rows, { pick }) => {
      const since = utc(query.get('updated_since') ?? '');
      if (path !== '/publisher/key/commission-report' || Number.isNaN(since)) return undefined;
      const own = rows.filter(({ at }) => at >= since).sort((one, other) => one.at - other.at);
      const page = slice(own, query.get('offset') ?? '', query.get('limit') ?? '');
      return (
        page && {
          commissions: page.map((row) => ({
            commission_id: Number(row.id),
            click_details: { custom_id: null, date: null },
            transaction_details: {
              status: pick(SERVERS['skimlinks']?.words[row.status] ?? []),
              payment_status: row.status === 'paid' ? 'paid' : 'unpaid',
              transaction_date: plain(row.sold),
              last_updated: plain(row.at),
              basket: { publisher_amount: row.amount / 100, order_amount: 100, currency: 'USD' },
            },
          })),
        }
      );
    },
  },
  tradedoubler: {
    origin: 'https://connect.tradedoubler.com',
    tokens: 'https://connect.tradedoubler.com/uaa/oauth/token',
    words: { pending: ['P'], approved: ['A'], paid: ['A'], reversed: ['D'] },
    late: 'all',
    nearDays: 120,
    currency: 'EUR',
    rate: [60, 60],
    isAllowed: bearer,
    respond: ({ path, query }, rows, { pick }) => {
      const read = (name: string) => query.get(name) ?? '';
      if (path !== '/publisher/report/transactions' || read('lastModified') !== 'true') return undefined;
      const [from = '', to = ''] = ['fromDate', 'toDate'].map((name) =>
        read(name).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
      );
      const page = slice(
        ofDays(rows, from, to, ({ at }) => day(at)),
        read('offset'),
        read('limit'),
      );
      return (
        page && {
          reportCurrencyCode: 'EUR',
          items: page.map((row) => ({
            transactionId: Number(row.id),
            eventTypeId: 5,
            epi: '',
            commission: row.amount / 100,
            status: pick(SERVERS['tradedoubler']?.words[row.status] ?? []),
            paid: row.status === 'paid',
            orderValue: 100,
            timeOfTransaction: `${plain(row.sold)}.0`,
            timeOfLastModified: `${plain(row.at)}.0`,
          })),
        }
      );
    },
  },
  travelpayouts: {
    origin: 'https://api.travelpayouts.com',
    words: { pending: ['processing'], approved: ['paid'], reversed: ['cancelled'] },
    late: 'open',
    nearDays: 180,
    currency: 'USD',
    isAllowed: ({ headers }) => headers['X-Access-Token'] === 'key',
    respond: ({ method, path, body }, rows, { pick }) => {
      if (method !== 'POST' || path !== '/statistics/v1/execute_query') return undefined;
      const own = ofDays(rows, text(dig(body, 'filters', '1', 'value')), '9999-12-31');
      if (typeof dig(body, 'offset') !== 'number' || typeof dig(body, 'limit') !== 'number') return undefined;
      const sorted = own && [...own].sort((one, other) => one.sold - other.sold);
      const page = slice(sorted, text(dig(body, 'offset')), text(dig(body, 'limit')));
      return (
        page && {
          results: page.map((row) => ({
            action_id: `150:${row.id}`,
            sub_id: '',
            long_sub_id: '',
            price_usd: 100,
            state: pick(SERVERS['travelpayouts']?.words[row.status] ?? []),
            paid_profit_usd: row.status === 'approved' ? row.amount / 100 : 0,
            processing_profit_usd: row.status === 'approved' ? 0 : row.amount / 100,
            date: day(row.sold),
            created_at: plain(row.sold),
            updated_at: plain(row.at),
          })),
        }
      );
    },
    name: ({ id }) => `150:${id}`,
  },
  tune: {
    origin: 'https://api.hasoffers.com',
    words: { pending: ['pending'], approved: ['approved'], reversed: ['rejected'] },
    late: 'open',
    nearDays: 120,
    currency: 'USD',
    isAllowed: ({ query }) => query.get('api_key') === 'key',
    respond: ({ path, query }, rows, { pick }) => {
      const read = (name: string) => query.get(name) ?? '';
      if (path !== '/v3/Affiliate_Report.json' || read('NetworkId') !== 'key') return undefined;
      const own = ofDays(rows, read('filters[Stat.date][values][0]'), read('filters[Stat.date][values][1]'));
      const page = pageOf(own, read('page'), read('limit'));
      if (page === null) return { response: { errorMessage: 'a parameter is missing', data: null } };
      const data = page.map((row) => ({
        Stat: {
          ad_id: row.id,
          affiliate_info1: '',
          payout: money(row.amount),
          conversion_sale_amount: '100.00',
          datetime: plain(row.sold),
          conversion_status: pick(SERVERS['tune']?.words[row.status] ?? []),
        },
      }));
      const pageCount = Math.ceil((own?.length ?? 0) / Number(read('limit')));
      return { response: { status: 1, errorMessage: '', data: { page: 1, pageCount, data } } };
    },
  },
};

const START = Date.parse('2025-01-10T09:00:00Z');

/** Draws sales and what becomes of each; every change is one that the network shows when it is asked in time. */
function drawSales(server: Server, draw: Draw, days: number): readonly Sale[] {
  const { between: number, chance, pick } = draw;
  const statuses = Object.keys(server.words) as Status[];
  // So many days after the sale a change is still found, even if the network is away for a while.
  const near = server.nearDays / 2;
  return Array.from({ length: number(1, 40) }, (_, index): Sale => {
    const at = START + number(0, days * 1_440) * 60_000;
    const isCorrection = server.corrects === true && chance(0.2);
    const amount = () => (isCorrection ? -1 : 1) * number(1, 50_000);
    const first: Status = statuses.includes('pending') ? 'pending' : 'approved';
    const states: State[] = [{ at, status: chance(0.8) ? first : pick(statuses), amount: amount() }];
    for (let left = server.corrects === true && first !== 'pending' ? 0 : number(0, 4); left > 0; left -= 1) {
      const last = states.at(-1) ?? { at, status: first, amount: 1 };
      const changed = last.at + number(1, chance(0.5) ? 3_000 : 200_000) * 60_000;
      const isLate = changed - at > near * DAY_MS;
      const isAmount = server.words.pending?.[0] === '' || chance(0.3);
      const isShown =
        server.late === 'all' || (last.status === 'pending' && server.words.pending?.[0] !== '') || !isLate;
      const status = isAmount ? last.status : pick(statuses);
      // Windows reach back for open commissions, but not for ever.
      const isTooLate = server.late === 'open' && changed - at > 300 * DAY_MS;
      if (!isShown || isTooLate || (isLate && status === 'paid') || changed > START + days * DAY_MS) continue;
      const value = server.corrects === true ? last.amount : isAmount ? amount() : last.amount;
      states.push({ at: changed, status, amount: value });
    }
    return { id: String(1_000 + index), at, states };
  });
}

/** The commissions that a network has at a moment. */
function readRows(sales: readonly Sale[], now: number): readonly Row[] {
  return sales.flatMap(({ id, at, states }) => {
    const past = states.filter((state) => state.at <= now);
    const last = past.at(-1);
    if (last === undefined) return [];
    let [decided, amended] = [at, at];
    past.forEach((state, index) => {
      const before = past[index - 1] ?? state;
      if (state.status !== before.status) decided = state.at;
      if (state.amount !== before.amount) amended = state.at;
    });
    return [{ ...last, id, sold: at, decided, amended }];
  });
}

const json = (status: number, value: unknown, headers: Record<string, string> = {}): GuardedResponse => ({
  status,
  text: JSON.stringify(value),
  headers: new Headers({ 'content-type': 'application/json', ...headers }),
});

/** A network on the other side: it limits, fails, forgets tokens and goes away as a case draws it. */
class StandIn {
  now = START;
  /** The share of requests that fail. */
  weather = 0;
  /** After so many more requests the network is away until `weather` is set again. */
  awayAfter = Number.POSITIVE_INFINITY;
  limited = 0;
  #token = 'key';
  #issued = 0;
  #times: number[] = [];
  readonly #server: Server;
  readonly #sales: readonly Sale[];
  readonly #draw: Draw;
  readonly #isNewestFirst: boolean;
  readonly #behind: Asked['behind'];
  /** The most records that the network gives at once, however many are asked for. */
  readonly #most: number;
  /** Whether addresses of next pages lead elsewhere. */
  isTaken = false;

  constructor(server: Server, sales: readonly Sale[], draw: Draw) {
    this.#server = server;
    this.#sales = sales;
    this.#draw = draw;
    this.#isNewestFirst = draw.chance(0.5);
    this.#behind = draw.pick(['empty', 'last', 'refused']);
    this.#most = draw.pick([2, 4, 1_000]);
    if (server.tokens !== undefined) this.#token = '';
  }

  forgetToken() {
    if (this.#server.tokens !== undefined) this.#token = `forgotten ${this.#issued}`;
  }

  readonly get = async (address: URL, options: GuardedRequest): Promise<GuardedResponse> => {
    this.now += this.#draw.between(20, 3_000);
    const { tokens, origin } = this.#server;
    const place = address.origin + address.pathname;
    if (address.origin !== origin && place !== tokens) throw new Error(`asked ${address.origin}`);
    this.#fail();
    if (place === tokens) {
      expect(new URLSearchParams(options.body).get('grant_type')).toMatch(/^(client_credentials|password)$/);
      this.#issued += 1;
      this.#token = `token ${this.#issued}`;
      return json(200, { access_token: this.#token, token_type: 'bearer', expires_in: 86_400 });
    }
    const [requests, seconds] = this.#server.rate ?? [Number.POSITIVE_INFINITY, 1];
    this.#times = this.#times.filter((time) => time > this.now - seconds * 1_000);
    if (this.#times.length >= requests) {
      this.limited += 1;
      return json(429, {}, { 'retry-after': String(seconds) });
    }
    this.#times.push(this.now);
    const fault = this.#draw.chance(this.weather) ? this.#drawFault() : null;
    if (fault !== null) return fault;
    const asked: Asked = {
      method: options.body === undefined ? 'GET' : 'POST',
      path: address.pathname,
      now: this.now,
      query: address.searchParams,
      body: parseJson(options.body ?? ''),
      headers: options.headers,
      behind: this.#behind,
    };
    for (const name of ['limit', 'PageSize', 'page_size', 'per_page']) {
      const limit = Number(asked.query.get(name) ?? 0);
      if (limit > this.#most) asked.query.set(name, String(this.#most));
    }
    if (!this.#server.isAllowed(asked, this.#token)) return json(401, { error: 'unauthorized' });
    const rows = readRows(this.#sales, this.now).toSorted((one, other) => one.sold - other.sold);
    const listed = this.#isNewestFirst ? rows.toReversed() : rows;
    let value: unknown;
    try {
      value = this.#server.respond(asked, listed, this.#draw);
    } catch (error) {
      if (error instanceof NotFound) return json(404, { error: 'no such page' });
      throw error;
    }
    if (value === undefined || value === null) return json(400, { error: 'bad request' });
    const response = json(200, value);
    const elsewhere = response.text.replaceAll(`"${this.#server.origin}`, '"https://elsewhere.example');
    return this.isTaken ? { ...response, text: elsewhere } : response;
  };

  #fail() {
    this.awayAfter -= 1;
    if (this.awayAfter < 0) throw new HttpError(this.#draw.pick(['unreachable', 'timeout'] as const));
    if (!this.#draw.chance(this.weather / 3)) return;
    throw new HttpError(this.#draw.pick(['unreachable', 'timeout', 'invalid-body'] as const));
  }

  #drawFault(): GuardedResponse {
    const { pick, between: number } = this.#draw;
    const wait = pick([String(number(0, 90)), '900', new Date(this.now + 20_000).toUTCString(), 'soon']);
    return pick([
      () => json(429, {}, { 'retry-after': wait }),
      () => json(503, {}, { 'retry-after': wait }),
      () => json(pick([500, 502, 504, 429]), { error: 'down' }),
      () => ({ ...json(200, {}), text: '{"data": [{"id": ' }),
      () => ({
        ...json(200, {}),
        headers: new Headers({ 'content-type': 'text/html' }),
        text: '<h1>Hello</h1>',
      }),
    ])();
  }
}

/** Kills the process before or after one of its next writes. */
function breakWrites(store: Ledger, draw: Draw): Ledger {
  let left = draw.between(1, 12);
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'append' && name !== 'writeState') return value.bind(target);
      return async (...values: unknown[]) => {
        left -= 1;
        if (left === 0 && draw.chance(0.5)) throw new Error('killed');
        const result: unknown = await value.apply(target, values);
        if (left === 0) throw new Error('killed');
        return result;
      };
    },
  });
}

const networks = readShippedNetworks();

function openSource(network: string, standIn: StandIn, size: number) {
  const file = networks.get(network);
  const findSecret = () => 'key';
  if (file === undefined || !isConnected(file, findSecret)) throw new Error(`${network} has no interface`);
  // Pages are as long as documented, but for their number of records: so few make several pages.
  const shorten = <List extends { readonly page: (typeof file)['interface']['page'] }>(list: List): List => ({
    ...list,
    page: { ...list.page, ...(list.page.size && { size: { ...list.page.size, value: size } }) },
  });
  const { compare } = file.interface;
  const api = { ...shorten(file.interface), ...(compare && { compare: shorten(compare) }) };
  const clock = { now: () => standIn.now, monotonic: () => standIn.now };
  const sleep = async (ms: number) => {
    standIn.now += ms;
  };
  return createApiSource(
    { ...file, interface: api },
    { get: standIn.get, clock, findSecret, testHosts: new Map(), sleep },
  );
}

/** Plays a random history of a network against the program, and compares its ledger with the truth. */
async function play(network: string, seed: number) {
  const server = SERVERS[network];
  if (server === undefined) throw new Error(`${network} has no stand-in`);
  const draw = createDraw(seed);
  const days = draw.between(20, 400);
  const sales = drawSales(server, draw, days);
  const standIn = new StandIn(server, sales, draw);
  const store = createMemoryLedger();
  const clicks = createMemoryClicks([]);
  const size = draw.between(1, 7);
  const now = () => standIn.now;
  const partners = new Map([['shop', { ...DEFAULT_TERMS, network, currency: server.currency }]]);
  let source = openSource(network, standIn, size);
  const poll = async (to: Ledger) => {
    const commissions = createTestLedger({ store: to, clicks, now });
    return syncNetwork(createSyncSite(commissions, to, now), network, partners, source, 'one');
  };
  const end = START + (days + 2) * DAY_MS;
  const stepDays = Math.min(20, server.nearDays / 4);
  while (standIn.now < end) {
    standIn.weather = draw.pick([0, 0.1, 0.5]);
    standIn.awayAfter = draw.chance(0.3) ? draw.between(0, 8) : Number.POSITIVE_INFINITY;
    standIn.isTaken = draw.chance(0.1);
    if (draw.chance(0.2)) standIn.forgetToken();
    if (draw.chance(0.3)) source = openSource(network, standIn, size);
    const isKilled = draw.chance(0.3);
    const polling = poll(isKilled ? breakWrites(store, draw) : store);
    await (isKilled ? polling.catch((error) => expect(String(error)).toBe('Error: killed')) : polling);
    const isSoon = standIn.weather > 0 && draw.chance(0.7);
    standIn.now += isSoon ? 6 * 3_600_000 : draw.between(6, stepDays * 24) * 3_600_000;
  }
  standIn.weather = 0;
  standIn.isTaken = false;
  standIn.awayAfter = Number.POSITIVE_INFINITY;
  // The first one may go on where an earlier one was interrupted.
  const limited = standIn.limited;
  const results: Awaited<ReturnType<typeof poll>>[] = [];
  for (let count = 0; count < 3; count += 1) {
    results.push(await poll(store));
    standIn.now += 6 * 3_600_000;
  }
  expect(results.at(-1)).toMatchObject({ state: 'done', problem: '', stored: 0 });
  expect(standIn.limited).toBe(limited);
  const name = server.name ?? (({ id }: { id: string }) => id);
  const truth = readRows(sales, standIn.now).map((row) => [
    name(row),
    row.status,
    row.status === 'reversed' ? 0 : row.amount,
    server.currency,
  ]);
  const entries = await readEntries(createTestLedger({ store, clicks, now }));
  const found = entries.map(({ commission }) => [
    commission.nativeId,
    commission.status,
    commission.amount,
    commission.currency,
  ]);
  expect(found.sort()).toEqual(truth.sort());
}

const NAMES = [...networks].flatMap(([name, file]) => (file.interface === undefined ? [] : [name]));

it('has a stand-in for every network whose interface is read', () => {
  expect(Object.keys(SERVERS).sort()).toEqual(NAMES.sort());
});

describe.each(NAMES)('%s', (network) => {
  it('is in the ledger once with its last state, whatever happens on the way', async () => {
    await forAll(0.02 * SEARCHED, [fc.nat()], (seed) => play(network, seed + NAMES.indexOf(network)));
  });
});
