import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyContent } from './support/content-copy.ts';
import { createFolder } from './support/create-folder.ts';
import { runCommand } from './support/run-command.ts';
import { SAMPLE_CLICK } from './support/sample-commissions.ts';
import { buildSampleVisit } from './support/sample-events.ts';
import { seedLedger } from './support/seed-ledger.ts';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'commissions-command-'));
const OTHER_CLICK = '11111111-2222-4333-8444-555555555555';
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

function createRunner(dataDir: string) {
  const run = (...words: string[]) =>
    runCommand('commissions', words, { DATA_DIR: dataDir, SITE_URL: 'https://hub.example' });
  const runJson = async (...words: string[]): Promise<unknown> =>
    JSON.parse((await run(...words, '--format', 'json')).stdout);
  return { run, runJson };
}
const { run, runJson } = createRunner(DATA_DIR);

async function seed(dataDir: string): Promise<void> {
  const events = [...buildSampleVisit(SAMPLE_CLICK), ...buildSampleVisit(OTHER_CLICK)];
  await seedLedger(dataDir, events, [
    { nativeId: 'c1', status: 'approved', amount: 4_000, token: SAMPLE_CLICK, changeTime: at('2025-11-25') },
    { nativeId: 'c2', status: 'pending', amount: 101, token: SAMPLE_CLICK, changeTime: at('2025-12-02') },
    { nativeId: 'c3', status: 'approved', amount: 500, currency: 'EUR', changeTime: at('2025-12-03') },
    { nativeId: 'c4', amount: 250, token: 'newsletter', changeTime: at('2025-12-04') },
    { nativeId: 'test', amount: 0, isTest: true },
  ]);
}
beforeAll(() => seed(DATA_DIR));
afterAll(() => rm(DATA_DIR, { recursive: true }));

const totals = (approved: number, pending = 0) => ({ approved, paid: 0, pending, reversed: 0, unknown: 0 });

it('reports clicks and money by page, with what is unmatched as a number of its own', async () =>
  expect(await runJson('report', '--by', 'page')).toEqual({
    rows: [
      { key: '/pricing', clicks: 2, conversions: 1, payments: 1, currencies: { USD: totals(4_000, 101) } },
    ],
    total: {
      key: 'total',
      clicks: 2,
      conversions: 1,
      payments: 1,
      currencies: { USD: totals(4_000, 351), EUR: totals(500) },
    },
    labelled: { key: 'labelled', clicks: 0, conversions: 0, payments: 0, currencies: {} },
    unmatched: {
      key: 'unmatched',
      clicks: 0,
      conversions: 0,
      payments: 0,
      currencies: { EUR: totals(500), USD: totals(0, 250) },
    },
    withoutJourney: { key: 'without journey', clicks: 0, conversions: 0, payments: 0, currencies: {} },
  }));

it('lists the payments that the terms of the partners name, in the formats of a report', async () => {
  const { payments } = (await runJson('payments', '--partner', 'highlevel')) as {
    readonly payments: readonly Readonly<Record<string, unknown>>[];
  };
  expect(
    payments.map(({ state, currency, approved, pending }) => [state, currency, approved, pending]),
  ).toEqual([
    ['not confirmed', 'EUR', 500, 0],
    ['carried over', 'USD', 4_000, 0],
    ['no date', 'USD', 0, 351],
  ]);
  const { stdout } = await run('payments', '--format', 'csv');
  expect(stdout.split('\r\n')[0]).toBe(
    'day,state,partner,account,currency,paid,approved,pending,expected,commissions',
  );
  expect((await run('payments', '--partner', 'unknown')).stdout.trim().split('\n')).toHaveLength(1);
});

it.each([
  [['--by', 'placement'], [['/pricing hero', 2, 4_101]]],
  [['--by', 'campaign'], [['google / cpc / crm', 2, 4_101]]],
  [
    ['--by', 'campaign', '--model', 'first'],
    [
      ['newsletter / (none) / (none)', 0, 4_101],
      ['google / cpc / crm', 2, 0],
    ],
  ],
  // The events are those of an earlier version: the clicks have no source, and the journeys that of their campaigns.
  [
    ['--by', 'source'],
    [
      ['paid search / Google', 0, 4_101],
      ['unknown', 2, 0],
    ],
  ],
  [['--by', 'answer'], [['agency', 2, 4_101]]],
  [['--by', 'partner'], [['highlevel', 2, 4_101]]],
  [['--by', 'month'], [['2025-11', 2, 4_101]]],
  [['--by', 'page', '--from', '2025-11-20'], []],
])('reports %j as %j', async (words, expected) => {
  const { rows } = (await runJson('report', ...words)) as {
    rows: { key: string; clicks: number; currencies: { USD?: { approved: number; pending: number } } }[];
  };
  expect(
    rows.map(({ key, clicks, currencies: { USD } }) => [
      key,
      clicks,
      (USD?.approved ?? 0) + (USD?.pending ?? 0),
    ]),
  ).toEqual(expected);
});

