import fc from 'fast-check';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import {
  buildForm,
  buildViewRequest,
  CONSOLE_NOW,
  createTestConsole,
  postChange,
  renderWithForms,
  storeEntries,
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
import { readOverviewWithTasks } from '../overview/tasks.ts';
import { buildTable } from '../reports/columns.ts';
import { getCreditedName } from '../reports/period-figures.ts';
import { addDays } from '../reports/range.ts';
import { readWorthVerdict } from '../reports/verdicts.ts';
import { VIEWS } from '../views.ts';
import { CAMPAIGN_COLUMNS, readAllCampaigns, readCampaigns, readCostTasks } from './read.ts';
import { CampaignsView } from './view.tsx';

const TO = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const FROM = addDays(TO, -60);
const NAMES = ['brand', 'crm', 'tools'] as const;

const ROWS = NAMES.map((name, index) => ({
  dimension: 'campaign' as const,
  day: addDays(TO, -50),
  views: 0,
  actions: 0,
  key: ['google', 'cpc', name, ''],
  sessions: 500,
  clicks: 100 + index,
}));

/** A commission of a click of a campaign. */
function buildEntry(index: number, name = 'brand', age = 50, delay = 1): LedgerEntry {
  const clickTime = CONSOLE_NOW - age * DAY_MS;
  const times = { eventTime: clickTime + delay * DAY_MS, changeTime: clickTime + delay * DAY_MS };
  const campaign = { utm_source: 'google', utm_medium: 'cpc', utm_campaign: name };
  return buildSampleEntry([{ nativeId: `c-${index}`, status: 'approved', amount: 4_000, ...times }], {
    clickId: `c-${index}`,
    clickTime,
    touches: [{ campaign, time: clickTime }],
  });
}

/** Clicks of a year ago, from which it is known how long money takes. */
const OLD_ROWS = NAMES.flatMap((name) =>
  [300, 330].map((age) => ({
    ...(ROWS[0] ?? expect.fail()),
    key: ['google', 'cpc', name, ''],
    day: addDays(TO, -age),
  })),
);

/** `known`: the campaign that has also brought customers for a year. */
async function createSite(conversions = 8, known: string | null = null) {
  const database = openMemoryDatabase('commissions');
  const old =
    known === null
      ? []
      : [300, 330].flatMap((age) =>
          Array.from({ length: 20 }, (_, index) => buildEntry(age * 100 + index, known, age, 1 + index)),
        );
  const entries = [...Array.from({ length: conversions }, (_, index) => buildEntry(index)), ...old];
  const rows =
    known === null
      ? ROWS
      : [
          ...ROWS,
          ...OLD_ROWS,
          ...NAMES.flatMap((name) =>
            [2, 10, 20].map((age) => ({
              ...(ROWS[0] ?? expect.fail()),
              key: ['google', 'cpc', name, ''],
              day: addDays(TO, -age),
            })),
          ),
        ];
  const costs = new Costs(new MemoryExecutor(database));
  const site = await createTestConsole({ entries, rollups: createMemoryRollups(rows), costs });
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
    0.2,
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
    message: `google / cpc / brand cost $60.00 in ${period}.`,
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
  // By the day of the click whatever the clock is.
  expect(byBooking.profits[0]).toEqual(profit);
  const filters = [{ dimension: 'partner', value: 'highlevel', isNot: false } as const];
  expect(await readCampaigns(site, buildRequest({ filters }))).toMatchObject({
    areCostsShown: false,
    profits: [],
  });
});

/** What each place says of a campaign: the list, its own view, the overview, a task. */
async function readWords(
  site: Awaited<ReturnType<typeof createSite>>['site'],
  query: ReturnType<typeof buildRequest>['query'],
  campaign: string,
) {
  const filters = [{ dimension: 'campaign', value: campaign, isNot: false } as const];
  const request = { ...buildRequest(), query };
  const [list, own, overview, tasks] = [
    await readCampaigns(site, request),
    await readCampaigns(site, {
      ...request,
      query: { ...query, filters },
      viewer: { kind: 'share', id: 's' },
    }),
    await readOverviewWithTasks(site, request),
    await readCostTasks(site),
  ];
  const said = list.profits.find((row) => row.campaign === campaign)?.verdict;
  const task = tasks.find(({ key }) => key.endsWith(campaign));
  const verdicts = [...(said ? [said] : []), own.only?.verdict, overview.verdicts.get(campaign)];
  const words = verdicts.map((verdict) => `${verdict?.lead} ${verdict?.text} ${verdict?.doubt}`);
  return { words: new Set(words), task: task && `${task.text} ${task.detail}` };
}

