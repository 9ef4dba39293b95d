import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import type { CommissionSource } from '../../core/commissions/ledger/commission-source.ts';
import { DEFAULT_TERMS, type Network } from '../../core/commissions/ledger/commission-terms.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { impact } from '../../sources/networks/impact.ts';
import type { NetworkClient } from '../../sources/networks/network-client.ts';
import { parseNetworkMessage } from '../../sources/networks/networks.ts';
import { partnerStack } from '../../sources/networks/partnerstack.ts';
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

interface Fixture {
  readonly name: string;
  readonly states: readonly State[];
  /** Sum that counts by currency, and the sum that was reversed. */
  readonly expected: Readonly<Record<string, readonly [amount: number, reversed: number]>>;
  readonly isMatched?: boolean;
}

const MONTHS = Array.from({ length: 12 }, (_, month) => month);

const FIXTURES: readonly Fixture[] = [
  {
    name: 'new, approved, paid',
    states: [
      { status: 'pending', day: 1 },
      { status: 'approved', day: 30 },
      { status: 'paid', day: 60 },
    ],
    expected: { USD: [4_000, 0] },
  },
  {
    name: 'reversed before it was approved',
    states: [
      { status: 'pending', day: 1 },
      { status: 'reversed', day: 3 },
    ],
    expected: { USD: [0, 4_000] },
  },
  {
    name: 'reversed after 75 days',
    states: [
      { status: 'approved', day: 1 },
      { status: 'reversed', day: 76 },
    ],
    expected: { USD: [0, 4_000] },
  },
  {
    name: 'refunded in part, then in full',
    states: [
      { status: 'approved', day: 1 },
      { status: 'approved', amount: 2_800, day: 10 },
      { status: 'reversed', amount: 0, day: 20 },
    ],
    expected: { USD: [0, 2_800] },
  },
  {
    name: 'twelve payments with a downgrade after the sixth',
    states: MONTHS.map((month) => ({
      id: `month-${month}`,
      status: 'approved',
      amount: month < 6 ? 4_000 : 2_000,
      day: 1 + 30 * month,
    })),
    expected: { USD: [36_000, 0] },
  },
  {
    name: 'the same report five times',
    states: Array.from({ length: 5 }, () => ({ status: 'approved', day: 1 })),
    expected: { USD: [4_000, 0] },
  },
  {
    name: 'the reversal first',
    states: [
      { status: 'reversed', day: 9 },
      { status: 'approved', day: 1 },
    ],
    expected: { USD: [0, 4_000] },
  },
  {
    name: 'a reversal of an unknown commission',
    states: [{ status: 'reversed', day: 9 }],
    expected: { USD: [0, 0] },
  },
  {
    name: 'euros and dollars',
    states: [
      { id: 'one', status: 'approved', currency: 'EUR', day: 1 },
      { id: 'two', status: 'approved', amount: 1, day: 1 },
    ],
    expected: { EUR: [4_000, 0], USD: [1, 0] },
  },
  {
    name: 'a sub-id in upper case',
    states: [{ status: 'approved', click: SAMPLE_CLICK.toUpperCase(), day: 1 }],
    expected: { USD: [4_000, 0] },
  },
  {
    name: 'a sub-id without dashes',
    states: [{ status: 'approved', click: SAMPLE_CLICK.replaceAll('-', ''), day: 1 }],
    expected: { USD: [4_000, 0] },
  },
  {
    name: 'a sub-id that was cut off at 32 characters',
    states: [{ status: 'approved', click: SAMPLE_CLICK.slice(0, 32), day: 1 }],
    expected: { USD: [4_000, 0] },
  },
  {
    name: 'an unknown sub-id',
    states: [{ status: 'approved', click: randomUUID(), day: 1 }],
    expected: { USD: [4_000, 0] },
    isMatched: false,
  },
];

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

const fill = ({ id = 'c1', amount = 4_000, currency = 'USD', click = SAMPLE_CLICK, status, day }: State) => ({
  id,
  amount,
  currency,
  click,
  status,
  at: new Date(START + day * 86_400_000).toISOString(),
});

