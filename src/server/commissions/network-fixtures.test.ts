import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createPostbackAddresses, createRouteClient } from '../../../test/support/route-client.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger, readEntries } from '../../../test/support/test-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { readShippedNetworks } from '../../content-files/networks.ts';
import type { StoredFact } from '../../core/commissions/ledger/commission-fact.ts';
import { DEFAULT_TERMS } from '../../core/commissions/ledger/commission-terms.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { detectCsvFormat, readCsvRows } from '../../sources/networks/csv.ts';
import { commitImport, previewImport } from './csv-import.ts';
import { createPostbacks, createPostbackTokens } from './postbacks.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../test/fixtures/networks');

const fact = z.strictObject({
  id: z.string(),
  /** Whether it matches the click. */
  click: z.boolean(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  kind: z.string(),
  /** To the second; left out: when it arrives. */
  time: z.string().optional(),
});
const message = z.strictObject({
  name: z.string(),
  source: z.string(),
  query: z.string().optional(),
  form: z.record(z.string(), z.string()).optional(),
  json: z.unknown().optional(),
  becomes: z.union([fact, z.enum(['test', 'ignored', 'unread'])]),
});
const file = z.strictObject({
  name: z.string(),
  source: z.string(),
  csv: z.string(),
  /** What the operator says of the file. */
  currency: z.string().default('USD'),
  /** What counts, in minor units; by currency if that is not the operator's. */
  sum: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
  unknown: z.number().default(0),
  /** The facts in the order of the rows, or the beginning of the first problem. */
  becomes: z.union([z.array(fact), z.string()]),
});
const fixture = z.strictObject({
  network: z.string(),
  messages: z.array(message).default([]),
  files: z.array(file).default([]),
});

const fixtures = readdirSync(FIXTURES).map((file) => ({
  file,
  ...fixture.parse(parse(readFileSync(path.join(FIXTURES, file), 'utf8').replaceAll('CLICK', SAMPLE_CLICK))),
}));

function createLedger() {
  const store = createMemoryLedger();
  const clicks = createMemoryClicks(buildSampleVisit(SAMPLE_CLICK));
  return { store, ledger: createTestLedger({ store, clicks }) };
}

const describeFact = (stored: StoredFact): z.output<typeof fact> => ({
  id: stored.nativeId,
  click: stored.clickId === SAMPLE_CLICK,
  status: stored.status,
  amount: stored.amount,
  currency: stored.currency,
  kind: stored.kind,
  ...(stored.eventTime !== stored.arrivedAt && {
    time: new Date(stored.eventTime).toISOString().replace(/\.\d+/, ''),
  }),
});

const cases = fixtures.flatMap(({ file, network, messages }) =>
  // A network that only one shape can be of is recognized without its name in the partner's file too.
  (['firstpromoter', 'impact', 'rewardful', 'tolt', 'awin'].includes(network)
    ? [network, 'generic' as const]
    : [network]
  )
    .flatMap((named) => messages.map((one) => ({ ...one, file, network: named })))
    .filter(({ network: named, becomes }) => named !== 'generic' || becomes !== 'ignored'),
);

it.each(cases)('$file, $name, as $network, becomes what the fixture says', async (one) => {
  const { store, ledger } = createLedger();
  const [[, sample] = []] = readSamplePartners();
  if (sample === undefined) throw new Error('no partner ships');
  const terms = { ...DEFAULT_TERMS, network: one.network, currency: 'USD' };
  const site = await createTestSite({
    content: { partners: new Map([['p', { ...sample, key: 'p', terms }]]) },
    commissions: ledger,
    ledger: store,
    postbackAddresses: createPostbackAddresses(),
  });
  const send = createRouteClient({
    method: 'GET, POST',
    path: POSTBACK_PATTERN,
    handle: createPostbacks(site),
  });
  const address = buildPostbackPath('p', createPostbackTokens('key').build('p'));
  const [body, type] =
    one.json !== undefined
      ? [JSON.stringify(one.json), 'application/json']
      : one.form !== undefined
        ? [new URLSearchParams(one.form).toString(), 'application/x-www-form-urlencoded']
        : [null, 'text/plain'];
  const response = await send(
    body,
    { 'content-type': type },
    {
      method: body === null ? 'GET' : 'POST',
      target: one.query === undefined ? address : `${address}?${one.query}`,
    },
  );
  expect(response.status).toBe(one.becomes === 'unread' ? 400 : 200);
  expect(await store.readUnread()).toHaveLength(one.becomes === 'unread' ? 1 : 0);
  const facts = await store.readFacts();
  if (one.becomes === 'test') expect(facts).toEqual([expect.objectContaining({ isTest: true, amount: 0 })]);
  else if (typeof one.becomes === 'string') expect(facts).toEqual([]);
  else expect(facts.map(describeFact)).toEqual([one.becomes]);
});

const files = fixtures.flatMap(({ file: from, network, files: all }) =>
  all.map((one) => ({ ...one, from, network })),
);

it.each(files)('$from, $name, becomes what the fixture says, as in the preview', async (one) => {
  const { store, ledger } = createLedger();
  const open = async function* () {
    yield Buffer.from(one.csv);
  };
  const format = await detectCsvFormat(open);
  const opened = { hash: 'hash', name: 'report.csv', readRows: () => readCsvRows(open, format) };
  const terms = { ...DEFAULT_TERMS, network: one.network };
  const profile = { currency: one.currency, timeZone: 'UTC', isChecked: true };
  const options = {
    ledger,
    store,
    partner: 'p',
    terms,
    networks: readShippedNetworks(),
    profile,
    now: Date.parse('2026-01-10T12:00:00Z'),
  };
  const preview = await previewImport(opened, options);
  const { committed, ...imported } = await commitImport(opened, options);
  const { committed: _, ...previewed } = preview;
  expect(imported).toEqual(previewed);
  expect(committed).toBe(typeof one.becomes !== 'string');
  const facts = await store.readFacts();
  if (typeof one.becomes === 'string') {
    expect([imported.problems[0]?.startsWith(one.becomes), facts]).toEqual([true, []]);
    return;
  }
  expect(facts.map(describeFact)).toEqual(one.becomes);
  const entries = await readEntries(ledger);
  const add = (isUnknown: boolean) =>
    entries
      .filter(({ commission: { status } }) => (status === 'unknown') === isUnknown)
      .reduce((sum, { commission: { amount } }) => sum + amount, 0);
  const sums = Object.values(preview.sums).reduce((sum, amount) => sum + amount, 0);
  const expected = typeof one.sum === 'number' ? one.sum : Object.values(one.sum ?? {})[0];
  expect([sums, add(false), Object.values(preview.unknownSums)[0] ?? 0, add(true)]).toEqual([
    expected,
    expected,
    one.unknown,
    one.unknown,
  ]);
});

it('the file of every network that sends messages has one', () => {
  const pushing = [...readShippedNetworks()].filter(([, { push }]) => push !== undefined);
  const isSent = ({ query, form, json }: (typeof pushing)[number][1]['messages'][number]) =>
    (query ?? form ?? json) !== undefined;
  expect(pushing.filter(([, { messages }]) => !messages.some(isSent)).map(([network]) => network)).toEqual(
    [],
  );
});