it('reports as a table and as CSV in decimals', async () => {
  const table = (await run('report')).stdout;
  expect(table).toMatch(
    /^page +clicks +conversions +payments +currency +approved +paid +pending +reversed +epc\n/,
  );
  expect(table).toContain('40.00');
  expect((await run('report', '--format', 'csv')).stdout).toBe(
    'page,clicks,conversions,payments,currency,approved,paid,pending,reversed,epc\r\n/pricing,2,1,1,USD,40.00,0.00,1.01,0.00,20.51\r\n',
  );
});

it('explains a commission from the report to the click', async () => {
  expect(await runJson('explain', 'c2')).toMatchObject({
    commission: { partner: 'highlevel', id: 'c2', status: 'pending', amount: 101, currency: 'USD' },
    click: {
      id: SAMPLE_CLICK,
      page: '/pricing',
      source: 'hero',
      destination: 'trial',
      time: '2025-11-18T21:06:43.000Z',
    },
    campaign: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'crm' },
    answers: { businessType: 'agency' },
  });
  expect((await run('explain', 'c2')).stdout).toContain('page        /pricing, placement hero');
});

it('lists unmatched commissions with the reason, and assigns, dismisses and resets them', async () => {
  const list = async () =>
    ((await runJson('unmatched')) as { commissions: { id: string; reason: string }[] }).commissions.map(
      ({ id, reason }) => [id, reason],
    );
  const all = [
    ['c3', 'no-sub-id'],
    ['c4', 'unknown-token'],
    ['test', 'test-message'],
  ];
  expect(await list()).toEqual(all);
  expect((await run('assign', 'c4', OTHER_CLICK.toUpperCase())).stdout).toBe('assign: highlevel c4\n');
  expect((await run('dismiss', 'c3')).code).toBe(0);
  expect(await list()).toEqual([['test', 'test-message']]);
  expect(await runJson('report')).toMatchObject({
    rows: [{ conversions: 2, payments: 1, currencies: { USD: totals(4_000, 351) } }],
    unmatched: { currencies: {} },
  });
  await run('reset', 'c4');
  await run('reset', 'c3');
  expect(await list()).toEqual(all);
});

it('previews, imports, lists and takes back a file', async () => {
  const file = path.join(DATA_DIR, 'report.csv');
  writeFileSync(file, `id;commission;status;sub id\n9;12,50 €;approved;${SAMPLE_CLICK}\n`);
  const words = ['import', file, '--partner', 'kit', '--currency', 'EUR', '--time-zone', 'Europe/Berlin'];
  expect(await runJson(...words)).toMatchObject({
    committed: false,
    rows: 1,
    matched: 1,
    sums: { EUR: 1_250 },
  });
  expect((await run(...words)).stdout).toContain('Nothing was imported yet: add --yes to import it.');
  const { import: id } = (await runJson(...words, '--yes')) as { import: string };
  expect(await runJson('explain', '9')).toMatchObject({ commission: { partner: 'kit', amount: 1_250 } });
  // The profile of the partner is used again.
  expect(await runJson('import', file, '--partner', 'kit')).toMatchObject({ new: 0, unchanged: 1 });
  expect(await runJson('imports')).toMatchObject({
    imports: [{ id, partner: 'kit', state: 'committed', rows: 1 }],
  });
  expect((await run('undo', id)).stdout).toBe(`undone: ${id}\n`);
  expect((await run('explain', '9')).code).toBe(1);
  expect((await run('undo', id)).stderr).toContain('There is no import');
  writeFileSync(file, 'id;commission;date\n9;12,50;2025-11-20\n');
  expect((await run('import', file, '--partner', 'highlevel')).stderr).toBe(
    'Nobody states the time zone: name it (--time-zone Europe/Berlin).\n',
  );
});

