import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DATABASE_CASES } from '../../../test/support/cases.ts';
import {
  buildForm,
  buildViewRequest,
  CONSOLE_NOW,
  createTestConsole,
  postChange,
  renderWithForms,
} from '../../../test/support/console-ledger.ts';
import { forAll } from '../../../test/support/for-all.ts';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { createMemoryRollups } from '../../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import { formatDecimalAmount } from '../../core/commissions/money.ts';
import { CAPABILITIES, type Capability } from '../../core/console/capabilities.ts';
import { Costs } from '../../stores/costs.ts';
import { readImport } from '../import/read.ts';
import { buildTable } from '../reports/columns.ts';
import { addDays } from '../reports/range.ts';
import { VIEWS } from '../views.ts';
import { CAMPAIGN_COLUMNS, readAllCampaigns, readCampaigns, readCostTasks } from './read.ts';

const TO = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const FROM = addDays(TO, -60);
const NAMES = ['brand', 'crm', 'tools'] as const;

const ROWS = NAMES.map((name, index) => ({
  ...({ dimension: 'campaign', day: addDays(TO, -50), views: 0, actions: 0 } as const),
  key: ['google', 'cpc', name, ''],
  sessions: 500,
  clicks: 100 + index,
}));

/** A commission of a click of the campaign `brand`. */
function buildEntry(index: number): LedgerEntry {
  const clickTime = CONSOLE_NOW - 50 * DAY_MS;
  const times = { eventTime: clickTime + DAY_MS, changeTime: clickTime + DAY_MS };
  const campaign = { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'brand' };
  return buildSampleEntry([{ nativeId: `c-${index}`, status: 'approved', amount: 4_000, ...times }], {
    clickId: `c-${index}`,
    clickTime,
    touches: [{ campaign, time: clickTime }],
  });
}

async function createSite(conversions = 8) {
  const database = openMemoryDatabase('commissions');
  const entries = Array.from({ length: conversions }, (_, index) => buildEntry(index));
  const costs = new Costs(new MemoryExecutor(database));
  const site = await createTestConsole({ entries, rollups: createMemoryRollups(ROWS), costs });
  return { site, database };
}

const buildRequest = (change: Partial<ReturnType<typeof buildViewRequest>['query']> = {}) => {
  const { query, ...rest } = buildViewRequest();
  return { ...rest, query: { ...query, from: FROM, to: TO, currency: 'USD', ...change } };
};

const anyCost = fc.record({
  platform: fc.constant('google' as const),
  name: fc.constantFrom('brand', 'crm', 'unknown'),
  period: fc.integer({ min: -20, max: 80 }).map((days) => addDays(TO, -days)),
  amount: fc.integer({ min: 0, max: 10 ** 8 }),
  currency: fc.constantFrom('USD', 'EUR'),
});