it('says the same of a campaign in every view, clock, range and currency', async () => {
  const { site } = await createSite(40, 'brand');
  const spend = async (campaign: string, amount: string) => {
    for (const days of [1, 2, 20, 45])
      await postChange(site, 'campaigns', {
        ...typed,
        campaign,
        amount: days === 45 ? '400' : amount,
        period: addDays(TO, -days),
      });
  };
  await spend('brand', '2');
  await spend('crm', '400');
  await postChange(site, 'campaigns', {
    ...typed,
    campaign: 'a / b / gone',
    amount: '70',
    period: addDays(TO, -3),
  });
  const words: Record<string, Set<string>> = {};
  for (const campaign of ['google / cpc / brand', 'google / cpc / crm', 'a / b / gone']) {
    const all = new Set<string>();
    for (const clock of ['booking', 'click'] as const)
      for (const from of [addDays(TO, -6), FROM])
        for (const currency of [null, 'USD', 'EUR'])
          for (const word of (await readWords(site, buildRequest({ clock, from, currency }).query, campaign))
            .words)
            all.add(word);
    words[campaign] = all;
  }
  expect(Object.values(words).map(({ size }) => size)).toEqual([1, 1, 1]);
  const [[brand = ''] = [], [crm = ''] = [], [gone = ''] = []] = Object.values(words).map((set) => [...set]);
  expect(brand).toMatch(/^It (probably )?earns\. Each \$1 is likely to bring \$/);
  expect(crm).toMatch(/^(It (probably )?loses|No customer)/);
  expect(gone).toMatch(/^It has a cost and no click\./);
  const { task } = await readWords(site, buildRequest().query, 'a / b / gone');
  expect(task).toMatch(/^a \/ b \/ gone: It has a cost and no click\. Check that its name/);
});

const BRAND = 'google / cpc / brand';

/** What is said of a campaign that earned 320 dollars and cost what is given, by currency and day, by both clocks. */
async function judgeBrand(
  costs: readonly (readonly [currency: string, amount: string])[],
  totals: {
    readonly currency: string | null;
    readonly rates: (day: string) => Readonly<Record<string, string>>;
  },
  other?: string,
) {
  const { site } = await createSite(40, 'brand');
  const { ledger } = site.money;
  if (other !== undefined) {
    const entry = buildEntry(9_000);
    const facts = entry.facts.map((fact) => ({ ...fact, currency: other }));
    await storeEntries(ledger, [{ ...entry, facts }]);
  }
  const days = Array.from({ length: 400 }, (_, index) => addDays(TO, -index));
  await ledger.writeRates(
    days.map((day) => ({ day, base: 'USD', origin: 'operator', rates: totals.rates(day) })),
    CONSOLE_NOW,
  );
  await ledger.writeReportingCurrency(totals.currency);
  for (const [index, [currency, amount]] of costs.entries())
    for (const days of [1, 20, 45, 200].map((day) => day + index))
      await postChange(site, 'campaigns', { ...typed, currency, amount, period: addDays(TO, -days) });
  const said = await Promise.all(
    (['click', 'booking'] as const).map(async (clock) => {
      const { words, task } = await readWords(site, buildRequest({ clock, currency: null }).query, BRAND);
      return [[...words].filter((word) => !word.startsWith('undefined')), task?.replace(/^.*?: /, '')];
    }),
  );
  expect(said[1]).toEqual(said[0]);
  return said[0]?.flat() ?? [];
}

const USD_2000 = [['USD', '2000']] as const;
const WITHOUT = { currency: null, rates: () => ({}) };
const NO_RATES = { ...WITHOUT, currency: 'USD' };
/** Half as many euros for a dollar on the last two days. */
const RATES = {
  currency: 'USD',
  rates: (day: string) => ({ EUR: day < addDays(TO, -2) ? '0.8' : '0.4' }),
};

