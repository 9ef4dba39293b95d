import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createMemoryClicks, createMemoryLedger } from '../../../test/support/memory-stores.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { SAMPLE_CLICK } from '../../../test/support/sample-commissions.ts';
import { readSamplePartners } from '../../../test/support/sample-content.ts';
import { buildSampleVisit } from '../../../test/support/sample-events.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { StoredFact } from '../../core/commissions/commission-fact.ts';
import { DEFAULT_TERMS, NETWORKS } from '../../core/commissions/commission-terms.ts';
import { buildPostbackPath, POSTBACK_PATTERN } from '../../core/paths.ts';
import { createPostbacks, createPostbackTokens, PostbackAddresses } from './postbacks.ts';

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
const fixture = z.strictObject({
  network: z.enum(NETWORKS),
  messages: z.array(message).default([]),
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
    postbackAddresses: new PostbackAddresses({
      readState: async () => 'key',
      createState: async () => 'key',
    }),
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

it('the fixtures have messages of every network with a shape of its own', () => {
  const covered = new Set(
    fixtures.filter(({ messages }) => messages.length > 0).map(({ network }) => network),
  );
  expect(NETWORKS.filter((network) => network !== 'generic' && !covered.has(network))).toEqual([]);
});