it('sums of costs by campaign and by day, of the export and of SQL agree for any range and currency', async () => {
  const anyEntries = fc.array(fc.array(anyCost, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
  const { site, database } = await createSite();
  await forAll(
    DATABASE_CASES,
    [anyEntries, fc.integer({ min: 0, max: 70 }), fc.constantFrom('USD', 'EUR')],
    async (files, days, currency) => {
      database.exec('DELETE FROM costs; DELETE FROM cost_entries');
      for (const [index, costs] of files.entries()) {
        const entry = {
          id: `e-${index}`,
          platform: 'google',
          file: 'f',
          timeZone: '',
          state: 'committed',
          changedAt: index,
        } as const;
        await site.money.costs.write(entry, costs);
      }
      // The last one does not count.
      if (files.length > 1) await site.money.costs.undo(`e-${files.length - 1}`, 9);
      const from = addDays(TO, -days);
      const request = buildRequest({ from, currency });
      const { rows } = await readAllCampaigns(site, request);
      const sql = database
        .prepare(`SELECT name, sum(amount) AS amount FROM costs WHERE period BETWEEN ? AND ? AND currency = ?
          AND entry_id || period || name IN (SELECT max(entry_id) || period || name FROM costs
            WHERE entry_id IN (SELECT entry_id FROM cost_entries GROUP BY entry_id HAVING count(*) = 1) GROUP BY period, name)
          GROUP BY name`)
        .all(from, TO, currency);
      const byCampaign = rows.flatMap(({ key, profit }) =>
        profit === null ? [] : [[key, profit.cost] as const],
      );
      expect(byCampaign.toSorted()).toEqual(
        sql.map(({ name, amount }) => [`google / cpc / ${name}`, amount]).toSorted(),
      );
      const table = buildTable(rows, CAMPAIGN_COLUMNS);
      const [name, cost] = [table.columns.indexOf('campaign'), table.columns.indexOf('cost')];
      const exported = [...table.rows].flatMap((row) => (row[cost] === null ? [] : [[row[name], row[cost]]]));
      expect(exported.toSorted()).toEqual(
        byCampaign.map(([key, amount]) => [key, formatDecimalAmount(amount, currency)]).toSorted(),
      );
      for (const [campaign, amount] of byCampaign) {
        const filters = [{ dimension: 'campaign', value: campaign, isNot: false } as const];
        const { costDetail } = await readCampaigns(site, buildRequest({ from, currency, filters }));
        expect(costDetail?.buckets.reduce((sum, bucket) => sum + bucket.amount, 0)).toBe(amount);
      }
    },
  );
});

const typed = { action: 'set-cost', campaign: 'brand', currency: 'USD', period: FROM.slice(0, 7) };

it('shows what a campaign cost and brought, and names what is in another currency', async () => {
  const { site } = await createSite();
  const set = (change: object) => postChange(site, 'campaigns', { ...typed, amount: '60.00', ...change });
  const period = addDays(TO, -50);
  expect(await set({ period })).toMatchObject({
    isError: false,
    message: `google / cpc / brand cost 60.00 USD in ${period}.`,
  });
  await set({ campaign: 'crm', currency: 'eur', amount: '5', period });
  expect(await set({ amount: 'much' })).toMatchObject({ isError: true });
  const { profits, otherCosts } = await readCampaigns(site, buildRequest());
  expect(otherCosts).toEqual({ EUR: 500 });
  expect(profits).toHaveLength(1);
  const [profit] = profits;
  expect(profit).toMatchObject({
    cost: 6_000,
    costSince: period,
    expected: 32_000,
    profit: 26_000,
    visits: 500,
    costPerVisit: 12,
  });
  const { low, mean, high } = profit?.breakEven ?? { low: 0, mean: 0, high: 0 };
  expect([low > 0, low < mean, mean < high]).toEqual([true, true, true]);
  const byBooking = await readCampaigns(site, buildRequest({ clock: 'booking' }));
  expect(byBooking.profits[0]).toMatchObject({ profit: 26_000, finalProfit: null, breakEven: null });
  const filters = [{ dimension: 'partner', value: 'highlevel', isNot: false } as const];
  expect(await readCampaigns(site, buildRequest({ filters }))).toMatchObject({
    areCostsShown: false,
    profits: [],
  });
});

it('lists campaigns that cost something and brought nothing as tasks, in every currency', async () => {
  const { site } = await createSite();
  for (const [index, currency] of ['USD', 'EUR'].entries()) {
    const period = addDays(TO, index - 50);
    await postChange(site, 'campaigns', { ...typed, campaign: 'tools', amount: '50', currency, period });
  }
  const tasks = await readCostTasks(site, buildRequest().query);
  expect(tasks.map(({ key, amount }) => [key, amount]).toSorted()).toEqual([
    ['cost:EUR:google / cpc / tools', 5_000],
    ['cost:USD:google / cpc / tools', 5_000],
  ]);
});

const FRAME = {
  query: buildRequest().query,
  timeZone: 'UTC',
  parameters: '',
  exportHref: null,
  names: { pages: new Map(), partners: new Map(), topics: new Map(), questions: [] },
};

it.each([
  ['who manages', true],
  ['who sees money alone', false],
])('an operator %s sees costs; forms are for those who manage', async (_, manages) => {
  const { site } = await createSite();
  await postChange(site, 'campaigns', { ...typed, amount: '60', period: addDays(TO, -50) });
  const capabilities: readonly Capability[] = manages ? CAPABILITIES : ['money'];
  const viewer = { kind: 'operator', id: 'o-1', name: 'Ada', capabilities } as const;
  for (const view of ['campaigns', 'import'] as const) {
    const request = { ...buildRequest(), viewer, rest: view === 'import' ? ['costs'] : [] };
    const html = renderWithForms(view, viewer, await VIEWS[view].read(site, request), FRAME);
    expect(html).toContain('$60.00');
    expect(html.includes('method="post"')).toBe(manages);
  }
});

const CSV = 'Day,Campaign,Cost,Currency code\n2025-12-01,brand,5.00,USD\n2025-12-02,spring,6.00,USD\n';
const upload = (csv: string, name: string) => {
  const form = buildForm({ action: 'upload-costs', platform: 'google' });
  form.set('file', new File([csv], name));
  return form;
};

it('imports an uploaded file after its preview, assigns what was not matched, and takes it back', async () => {
  const { site } = await createSite();
  const request = buildViewRequest();
  const uploaded = await postChange(site, 'import', upload(CSV, 'ads.csv'));
  expect(uploaded.message).toBe('ads.csv was read. Nothing is imported yet.');
  const [, id = ''] = /upload=([^#]+)/.exec(uploaded.location) ?? [];
  const parameters = new URLSearchParams({ upload: id });
  const { costPreview } = await readImport(site, { ...request, parameters });
  expect(costPreview?.summary).toMatchObject({
    rows: 2,
    sums: { USD: 1_100 },
    matched: { brand: 'google / cpc / brand' },
    unmatched: [{ name: 'spring', campaign: 'google / cpc / spring' }],
  });
  const other = {
    ...request,
    viewer: { kind: 'operator', id: 'o-2', name: 'Bo', capabilities: CAPABILITIES },
  } as const;
  expect((await postChange(site, 'import', { action: 'commit', upload: id }, other)).isError).toBe(true);
  const imported = await postChange(site, 'import', { action: 'commit', upload: id });
  expect(imported.message).toBe('ads.csv was imported: 2 costs.');
  const fields = {
    action: 'assign-cost',
    platform: 'google',
    name: 'spring',
    campaign: 'google / cpc / crm',
  };
  expect((await postChange(site, 'import', fields)).isError).toBe(false);
  const { costs } = await readImport(site, request);
  expect(costs.campaigns.map(({ campaign }) => campaign)).toEqual([
    'google / cpc / brand',
    'google / cpc / crm',
  ]);
  const [entry] = costs.entries;
  const undo = buildForm({ action: 'undo-costs', entry: entry?.id ?? '' });
  expect((await postChange(site, 'import', undo)).isError).toBe(false);
  expect(await site.money.costs.read('2025-12-01', '2025-12-31')).toEqual([]);
});

it.each([
  ['', 'Choose a CSV file that is not empty.'],
  ['Day,Campaign,Cost\n2025-12-01,brand,5.00\n', 'the currency is missing'],
  ['only one column\n', 'expected a header'],
])('says what is wrong with %j and imports nothing', async (csv, problem) => {
  const { site } = await createSite();
  const request = buildViewRequest();
  const uploaded = await postChange(site, 'import', upload(csv, 'ads.csv'));
  const [, id = ''] = /upload=([^#]+)/.exec(uploaded.location) ?? [];
  const { costPreview } = await readImport(site, {
    ...request,
    parameters: new URLSearchParams({ upload: id }),
  });
  expect([uploaded.message, ...(costPreview?.problems ?? [])].join(' ')).toContain(problem);
  await postChange(site, 'import', { action: 'commit', upload: id });
  expect(await site.money.costs.readEntries()).toEqual([]);
});
