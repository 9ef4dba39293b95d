import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { createMemoryLedger, createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { AD_PLATFORMS } from '../../core/commissions/cost/campaign-cost.ts';
import type { CostFileProfile } from '../../core/commissions/cost/cost-columns.ts';
import type { ImportProfile } from '../../core/commissions/ledger/stored-money.schema.ts';
import { Costs } from '../../stores/costs.ts';
import { assignCampaign, importCosts, previewCosts, setCost } from './cost-import.ts';

const NOW = 1_763_500_000_000;
const SITE = { now: NOW, timeZone: 'UTC' };

const fileSchema = z.object({
  name: z.string(),
  source: z.string(),
  encoding: z.enum(['utf-8', 'utf-16le', 'windows-1252']).default('utf-8'),
  csv: z.string(),
  becomes: z.array(z.tuple([z.string(), z.string(), z.number(), z.string()])),
  campaigns: z.record(z.string(), z.string()).default({}),
  timeZone: z.string().default(''),
  totals: z.number(),
});
const fixtureSchema = z.object({
  platform: z.enum(AD_PLATFORMS),
  files: z.array(fileSchema),
  refused: z.array(z.object({ name: z.string(), csv: z.string(), problem: z.string() })),
});

const FIXTURES = AD_PLATFORMS.map((platform) => {
  const file = path.resolve(import.meta.dirname, `../../../test/fixtures/costs/${platform}.yaml`);
  return fixtureSchema.parse(parse(readFileSync(file, 'utf8')));
});
const FILES = FIXTURES.flatMap(({ platform, files }) => files.map((file) => ({ platform, ...file })));
const REFUSED = FIXTURES.flatMap(({ platform, refused }) => refused.map((file) => ({ platform, ...file })));

function encode(text: string, encoding: z.output<typeof fileSchema>['encoding']): Uint8Array {
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  return Buffer.from(text, encoding === 'windows-1252' ? 'latin1' : 'utf8');
}

const open = (bytes: Uint8Array) =>
  async function* read() {
    yield bytes;
  };

const CAMPAIGNS = [
  ['google', 'cpc', 'brand'],
  ['google', 'organic', 'crm'],
  ['bing', 'cpc', 'crm'],
  ['newsletter', 'email', 'november'],
  ['partner', 'email', 'november'],
];

/** Stores without costs, and visits of some campaigns. */
function createStores() {
  const rows = CAMPAIGNS.map((key) => ({
    dimension: 'campaign' as const,
    day: '2026-11-01',
    views: 1,
    sessions: 1,
    actions: 0,
    clicks: 0,
    key: [...key, ''],
  }));
  const costs = new Costs(new MemoryExecutor(openMemoryDatabase('commissions')));
  return { costs, rollups: createMemoryRollups(rows), ledger: createMemoryLedger() };
}

/** After the days of all files. */
const LATER = Date.parse('2027-01-01');
const IMPORT = { file: 'costs.csv', now: NOW };
const run = (stores: ReturnType<typeof createStores>, csv: string, profile: Partial<CostFileProfile> = {}) =>
  importCosts(stores, open(Buffer.from(csv)), { platform: 'google', now: LATER, ...profile }, IMPORT);
/** Why a file is not imported, or what it leaves open. */
const findProblems = async (...given: Parameters<typeof run>) =>
  run(...given).then(
    ({ problems }) => problems,
    (error: unknown) => [String(error)],
  );
const readAll = async ({ costs }: ReturnType<typeof createStores>) =>
  (await costs.read('2026-01-01', '2026-12-31')).map(({ campaign, period, amount, currency }) => [
    campaign,
    period,
    amount,
    currency,
  ]);

it.each(FILES)(
  '$platform: reads $name',
  async ({ platform, csv, encoding, becomes, campaigns, timeZone, totals }) => {
    const stores = createStores();
    const bytes = encode(csv, encoding);
    const summary = await importCosts(stores, open(bytes), { platform, now: LATER }, IMPORT);
    expect(summary).toMatchObject({ committed: true, problems: [], rows: becomes.length, timeZone, totals });
    expect(summary.matched).toMatchObject(campaigns);
    const stored = (await stores.costs.read('2026-01-01', '2026-12-31')).map(
      ({ name, period, amount, currency }) => [name, period, amount, currency] as const,
    );
    expect(stored.toSorted()).toEqual(becomes.toSorted());
  },
);

it.each(REFUSED)('$platform: refuses $name as a whole', async ({ platform, csv, problem }) => {
  const stores = createStores();
  expect((await findProblems(stores, csv, { platform }))[0]).toContain(problem);
  expect(await stores.costs.readEntries()).toEqual([]);
});

const CSV = 'Day,Campaign,Cost,Currency code\n2026-11-01,Brand,5.00,USD\n2026-11-02,Brand,6.00,USD\n';

it('says what a file would bring, imports it once however often it comes, and takes it back', async () => {
  const stores = createStores();
  const profile = { platform: 'google', now: LATER } as const;
  const preview = await previewCosts(stores, open(Buffer.from(CSV)), profile);
  expect(preview).toMatchObject({
    committed: false,
    rows: 2,
    sums: { USD: 1_100 },
    replaced: 0,
    unchanged: 0,
  });
  expect(preview).toMatchObject({
    first: '2026-11-01',
    last: '2026-11-02',
    matched: { Brand: 'google / cpc / brand' },
  });
  expect(await stores.costs.readEntries()).toEqual([]);
  const { entry } = await run(stores, CSV);
  const stored = await readAll(stores);
  expect(stored).toEqual([
    ['google / cpc / brand', '2026-11-01', 500, 'USD'],
    ['google / cpc / brand', '2026-11-02', 600, 'USD'],
  ]);
  expect(await run(stores, CSV)).toMatchObject({ committed: true, entry, unchanged: 2, replaced: 0 });
  expect(await readAll(stores)).toEqual(stored);
  const later = await run(stores, CSV.replace('6.00', '6.50'));
  expect(later).toMatchObject({ unchanged: 1, replaced: 1, replacedSums: { USD: 600 } });
  expect(later.entry).not.toBe(entry);
  await stores.costs.undo(later.entry, NOW);
  expect(await readAll(stores)).toEqual(stored);
});

it('refuses a row with more filled cells than its heading, and one that ends before the cost, by its line', async () => {
  const heading = 'Campaign report\r\nDay,Campaign,Campaign ID,Cost,Currency code\r\n';
  const problems = await Promise.all(
    ['2026-11-01,Brand,11,1,234.56,USD', '2026-11-01,Brand,11'].map(
      async (row) =>
        (await run(createStores(), `${heading}2026-11-02,Brand,11,2.00,USD,\r\n${row}\r\n`)).problems,
    ),
  );
  expect(problems).toEqual([
    [expect.stringMatching(/^Line 4: it has more cells than the heading, the last one with "USD"/)],
    ['Line 4: the line ends before or within the column Cost.'],
  ]);
});

it.each(['\n', '\r'])('reads every cost of a file whose lines end with CRLF and %j', async (end) => {
  const summary = await run(createStores(), CSV.replaceAll('\n', end).replace(end, '\r\n'));
  expect(summary).toMatchObject({ committed: true, rows: 2, sums: { USD: 1_100 } });
});

it.each([
  ['VND', '45.678', 45_678],
  ['JPY', '1,234', 1_234],
  ['CLP', '2.345', 2_345],
])('reads costs in %s, which has no decimals, with groups', async (currency, cost, amount) => {
  const summary = await run(
    createStores(),
    `Day,Campaign,Cost,Currency code\n2026-11-01,Brand,"${cost}",${currency}\n`,
  );
  expect(summary).toMatchObject({ committed: true, sums: { [currency]: amount } });
});

it('asks for the decimal sign of costs as of commissions', async () => {
  const csv = 'Day,Campaign,Cost,Currency code\n2026-11-01,Brand,1.234,EUR\n2026-11-02,Brand,2.345,EUR\n';
  expect(await findProblems(createStores(), csv)).toEqual([
    expect.stringContaining('choose the decimal sign . or ,'),
  ]);
  expect(await run(createStores(), csv, { decimal: ',' })).toMatchObject({ sums: { EUR: 357_900 } });
  expect(await run(createStores(), csv, { decimal: '.' })).toMatchObject({ sums: { EUR: 358 } });
  const mixed = csv.replace('2.345,EUR', '45.678,VND').replace('1.234', '1.50');
  expect((await run(createStores(), mixed)).problems).toEqual([
    'Line 3: the amount 45.678 can be 45.67 or 45678: choose the decimal sign . or , (--decimal).',
  ]);
});

it('reads no cost in the stated currency beside a column of other currencies that is not read', async () => {
  const csv = CSV.replace('Currency code', 'Para birimi').replaceAll('USD', 'TRY');
  expect(await findProblems(createStores(), csv, { currency: 'USD' })).toEqual([
    expect.stringContaining('mostly currencies: Para birimi.'),
  ]);
  expect(await run(createStores(), csv, { currency: 'TRY' })).toMatchObject({ sums: { TRY: 1_100 } });
});

it.each<[what: string, from: string | RegExp, to: string, columns: ImportProfile['columns'], asked: string]>([
  ['a cost of another name', 'Cost', 'Ráfordítás', { amount: 'Ráfordítás' }, 'No column has the cost'],
  ['a campaign', 'Campaign,', 'Kampány,', { campaign: 'Kampány' }, 'No column has the campaign'],
  ['a day', 'Day', 'Nap', { day: 'Nap' }, 'mostly days: Nap.'],
  ['a currency', 'Currency code', 'Pénznem', { currency: 'Pénznem' }, 'mostly currencies: Pénznem.'],
  ['two columns of one name', /Cost|\d\.00/g, '$&,$&', { amount: 'Cost' }, 'Two columns are called Cost'],
])('asks which column has %s, once for the platform', async (_, from, to, columns, asked) => {
  const stores = createStores();
  // The second of two columns of one name has other money.
  const csv = CSV.replace(from, to).replaceAll(/,\d\.00,\d\.00/g, (pair) => `${pair.slice(0, -4)}9.00`);
  expect((await findProblems(stores, csv))[0]).toContain(asked);
  const expected = { committed: true, sums: { USD: 1_100 } };
  expect(await run(stores, csv, { columns })).toMatchObject(expected);
  expect(await run(stores, csv.replaceAll('11-0', '10-0'))).toMatchObject(expected);
});

it('reads cents of a heading, and never a million of a cost as a cost', async () => {
  const cents = CSV.replace('Cost', 'Cost (cents)').replace('5.00', '500').replace('6.00', '600');
  expect(await run(createStores(), cents)).toMatchObject({ sums: { USD: 1_100 } });
  expect(await findProblems(createStores(), cents.replace('500', '5.00'))).toEqual([
    'Line 2: "5.00" is no whole number of cents.',
  ]);
  expect((await findProblems(createStores(), CSV.replace('Cost', 'Cost micros')))[0]).toContain(
    'No column has the cost',
  );
});

it('refuses a column that the file does not have, as of a report', async () => {
  const [problem] = await findProblems(createStores(), CSV, { columns: { campaign: 'Nothing' } });
  expect(problem).toContain('There is no column "Nothing": Day, Campaign, Cost, Currency code.');
});

it('lists what nothing reads', async () => {
  const csv = CSV.replace('Cost,', 'Cost,Clicks,').replaceAll('.00,', '.00,7,');
  expect(await run(createStores(), csv)).toMatchObject({ unread: ['Clicks'], columns: { amount: 'Cost' } });
});

it('names campaigns that count on the same days and are not in the file, as after a change of the name', async () => {
  const stores = createStores();
  await run(stores, CSV);
  expect((await run(stores, CSV.replaceAll('Brand', 'Brand US'))).absent).toEqual(['Brand']);
});

it.each([
  ['google', 'crm', 'google / organic / crm'],
  ['microsoft', 'CRM', 'bing / cpc / crm'],
  ['meta', 'crm', null],
  ['meta', 'november', null],
  ['google', 'Brand', 'google / cpc / brand'],
  ['google', 'unknown', null],
] as const)('matches the %s campaign %s to %s', async (platform, name, campaign) => {
  const stores = createStores();
  const { matched, unmatched } = await run(stores, CSV.replaceAll('Brand', name), { platform });
  expect(matched).toEqual(campaign === null ? {} : { [name]: campaign });
  expect(unmatched.map((one) => one.name)).toEqual(campaign === null ? [name] : []);
});

it('counts a campaign that is not matched under a name of its platform until it is assigned once', async () => {
  const stores = createStores();
  const csv = CSV.replaceAll('Brand', '"Spring, 2026"');
  await run(stores, csv);
  const name = (await readAll(stores)).map(([campaign]) => campaign)[0];
  expect(name).toBe('google / cpc / Spring, 2026');
  expect(await assignCampaign(stores, 'google', 'Spring, 2026', 'google / cpc / brand')).toBeNull();
  expect(new Set((await readAll(stores)).map(([campaign]) => campaign))).toEqual(
    new Set(['google / cpc / brand']),
  );
  expect((await run(stores, csv.replaceAll('11-0', '11-1'))).unmatched).toEqual([]);
  expect(await assignCampaign(stores, 'google', 'Summer', 'a / b / c')).toContain(
    'There is no campaign "Summer"',
  );
});

const typed = { campaign: 'google / cpc / brand', amount: '300', currency: 'usd', period: '2026-11' };

it('refuses a month and days of it, and a typed amount beside an imported one, with what to undo', async () => {
  const stores = createStores();
  const set = await setCost(stores, typed, SITE);
  const entry = 'entry' in set ? set.entry : '';
  const refused = await run(stores, CSV);
  expect(refused.problems).toEqual([
    `google / cpc / brand already has $300.00 for 2026-11, typed in: both would count. Undo ${entry} first, or leave 2026-11 out.`,
  ]);
  expect(await run(stores, CSV.replaceAll('2026-11', '2026-12'))).toMatchObject({ committed: true });
  await stores.costs.undo(entry, NOW);
  const imported = await run(stores, CSV);
  expect(imported.committed).toBe(true);
  expect(await setCost(stores, typed, SITE)).toEqual({ problem: expect.stringContaining(imported.entry) });
  const month = 'Month,Campaign,Cost,Currency code\n2026-11,Brand,5.00,USD\n';
  expect((await run(stores, month)).problems).toEqual([expect.stringContaining(imported.entry)]);
  await setCost(stores, { ...typed, campaign: 'x / y / z' }, SITE);
  expect(await assignCampaign(stores, 'google', 'Brand', 'x / y / z')).toContain('typed in');
});

it('stores a typed amount in place of the one before, by the full name or the only campaign of a name', async () => {
  const stores = createStores();
  expect(await setCost(stores, typed, SITE)).toMatchObject({
    campaign: typed.campaign,
    amount: 30_000,
    isReported: true,
  });
  expect(await setCost(stores, { ...typed, campaign: 'Brand', amount: '310.5' }, SITE)).toMatchObject({
    amount: 31_050,
  });
  expect(await setCost(stores, { ...typed, campaign: 'new / cpc / x' }, SITE)).toMatchObject({
    isReported: false,
  });
  expect(await readAll(stores)).toEqual([
    ['google / cpc / brand', '2026-11', 31_050, 'USD'],
    ['new / cpc / x', '2026-11', 30_000, 'USD'],
  ]);
});

it.each([
  [{ amount: '-1' }, 'The cost is a decimal'],
  [{ amount: '1,50' }, 'The cost is a decimal'],
  [{ amount: '99999999' }, 'The cost is a decimal'],
  [{ currency: 'dollars' }, 'The currency is a code'],
  [{ period: '2026-13' }, 'is no month'],
  [{ period: '2026-02-30' }, 'is no month'],
  [{ campaign: 'november' }, 'Several campaigns are called "november"'],
  [{ campaign: 'winter' }, 'No report has a campaign "winter"'],
  [{ campaign: ' ' }, 'Name the campaign'],
])('refuses to store %j', async (change, problem) => {
  const stores = createStores();
  expect(await setCost(stores, { ...typed, ...change }, SITE)).toEqual({
    problem: expect.stringContaining(problem),
  });
  expect(await stores.costs.readEntries()).toEqual([]);
});