it('credits a report that names an id of a page to the page', async () => {
  const [data, content] = [path.join(DATA_DIR, 'labels'), path.join(DATA_DIR, 'content')];
  const labels = 'labels: { uses: [{ id: desks-20, since: 2025-01-01, pages: [/roi-calculator] }] }';
  const toAmazon = (text: string) =>
    `${text.replace(/^subId:\n(?: .*\n)+/m, 'subId:\n').replace(/^network: .*$/m, 'network: amazon')}${labels}\n`;
  copyContent(content, { 'partners/kit.yaml': toAmazon });
  const file = path.join(DATA_DIR, 'earnings.csv');
  writeFileSync(
    file,
    'Name,ASIN,Tracking ID,Date Shipped,Items Shipped,Revenue($),Ad Fees($)\nA desk,B1,desks-20,2025-11-18,1,40.00,1.80\n',
  );
  const env = { DATA_DIR: data, CONTENT_DIR: content };
  const profile = ['--partner', 'kit', '--currency', 'USD', '--time-zone', 'UTC'];
  const load = (...words: readonly string[]) =>
    runCommand('commissions', ['import', file, ...profile, ...words], env);
  expect(await load('--yes')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('add --checked --yes'),
  });
  expect(await load('--yes', '--checked')).toMatchObject({ code: 0 });
  const { stdout } = await runCommand('commissions', ['report', '--by', 'page', '--format', 'json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ labelled: { currencies: { USD: totals(0, 180) } } });
});

function writeRates(): string {
  const file = path.join(DATA_DIR, 'eurofxref-hist.csv');
  writeFileSync(file, 'Date,USD,JPY,\n2025-12-03,1.1668,181.2,\n2025-12-02,1.1614,N/A,\n');
  return file;
}

it('stores rates of a file and of the command line, and reports in one currency', async () => {
  const file = writeRates();
  const words = ['rates', 'import', file];
  const counts = { days: 2, from: '2025-12-02', to: '2025-12-03', currencies: 2, new: 2, changed: 0 };
  expect(await runJson(...words)).toEqual({ ...counts, committed: false });
  expect((await run(...words)).stdout).toContain('Nothing was stored yet: add --yes to store them.');
  expect(await runJson(...words, '--yes')).toEqual({ ...counts, committed: true });
  expect(await runJson(...words, '--yes')).toEqual({ ...counts, new: 0, committed: true });
  // 5.00 EUR × 1.1668 = 5.834 USD
  expect(await runJson('report', '--currency', 'USD')).toMatchObject({
    total: { currencies: { USD: totals(4_583, 351) } },
    unmatched: { currencies: { USD: totals(583, 250) } },
    exchange: {
      currency: 'USD',
      converted: [{ currency: 'EUR', amount: 500, converted: 583, day: '2025-12-03' }],
      missing: [],
    },
  });
  expect((await run('rates', 'set', 'eur', 'usd', '2', '--day', '2025-12-03')).stdout).toBe(
    '1 EUR = 2 USD on 2025-12-03\n',
  );
  expect((await run('report', '--currency', 'USD')).stdout).toContain(
    '\n5.00 EUR as 10.00 USD, newest rate of 2025-12-03\n',
  );
  expect((await run('rates', 'remove', 'EUR', 'USD', '--day', '2025-12-03')).code).toBe(0);
  expect(await run('rates', 'remove', 'EUR', 'USD', '--day', '2025-12-03')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no rate of your own'),
  });
  // Nothing but the booking of the fourth is within seven days of a rate of the yen.
  expect((await run('report', '--currency', 'JPY')).stdout).toMatch(/has no rate into JPY\n$/);
  expect((await run('rates', 'total', 'usd')).stdout).toBe('reporting currency: USD\n');
  expect(await runJson('rates')).toMatchObject({
    reportingCurrency: 'USD',
    rates: [
      { quote: 'JPY', days: 1 },
      { quote: 'USD', origin: 'ecb', days: 2 },
    ],
  });
  expect((await run('rates', 'total', 'none')).stdout).toBe('reporting currency: none\n');
});

