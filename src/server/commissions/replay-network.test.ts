import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readShippedNetworks } from '../../content-files/networks.ts';
import { networkSchema } from '../../core/commissions/networks/network.schema.ts';
import { showRequests } from '../../sources/networks/network-api.ts';
import { listUnshown, replayNetwork } from './replay-network.ts';

const networks = readShippedNetworks();
const NOW = Date.parse('2026-01-10T12:00:00Z');

it.each([...networks.keys()])('the messages of networks/%s.yaml become what the file says', async (name) => {
  const replayed = await replayNetwork(name, networks, NOW);
  expect(replayed.filter(({ problem }) => problem !== null)).toEqual([]);
  const file = networks.get(name) ?? expect.unreachable();
  expect(listUnshown(file, replayed, NOW)).toEqual([]);
  expect((await showRequests(file, NOW)).problem).toBeNull();
});

type Sample = NonNullable<ReturnType<typeof networks.get>>['messages'][number];

const mapJson = (value: unknown, change: (value: unknown) => unknown): unknown =>
  change(
    Array.isArray(value)
      ? value.map((item) => mapJson(item, change))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapJson(item, change)]))
        : value,
  );
const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = <Value>(value: Value) => value;

/** A message as a network may send it too: `json` changes what is JSON, `rows` the cells of a report, `pairs` those of a query. */
const change = (
  sample: Sample,
  json: (value: unknown) => unknown,
  rows: (cells: readonly string[], line: number) => readonly string[],
  pairs: (pairs: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[],
): Sample => ({
  ...sample,
  signed: undefined,
  json: sample.json === undefined ? undefined : mapJson(sample.json, json),
  response: sample.response === undefined ? undefined : mapJson(sample.response, json),
  query:
    sample.query &&
    String(new URLSearchParams(pairs([...new URLSearchParams(sample.query)]).map((pair) => [...pair]))),
  form: sample.form && Object.fromEntries(pairs(Object.entries(sample.form))),
  csv: sample.csv && changeRows(sample.csv, rows),
});

/** Changes the cells of each line of a table, which has no separator in quotation marks; XML stays as it is. */
function changeRows(csv: string, change: (cells: readonly string[], line: number) => readonly string[]) {
  if (csv.startsWith('<')) return csv;
  const lines = csv.trim().split('\n');
  const [sign = ','] = ['\t', ';'].filter((one) => lines.at(-1)?.includes(one));
  return lines.map((line, index) => change(line.split(sign), index).join(sign)).join('\n');
}

/** Five ways in which each message of each network may come. */
const READINGS: Readonly<Record<string, (sample: Sample) => Sample>> = {
  'as it is': same,
  'with texts for numbers, and line ends of Windows': (sample) => {
    const own = change(sample, (value) => (typeof value === 'number' ? `${value}` : value), same, same);
    return { ...own, csv: own.csv && `\uFEFF${own.csv.trim().replaceAll('\n', '\r\n')}\r\n` };
  },
  'in another order': (sample) =>
    change(
      sample,
      (value) => (isGroup(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value),
      (cells) => cells.toReversed(),
      (pairs) => pairs.toReversed(),
    ),
  'with fields of others': (sample) =>
    change(
      sample,
      (value) => (isGroup(value) ? { ...value, remark: 'x' } : value),
      (cells, line) => [...cells, line === 0 ? 'Remark' : 'x'],
      (pairs) => [...pairs, ['remark', 'x']],
    ),
  'of a click of somebody else': (sample) => {
    const other = JSON.parse(JSON.stringify(sample).replaceAll('CLICK', 'somebody')) as Sample;
    const becomes = mapJson(other.becomes, (value) =>
      isGroup(value) && 'click' in value ? { ...value, click: false } : value,
    );
    return { ...other, signed: undefined, becomes: becomes as Sample['becomes'] };
  },
};

it.each(Object.entries(READINGS))('every message of every network is read the same %s', async (_, write) => {
  for (const [name, file] of networks) {
    const own = { ...file, messages: file.messages.map(write) };
    const replayed = await replayNetwork(name, new Map([...networks, [name, own]]), NOW);
    expect([
      name,
      replayed.flatMap(({ name: of, problem }) => (problem === null ? [] : [of, problem])),
    ]).toEqual([name, []]);
  }
});

const ORDERS =
  'Member ID (U1),MID,Advertiser Name,Order ID,Transaction Date,Transaction Time,SKU,Sales,# of Items,Total Commission,Process Date,Process Time';
const WEBGAINS =
  'Transaction ID,Program,Date,Sale Value,Commission,Click Ref,Transaction Status,Payment Status,Currency';
const CJ = (amount: string, sale: string, more = {}) => ({
  data: {
    publisherCommissions: {
      payloadComplete: true,
      records: [
        {
          commissionId: '2292067663',
          actionStatus: 'new',
          actionType: 'sim_sale',
          shopperId: 'x',
          eventDate: '2025-11-18T10:00:00Z',
          pubCommissionAmountUsd: amount,
          saleAmountUsd: sale,
          ...more,
        },
      ],
    },
  },
});

it.each<[what: string, network: string, message: object, sum: number]>([
  [
    'an order of two items that were processed on two days',
    'rakuten',
    {
      csv: `${ORDERS}\nx,7,Shop,o1,11/20/25,10:00,A1,60.00,1,4.20,11/21/25,10:00\nx,7,Shop,o1,11/20/25,10:00,B2,30.00,1,2.10,11/22/25,10:00`,
    },
    630,
  ],
  [
    'two orders, one of which was cancelled',
    'rakuten',
    {
      csv: `${ORDERS}\nx,7,Shop,o1,11/20/25,10:00,A1,60.00,1,4.20,11/21/25,10:00\nx,7,Shop,o1,11/20/25,10:00,B2,30.00,1,2.10,11/22/25,10:00\nx,7,Shop,o2,11/20/25,10:00,A1,60.00,1,4.20,11/21/25,10:00\nx,7,Shop,o2,11/20/25,10:00,A1,-60.00,-1,-4.20,11/25/25,10:00`,
    },
    630,
  ],
  [
    'two items of an order with ids of their own',
    'webgains',
    {
      csv: `${WEBGAINS}\n1,7,2025-11-20T10:00:00,100.00,5.00,x,Confirmed,Not paid,GBP\n2,7,2025-11-20T10:00:00,40.00,2.00,x,Confirmed,Not paid,GBP`,
    },
    700,
  ],
  ['the documented three decimals', 'cj', { response: CJ('7.781', '129.683') }, 778],
  ['a correction of three decimals', 'cj', { response: CJ('-51.826', '-1295.658') }, -5_183],
  [
    'three decimals of another interface',
    'impact',
    {
      response: {
        Actions: [
          {
            Id: '1.2',
            State: 'PENDING',
            Payout: '12.345',
            Amount: '99.00',
            Currency: 'USD',
            EventDate: '2025-11-18T10:00:00Z',
          },
        ],
      },
    },
    1_235,
  ],
])('reads to the cent %s of %s', async (_, network, message, sum) => {
  const file = networks.get(network) ?? expect.unreachable();
  const sample = { name: 'one', is: 'quoted', becomes: 'unconfirmed', ...message } as Sample;
  const [read] = await replayNetwork(
    network,
    new Map([...networks, [network, { ...file, messages: [sample] }]]),
    NOW,
  );
  const facts = Array.isArray(read?.becomes) ? read.becomes : [];
  expect([facts.reduce((all, { amount }) => all + amount, 0), read?.becomes]).toEqual([
    sum,
    expect.any(Array),
  ]);
});

it('takes the token of an interface from where its file says', async () => {
  const file = networks.get('tradedoubler') ?? expect.unreachable();
  const given = file.interface ?? expect.unreachable();
  const nested = { ...file, interface: { ...given, auth: { ...given.auth, token: 'data.token' } } };
  const { lines, problem } = await showRequests(nested, NOW);
  expect([problem, lines.join('\n')]).toEqual([null, expect.stringContaining('Bearer ACCESS_TOKEN')]);
});

it.each([...networks.keys()])('networks/%s.yaml has at most 80 lines', (name) => {
  const text = readFileSync(path.resolve(import.meta.dirname, `../../../networks/${name}.yaml`), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(81);
});

/** What a message of a file becomes, with what is wrong. */
async function replay(fields: object, message: object) {
  const file = networkSchema.parse({
    format: 1,
    title: 'Acme',
    sources: [{ text: 'docs', day: '2026-11-20' }],
    reversal: 'unknown',
    ...fields,
    messages: [{ name: 'one', is: 'composed', ...message }],
  });
  const replayed = await replayNetwork('acme', new Map([...networks, ['acme', file]]), NOW);
  const { problem, unread } = replayed[0] ?? expect.fail();
  return { problem, unread, unshown: listUnshown(file, replayed, NOW + 1) };
}
const FACT = { id: 1, status: 'pending', amount: 500 };

it('a row of totals is left out, and times and currencies are those of the file', async () => {
  const csv = 'Acme ID,Earned,Sold at\n1,5.00,2025-11-20 10:00:00\nTotal,5.00,\n';
  const columns = { id: 'Acme ID', amount: 'Earned', eventTime: 'Sold at' };
  const fields = { timeZone: 'Europe/Berlin', currency: 'EUR', report: { columns } };
  const becomes = { ...FACT, currency: 'EUR', time: '2025-11-20T09:00:00Z' };
  expect(await replay(fields, { csv, becomes })).toMatchObject({ problem: null, unshown: [] });
});

it.each<[what: string, fields: object, message: object, problem: string]>([
  [
    'headings that a report lacks',
    { report: { recognize: ['Acme ID', 'Aussage'], columns: { id: 'Acme ID', amount: 'Earned' } } },
    { csv: 'Acme ID,Earned\n1,5.00\n', becomes: { ...FACT, currency: 'USD' } },
    'it lacks headings of recognize: Aussage',
  ],
  [
    'a shape that no message has',
    { push: { own: { field: 'acme_id' }, rules: [{ record: { id: 'id', amount: 'amount' } }] } },
    { query: 'ref=1&amount=5.00', becomes: { ...FACT, currency: 'USD' } },
    'no push.own holds for it, so that it is read as the documented postback: the field id is missing',
  ],
  [
    'a currency at a path without one',
    { push: { own: { field: 'id' }, rules: [{ record: { id: 'id', amount: 'earned', currency: 'curr' } }] } },
    { query: 'id=1&earned=5.00&cur=EUR', becomes: { ...FACT, currency: 'EUR' } },
    'has currency USD, not EUR: its path is empty in the message, so that USD is assumed',
  ],
  [
    'another time of the change',
    {
      push: {
        own: { field: 'id' },
        rules: [{ record: { id: 'id', amount: 'earned', eventTime: 'sold', changeTime: 'sold' } }],
      },
    },
    {
      query: 'id=1&earned=5.00&sold=2026-01-02&changed=2026-01-03',
      becomes: { ...FACT, currency: 'USD', time: '2026-01-02', changed: '2026-01-03' },
    },
    'has changed not at all, not 2026-01-03',
  ],
  [
    'another currency',
    { push: { own: { field: 'id' }, rules: [{ record: { id: 'id', amount: 'earned', currency: 'cur' } }] } },
    { query: 'id=1&earned=5.00&cur=USD', becomes: { ...FACT, currency: 'EUR' } },
    'has currency USD, not EUR',
  ],
])('says of a message what is wrong: %s', async (_, fields, message, problem) => {
  const { problem: found } = await replay(fields, message);
  expect(found).toMatch(new RegExp(`${problem}$`));
});

it('lists the fields of a message that no path of its own way names, by their whole paths', async () => {
  const fields = {
    push: {
      own: { field: 'sale.id' },
      rules: [{ record: { id: 'sale.id', amount: 'sale.payout.value', currency: 'payout.currency' } }],
    },
    report: { columns: { id: 'Id', amount: 'Value', eventTime: 'Created' } },
  };
  const json = {
    sale: { id: '1', payout: { value: '5.00', currency: 'EUR' }, order: { value: '9', currency: 'EUR' } },
    created: '2025-11-20',
  };
  const { unread } = await replay(fields, { json, becomes: { ...FACT, currency: 'EUR' } });
  expect(unread).toEqual(['sale.order.value=9', 'sale.order.currency=EUR', 'created=2025-11-20']);
});

const record = { id: 'data[id]', amount: 'data.amount', click: 'data[visitor]' };
const signedPush = (uses: string) => ({
  push: {
    own: { field: 'data[id]' },
    rules: [{ record }],
    signature: { uses, secret: 'ACME_SECRET', ...(uses === 'digistore24-sha' && { field: 'sign' }) },
  },
});
const form = { 'data[id]': '1', 'data.amount': '5.00', 'data[visitor]': 'CLICK' };
const becomes = { ...FACT, currency: 'USD', click: true };

it.each(['hmac-hex', 'svix', 'digistore24-sha'])(
  'a message has the %s signature of its secret',
  async (uses) => {
    const unsigned = await replay(signedPush(uses), { form, becomes });
    expect(unsigned.problem).toBeNull();
    const [, shown = ''] =
      /^No message is signed\. With .* has (.*)\.$/.exec(unsigned.unshown[0] ?? '') ?? [];
    const headers = Object.fromEntries(shown.split(', ').map((pair) => pair.split(': ')));
    const isInside = uses === 'digistore24-sha';
    const signed = { secret: 'test', ...(!isInside && { headers }) };
    const sent = isInside ? { ...form, ...headers } : form;
    const right = await replay(signedPush(uses), { form: sent, signed, becomes });
    expect(right).toMatchObject({ problem: null, unshown: [] });
    const other = { ...signed, secret: 'other' };
    const { problem } = await replay(signedPush(uses), { form: sent, signed: other, becomes });
    expect(problem).toContain('has not the signature of its secret, by which');
    if (isInside) {
      const asQuery = { query: String(new URLSearchParams(sent)), signed, becomes };
      expect((await replay(signedPush(uses), asQuery)).problem).toBeNull();
    }
    const unnamed = await replay({}, { form: sent, signed, becomes: 'unread' });
    expect(unnamed.problem).toContain('names no signature');
  },
);