async function sendMessage(network: Network, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const terms = { ...DEFAULT_TERMS, network };
  const message = parseNetworkMessage(fields, terms);
  if (message.kind !== 'reports') throw new Error(`the message is ${message.kind}`);
  const reports = message.reports.map((reported) => ({ reported, strings: [] }));
  await ledger.record({ partner: 'highlevel', terms, source: 'postback', reports });
}

async function importRow(state: State): Promise<void> {
  const { id, amount, currency, click, status, at } = fill(state);
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
    profile,
    now,
  });
}

async function poll(createSource: (client: NetworkClient) => CommissionSource, json: object): Promise<void> {
  let isFirst = true;
  const client: NetworkClient = async (_path, _query, schema) => {
    const value = schema.parse(isFirst ? json : { '@numpages': 1, Actions: [] });
    isFirst = false;
    return value;
  };
  const partners = new Map([['highlevel', { ...DEFAULT_TERMS, currency: 'USD' }]]);
  const source = createSource(client);
  const clock = { now: () => now, monotonic: () => now };
  const site = { money: { commissions: ledger, ledger: store }, clock };
  await syncNetwork(site, 'impact', partners, source, randomUUID());
}

/** Each way in, with the fixtures that it cannot carry: it has no times of its own. */
const WAYS: readonly { name: string; send: (state: State) => Promise<void>; without?: readonly string[] }[] =
  [
    {
      name: 'the generic postback',
      send: async (state) => {
        const { amount, currency, ...fields } = fill(state);
        await sendMessage('generic', { ...fields, currency, amount: formatDecimalAmount(amount, currency) });
      },
    },
    {
      name: 'a PartnerStack message',
      send: async (state) => {
        const { id, amount, currency, click, status, at } = fill(state);
        const data = {
          key: `rew_${id}`,
          amount,
          currency,
          reward_status: status,
          updated_at: at,
          sid: click,
        };
        await sendMessage('partnerstack', { event: 'reward_updated', data });
      },
    },
    {
      name: 'an impact postback',
      send: async (state) => {
        const { id, amount, currency, click, status, at } = fill(state);
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
      send: async (state) => {
        const { id, amount, currency, click, status, at } = fill(state);
        const item = {
          key: id,
          amount,
          currency,
          reward_status: status,
          updated_at: at,
          customer: { sid: click },
        };
        await poll(partnerStack.api.createSource, { data: { has_more: false, items: [item] } });
      },
    },
    {
      name: 'the impact API',
      send: async (state) => {
        const { id, amount, currency, click, status, at } = fill(state);
        const action = {
          Id: id,
          State: status.toUpperCase(),
          Payout: formatDecimalAmount(amount, currency),
          Currency: currency,
          EventDate: at,
          SubId1: click,
        };
        now += 1_000;
        await poll(
          (client) =>
            impact.api.createSource(client, { IMPACT_URL: '', IMPACT_SID: 'SID', IMPACT_TOKEN: '' }),
          { '@numpages': '1', Actions: [action] },
        );
      },
      without: ['the reversal first'],
    },
  ];

async function readSums(): Promise<Record<string, [number, number]>> {
  const sums: Record<string, [number, number]> = {};
  for (const { commission } of await ledger.readEntries()) {
    const sum = sums[commission.currency] ?? [0, 0];
    sums[commission.currency] = [sum[0] + commission.amount, sum[1] + commission.reversedAmount];
  }
  return sums;
}

describe.each(WAYS)('through $name', ({ send, without = [] }) => {
  it.each(FIXTURES.filter(({ name }) => !without.includes(name)))('counts $name', async (fixture) => {
    for (const state of fixture.states) await send(state);
    expect(await readSums()).toEqual(fixture.expected);
    const isMatched = (await ledger.readEntries()).every(({ journey }) => journey !== null);
    expect(isMatched).toBe(fixture.isMatched ?? true);
  });
});

it('counts a commission once that a postback, a file and an API report', async () => {
  const state: State = { status: 'approved', day: 1 };
  for (const { send, name } of WAYS.filter(({ name }) => !name.includes('PartnerStack message'))) {
    await send(state);
    expect(await readSums(), name).toEqual({ USD: [4_000, 0] });
  }
});