it('imports, stores, assigns, reports and takes back what campaigns cost', async () => {
  const dataDir = createFolder();
  await seed(dataDir);
  const { run, runJson } = createRunner(dataDir);
  await run('rates', 'import', writeRates(), '--yes');
  const file = path.join(DATA_DIR, 'ads.csv');
  writeFileSync(
    file,
    'Day,Campaign,Cost,Currency code\n2025-11-18,crm,10.00,USD\n2025-11-19,"Spring, 2026",2.50,USD\n',
  );
  const words = ['cost', 'import', file, '--platform', 'google'];
  const preview = (await run(...words)).stdout;
  expect(preview).toContain('Google Ads: 2 costs from 2025-11-18 to 2025-11-19, 12.50 USD\n');
  expect(preview).toContain('matched: crm = google / cpc / crm\n');
  expect(preview).toContain('cost assign google "Spring, 2026" CAMPAIGN');
  expect(preview).toContain('Nothing was imported yet: add --yes to import it.');
  const { entry } = (await runJson(...words, '--yes')) as { entry: string };
  expect(await runJson(...words, '--yes')).toMatchObject({ entry, unchanged: 2 });
  expect((await run('cost', 'assign', 'google', 'Spring, 2026', 'google / cpc / crm')).code).toBe(0);
  const set = ['cost', 'set', 'newsletter / (none) / (none)', '3', 'USD', '--month', '2025-11'];
  expect((await run(...set)).stdout).toContain('newsletter / (none) / (none): 3.00 USD for 2025-11, as ');
  const report = async () =>
    ((await runJson('report', '--by', 'campaign', '--cost')) as { rows: CostRow[] }).rows.map(
      ({ campaign, currency, cost, left }) => [campaign, currency, cost, left],
    );
  expect((await report()).toSorted()).toEqual([
    ['google / cpc / crm', 'USD', 1_250, 2_851],
    ['newsletter / (none) / (none)', 'USD', 300, -300],
  ]);
  // A cost without a rate stays apart, and is said.
  await run('cost', 'set', 'google / cpc / crm', '7', 'CHF', '--month', '2025-10');
  expect((await run('report', '--by', 'campaign', '--cost')).stdout).toContain(
    'for want of a rate: the cost of google / cpc / crm: CHF.\n',
  );
  expect((await run('cost', 'list')).stdout).toMatch(
    /google +ads\.csv +2025-11-18 +2025-11-19 +2 +12\.50 USD +committed/,
  );
  expect((await run('undo', entry)).stdout).toBe(`undone: ${entry}\n`);
  expect((await report()).toSorted()).toEqual([
    ['google / cpc / crm', 'USD', 0, 4_101],
    ['newsletter / (none) / (none)', 'USD', 300, -300],
  ]);
});

type CostRow = Record<'campaign' | 'currency' | 'cost' | 'left', string | number | null>;

it('prints one URL for the postbacks of a partner, and the same one each time', async () => {
  const { stdout } = await run('postback-url', 'highlevel');
  expect(stdout).toMatch(/^https:\/\/hub\.example\/api\/postbacks\/highlevel\/[\w-]{32}\n$/);
  expect((await run('postback-url', 'highlevel')).stdout).toBe(stdout);
  expect((await run('postback-url', 'kit')).stdout).not.toContain(stdout.trim().slice(-32));
});

it.each([
  [['report', '--by', 'color'], '--by is page, placement'],
  [['report', '--from', 'soon'], '--from is a day'],
  [['explain', 'missing'], 'There is no commission "missing".'],
  [['assign', 'c3', 'no-click'], 'There is no click no-click'],
  [['postback-url', 'unknown'], 'There is no partner "unknown"'],
  [['explain'], 'An argument is missing.'],
  [['sync'], 'No network to read: set FIRSTPROMOTER_TOKEN'],
  [['sing'], 'There is no command "sing".'],
  [['rates', 'set', 'EUR', 'USD'], 'An argument is missing.'],
  [['rates', 'set', 'EUR', 'USD', '1,08'], '"1,08" is no rate: expected a decimal above 0'],
  [['rates', 'set', 'EUR', 'USD', '1', '--day', '2099-12-31'], '2099-12-31 is in the future.'],
  [['rates', 'total', 'dollars'], 'The currency is an ISO 4217 code such as USD, or none, not "dollars".'],
  [['report', '--currency', 'usd'], '--currency is an ISO 4217 code such as USD, not "usd".'],
  [['report', '--cost'], '--cost goes with --by campaign'],
  [['cost', 'import', 'ads.csv'], 'Name the platform of the file: --platform google|microsoft|meta.'],
  [['cost', 'set', 'crm', '1', 'USD'], 'Name the time of the cost'],
  [['cost', 'set', 'crm', '1', 'USD', '--month', 'May'], '--month is a month such as 2026-11, not "May".'],
  [
    ['cost', 'set', 'crm', 'much', 'USD', '--month', '2026-11'],
    'The cost is a decimal such as 412.50, not "much".',
  ],
  [['cost', 'assign', 'google', 'none', 'crm'], 'There is no campaign "none" of google with a cost.'],
  [['cost', 'sing'], 'There is no command "sing".'],
])('explains what is wrong with %j', async (words, message) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
});

it('reports an empty ledger without creating one', async () => {
  const dir = mkdtempSync(path.join(DATA_DIR, 'empty-'));
  writeFileSync(path.join(dir, 'console.sqlite'), '');
  const { stdout, stderr } = await runCommand('commissions', ['report', '--format', 'json'], {
    DATA_DIR: dir,
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ rows: [], total: { clicks: 0 } });
});
