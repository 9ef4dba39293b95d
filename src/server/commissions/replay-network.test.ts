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
