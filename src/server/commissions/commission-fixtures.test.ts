import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createSyncSite, createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { DEFAULT_TERMS, type Network } from '../../core/commissions/ledger/commission-terms.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { parseNetworkMessage } from '../../core/commissions/networks/parse-message.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { createApiSource, isConnected } from '../../sources/networks/network-api.ts';
import type { Ledger } from '../../stores/ledger.ts';
import { commitImport } from './csv-import.ts';
import type { CommissionLedger } from './ledger.ts';
import { syncNetwork } from './sync-networks.ts';

/** What a network says about a commission at a time. */
interface State {
  readonly id?: string;
  readonly status: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly click?: string;
  /** Day after the click on which the status began. */
  readonly day: number;
}

const REVERSAL_FIRST = 'the reversal first';
const UNKNOWN = 'an unknown sub-id';
const MONTHS = Array.from({ length: 12 }, (_, month) => month);
const state = (status: string, day: number, rest: Partial<State> = {}): State => ({ status, day, ...rest });

/** What is reported, and the sum that counts by currency with the sum that was reversed. */
const FIXTURES: readonly (readonly [
  name: string,
  states: readonly State[],
  expected: Readonly<Record<string, readonly [amount: number, reversed: number]>>,
])[] = [
  [
    'new, approved, paid',
    [state('pending', 1), state('approved', 30), state('paid', 60)],
    { USD: [4_000, 0] },
  ],
  ['reversed before it was approved', [state('pending', 1), state('reversed', 3)], { USD: [0, 4_000] }],
  ['reversed after 75 days', [state('approved', 1), state('reversed', 76)], { USD: [0, 4_000] }],
  [
    'refunded in part, then in full',
    [state('approved', 1), state('approved', 10, { amount: 2_800 }), state('reversed', 20, { amount: 0 })],
    { USD: [0, 2_800] },
  ],
  [
    'twelve payments with a downgrade after the sixth',
    MONTHS.map((month) =>
      state('approved', 1 + 30 * month, { id: `month-${month}`, amount: month < 6 ? 4_000 : 2_000 }),
    ),
    { USD: [36_000, 0] },
  ],
  ['the same report five times', Array.from({ length: 5 }, () => state('approved', 1)), { USD: [4_000, 0] }],
  [REVERSAL_FIRST, [state('reversed', 9), state('approved', 1)], { USD: [0, 4_000] }],
  ['a reversal of an unknown commission', [state('reversed', 9)], { USD: [0, 0] }],
  [
    'euros and dollars',
    [state('approved', 1, { id: 'one', currency: 'EUR' }), state('approved', 1, { id: 'two', amount: 1 })],
    { EUR: [4_000, 0], USD: [1, 0] },
  ],
  ...[
    ['a sub-id in upper case', SAMPLE_CLICK.toUpperCase()],
    ['a sub-id without dashes', SAMPLE_CLICK.replaceAll('-', '')],
    ['a sub-id that was cut off at 32 characters', SAMPLE_CLICK.slice(0, 32)],
    [UNKNOWN, randomUUID()],
  ].map(([name = '', click = '']) => [name, [state('approved', 1, { click })], { USD: [4_000, 0] }] as const),
];

const networks = readShippedNetworks();
const START = Date.parse('2025-11-20T10:00:00Z');
let now = 0;
let store: Ledger;
let ledger: CommissionLedger;

beforeEach(() => {
  now = START;
  store = createMemoryLedger();
  ledger = createTestLedger({
    store,
    clicks: createMemoryClicks(buildSampleVisit(SAMPLE_CLICK)),
    now: () => now,
  });
});

/** Nothing is told before its day. */
function fill({ id = 'c1', amount = 4_000, currency = 'USD', click = SAMPLE_CLICK, status, day }: State) {
  const time = START + day * 86_400_000;
  now = Math.max(now, time);
  return { id, amount, currency, click, status, at: new Date(time).toISOString() };
}

async function sendMessage(network: Network, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const terms = { ...DEFAULT_TERMS, network };
  const message = parseNetworkMessage(fields, terms, networks, now);
  if (message.kind !== 'reports') throw new Error(`the message is ${message.kind}`);
  const reports = message.reports.map((reported) => ({ reported, strings: [] }));
  await ledger.record({ partner: 'highlevel', terms, source: 'postback', reports });
}