it('judges a campaign by a cost in another currency as by the same cost in the currency of the totals', async () => {
  const twice = (currency: string, amount: string) => [...USD_2000, [currency, amount]] as const;
  const lost = await judgeBrand(twice('USD', '2000'), NO_RATES);
  expect(lost).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^It loses\. Each \$1 /)));
  const same = { currency: 'USD', rates: () => ({ EUR: '0.5' }) };
  expect(await judgeBrand(twice('EUR', '1000'), same)).toEqual(lost);
  expect(await judgeBrand([['EUR', '1000'], ...twice('USD', '2000').slice(1)], same)).toEqual(lost);
  // Each day has its own rate: the last days are twice as dear.
  const [byDay] = await judgeBrand([['EUR', '20']], RATES);
  for (const amount of ['25', '50'])
    expect((await judgeBrand([['USD', amount]], NO_RATES))[0]).not.toBe(byDay);
});

it.each([
  ['its cost is in another currency, and nothing is converted', [['EUR', '4000']], WITHOUT, undefined],
  ['its cost is in another currency, and there are no rates', [['EUR', '4000']], NO_RATES, undefined],
  ['a part of its cost has no rate', [...USD_2000, ['CHF', '10']], RATES, undefined],
  ['a part of its cost is in another currency', [...USD_2000, ['EUR', '1']], WITHOUT, undefined],
  ['a part of its money has no rate', USD_2000, RATES, 'CHF'],
  ['a part of its money is in another currency', USD_2000, WITHOUT, 'EUR'],
] as const)(
  'says no profit or loss of a campaign, and lists no task, where %s',
  async (_, costs, totals, other) => {
    expect(await judgeBrand(costs, totals, other)).toEqual([
      expect.stringMatching(/^It cannot be judged\. .* choose a currency for totals and add rates/),
      undefined,
    ]);
  },
);

it('judges no page and no source by a part of its money', async () => {
  const judge = async (currency: string) => {
    const { site } = await createSite(40, 'brand');
    const entry = buildEntry(9_000);
    await storeEntries(site.money.ledger, [
      { ...entry, facts: entry.facts.map((fact) => ({ ...fact, currency })) },
    ]);
    const path = (await site.periods.readCells(buildRequest().query)).cells[0]?.path ?? expect.fail();
    const by = [['source', getCreditedName(path, 'source', 'last')] as const, ['page', path.page] as const];
    return Promise.all(by.map(async ([kind, key]) => (await readWorthVerdict(site, kind, key))?.lead));
  };
  expect(await judge('USD')).not.toContain('It cannot be judged.');
  expect(await judge('JPY')).toEqual(['It cannot be judged.', 'It cannot be judged.']);
});

const anySite = fc.record({
  ages: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 6 }),
  cost: fc.integer({ min: 1, max: 90_000 }),
  days: fc.integer({ min: 0, max: 60 }),
  clock: fc.constantFrom('booking' as const, 'click' as const),
});

it('shows no single profit or return while less than half of the money has arrived', async () => {
  const [old, young] = [400, 20].map((age) =>
    Array.from({ length: 30 }, (_, index) => buildEntry(index + age, 'brand', age + index, index + 1)),
  );
  await forAll(0.2, [anySite], async ({ ages, cost, days, clock }) => {
    const rows = ages.map((age) => ({ ...(ROWS[0] ?? expect.fail()), day: addDays(TO, -age) }));
    const database = openMemoryDatabase('commissions');
    const costs = new Costs(new MemoryExecutor(database));
    const entries = [...(old ?? []), ...(young ?? [])];
    const site = await createTestConsole({
      entries,
      rollups: createMemoryRollups([...rows, ...OLD_ROWS]),
      costs,
    });
    await postChange(site, 'campaigns', {
      ...typed,
      amount: String(cost / 100),
      period: addDays(TO, -Math.min(days, 3)),
    });
    const request = buildRequest({ clock, from: addDays(TO, -days) });
    const { rows: all } = await readAllCampaigns(site, request);
    for (const { profit } of all) {
      if (profit === null || profit.clicks === 0 || (profit.arrived ?? 0) >= 0.5) continue;
      expect([profit.profit, profit.returnOnSpend]).toEqual([null, null]);
    }
    const { profits, ...model } = await readCampaigns(site, request);
    if (profits.every(({ clicks, arrived }) => clicks !== 0 && (arrived ?? 0) < 0.5)) {
      const viewer = { kind: 'operator', id: 'o-1', name: 'Ada', capabilities: ['money'] } as const;
      const html = renderWithForms(
        'campaigns',
        viewer,
        createElement(CampaignsView, { model: { ...model, profits } }),
        FRAME,
      );
      expect(html).not.toContain('so far</small>');
    }
  });
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