async function importRow(reported: State): Promise<void> {
  const { id, amount, currency, click, status, at } = fill(reported);
  const text = `id;commission;currency;status;updated at;sub id\n${id};${formatDecimalAmount(amount, currency)};${currency};${status};${at};${click}\n`;
  const open = async function* () {
    yield Buffer.from(text);
  };
  const format = await detectCsvFormat(open);
  const hash = createHash('sha256').update(text).digest('hex');
  const file = { hash, name: 'report.csv', readRows: () => readCsvRows(open, format) };
  const profile = { currency: 'USD', timeZone: 'UTC' };
  await commitImport(file, {
    ledger,
    store,
    partner: 'highlevel',
    terms: DEFAULT_TERMS,
    networks,
    profile,
    now,
  });
}

/** Reads an interface whose first response is this one. */
async function poll(network: Network, json: object): Promise<void> {
  const file = networks.get(network);
  const findSecret = () => 'key';
  if (file === undefined || !isConnected(file, findSecret)) throw new Error('the network has no interface');
  let isFirst = true;
  const headers = new Headers({ 'content-type': 'application/json' });
  const get = async () => {
    const text = JSON.stringify(isFirst ? json : { '@numpages': 1, Actions: [] });
    isFirst = false;
    return { status: 200, headers, text };
  };
  const clock = { now: () => now, monotonic: () => now };
  const sleep = async () => undefined;
  const source = createApiSource(file, { get, clock, sleep, findSecret, testHosts: new Map() });
  const partners = new Map([['highlevel', { ...DEFAULT_TERMS, currency: 'USD' }]]);
  await syncNetwork(createSyncSite(ledger, store, clock.now), network, partners, source, randomUUID());
}

/** Each way in, with the fixture that it cannot carry: it has no times of its own. */
const WAYS: readonly { name: string; send: (state: State) => Promise<void>; without?: string }[] = [
  {
    name: 'the generic postback',
    send: async (reported) => {
      const { amount, currency, ...fields } = fill(reported);
      await sendMessage('generic', { ...fields, currency, amount: formatDecimalAmount(amount, currency) });
    },
  },
  {
    name: 'a PartnerStack message',
    send: async (reported) => {
      const { id, amount, currency, click, status, at } = fill(reported);
      const data = { key: `rew_${id}`, amount, currency, reward_status: status, updated_at: at, sid: click };
      await sendMessage('partnerstack', { event: 'reward_updated', data });
    },
  },
  {
    name: 'an impact postback',
    send: async (reported) => {
      const { id, amount, currency, click, status, at } = fill(reported);
      await sendMessage('impact', {
        ActionId: id,
        Payout: formatDecimalAmount(amount, currency),
        Currency: currency,
        Status: status.toUpperCase(),
        SubId1: click,
        at,
      });
    },
  },
  { name: 'a CSV file', send: importRow },
  {
    name: 'the PartnerStack API',
    send: async (reported) => {
      const { id, amount, currency, click, status, at } = fill(reported);
      const item = {
        key: id,
        amount,
        currency,
        reward_status: status,
        updated_at: at,
        customer: { sid: click },
      };
      await poll('partnerstack', { data: { has_more: false, items: [item] } });
    },
  },
  {
    name: 'the impact API',
    send: async (reported) => {
      const { id, amount, currency, click, status, at } = fill(reported);
      const action = {
        Id: id,
        State: status.toUpperCase(),
        Payout: formatDecimalAmount(amount, currency),
        Currency: currency,
        EventDate: at,
        SubId1: click,
      };
      now += 1_000;
      await poll('impact', {
        '@numpages': '1',
        Actions: [action],
      });
    },
    without: REVERSAL_FIRST,
  },
];

async function readSums(): Promise<Record<string, [number, number]>> {
  const sums: Record<string, [number, number]> = {};
  for (const { commission } of await readEntries(ledger)) {
    const sum = sums[commission.currency] ?? [0, 0];
    sums[commission.currency] = [sum[0] + commission.amount, sum[1] + commission.reversedAmount];
  }
  return sums;
}

describe.each(WAYS)('through $name', ({ name: way, send, without }) => {
  it.each(FIXTURES.filter(([name]) => name !== without))('counts %s', async (name, states, expected) => {
    for (const one of states) await send(one);
    expect(await readSums(), way).toEqual(expected);
    const isMatched = (await readEntries(ledger)).every(({ journey }) => journey !== null);
    expect(isMatched).toBe(name !== UNKNOWN);
  });
});

it('counts a commission once that a postback, a file and an API report', async () => {
  const reported = state('approved', 1);
  for (const { send, name } of WAYS.filter(({ name }) => !name.includes('PartnerStack message'))) {
    await send(reported);
    expect(await readSums(), name).toEqual({ USD: [4_000, 0] });
  }
});
