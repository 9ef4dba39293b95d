import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import {
  buildForm,
  buildPartner,
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
import { addDays } from '../../core/commissions/local-time.ts';
import { judge } from '../../core/commissions/ranges/verdict.ts';
import { CAPABILITIES, type Capability } from '../../core/console/capabilities.ts';
import { Costs } from '../../stores/costs.ts';
import { ConsoleDocument } from '../frame/frame.tsx';
import { readCostPage } from '../import/read.ts';
import { formatShortMoney } from '../reports/format.ts';
import { addMonths } from '../reports/range.ts';
import { findView, readView } from '../views.ts';
import { readCampaigns, readCampaignTasks } from './read.ts';

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

const typed = { action: 'set-cost', campaign: 'brand', currency: 'USD', period: FROM.slice(0, 7) };

const BRAND = 'google / cpc / brand';
const YEAR = { from: addDays(addMonths(TO, -12), 1), to: TO, range: '12mo', currency: null } as const;

/** What is said over 12 months of a campaign that earned 1,600 dollars and cost what is given, by currency and day. */
async function judgeBrand(
  costs: readonly (readonly [currency: string, amount: string])[],
  totals: {
    readonly currency: string | null;
    readonly rates: (day: string) => Readonly<Record<string, string>>;
  },
  other?: string,
  /** Money of no campaign, in cents. */
  beside: { readonly byLabel?: number; readonly noClick?: number } = {},
) {
  const { site } = await createSite(40, 'brand');
  const { ledger } = site.money;
  const time = { eventTime: CONSOLE_NOW - 40 * DAY_MS, changeTime: CONSOLE_NOW - 40 * DAY_MS };
  const sale = (nativeId: string, amount: number, of: object) =>
    buildSampleEntry([{ nativeId, amount, status: 'approved', ...time, ...of }], null, { partner: 'kit' });
  const label = { id: 'one-20', item: '', name: '', items: 1 };
  if (beside.byLabel !== undefined) {
    const day = addDays(TO, -40);
    const use = { partner: 'kit', day, label: label.id, isOne: true, name: '', pages: [['/a', 1]] } as const;
    await ledger.append({ facts: [], labelDays: [use] });
    await storeEntries(ledger, [sale('labelled', beside.byLabel, { label })]);
  }
  if (beside.noClick !== undefined) await storeEntries(ledger, [sale('lost', beside.noClick, {})]);
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
  const { judged } = await readCampaigns(site, buildRequest(YEAR));
  const [task] = await readCampaignTasks(site);
  const row = judged.find(({ key }) => key === BRAND);
  const request = { ...buildRequest(YEAR), rest: [] };
  const page = await findView({ view: 'campaigns', rest: [] }).read(site, request);
  const html = renderWithForms('campaigns', request.viewer, page, FRAME);
  const [, heading] = /<h1[^>]*>([^<]*)</.exec(html) ?? [];
  return { row, task, heading, said: `${row?.verdict?.lead} ${row?.verdict?.text}` };
}

const USD_2000 = [['USD', '2000']] as const;
const WITHOUT = { currency: null, rates: () => ({}) };
const NO_RATES = { ...WITHOUT, currency: 'USD' };
const RATES = {
  currency: 'USD',
  rates: (day: string) => ({ EUR: day < addDays(TO, -2) ? '0.8' : '0.4' }),
};

it.each([
  ['its cost is in another currency, and nothing is converted', [['EUR', '4000']], WITHOUT, undefined, 'EUR'],
  ['its cost is in another currency, and there are no rates', [['EUR', '4000']], NO_RATES, undefined, 'EUR'],
  ['a part of its cost has no rate', [...USD_2000, ['CHF', '10']], RATES, undefined, 'CHF'],
  ['a part of its money has no rate', USD_2000, RATES, 'CHF', 'CHF'],
] as const)('gives no verdict, and lists no task, where %s', async (_, costs, totals, other, code) => {
  const { said, task, heading } = await judgeBrand(costs, totals, other);
  expect([said, task]).toEqual([`No verdict. Set a rate for ${code}.`, undefined]);
  expect(heading).toBe(`Set a rate for ${code} to see whether campaigns pay.`);
});

it('gives the same word for a cost in euros as for the same cost in dollars, and a task with the amount of its row', async () => {
  const euros = await judgeBrand([['EUR', '1600']], { ...RATES, rates: () => ({ EUR: '0.8' }) });
  const dollars = await judgeBrand([['USD', '2000']], RATES);
  expect(euros.row?.verdict?.word).toBe('loses');
  expect(euros.said).toBe(dollars.said);
  expect(euros.row?.left).toBe(dollars.row?.left);
  const loss = formatShortMoney(-(dollars.row?.left ?? 0), 'USD');
  expect(dollars.task?.text).toBe(`${BRAND} loses: ${loss} in 12 months. Stop it, or bid less.`);
  expect(dollars.task?.amount).toBe(400_000);
});

it.each([
  ['2000', 'loses'],
  ['1090', 'probably loses'],
] as const)(
  'says of a cost of 4 times %s dollars in the heading what its row says: it %s',
  async (amount, words) => {
    const { heading, said, row } = await judgeBrand([['USD', amount]], RATES);
    expect(said.split('.')[0]).toBe(`It ${words}`);
    expect(heading).toBe(`google / brand ${words}: ${formatShortMoney(-(row?.left ?? 0), 'USD')}.`);
  },
);

it.each([
  ['could make good', { byLabel: 900_000 }, 'No verdict: $9,000 by ids of networks may be of it.'],
  ['could not make good', { byLabel: 1_000 }, 'It loses. Each $1 has brought 40 cents.'],
  [
    'names no click',
    { noClick: 50_000 },
    'It loses. Each $1 has brought 40 cents, without $500 of no known click.',
  ],
] as const)('says of a loss what money of no campaign %s', async (_, beside, words) => {
  const { said, task } = await judgeBrand(USD_2000, RATES, undefined, beside);
  expect(said).toBe(words);
  const [lead = '', ...text] = words.split('. ');
  expect(task?.detail?.startsWith(text.join('. '))).toBe(lead === 'It loses' ? true : undefined);
});

/** The table of words, in its order, row by row: the ends of the range in 8 of 10 cases and in 19 of 20, and the word. */
const anyEnd = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: -90_000, max: 90_000 })))
  .map((ends) => ends.toSorted((one, other) => one - other));
const countOf = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 400 }));

it('says the word of the table for 500 rows, with five customers expected or seen', () =>
  forAll(10, [anyEnd, countOf, countOf], ([low95 = 0, low = 0, high = 0, high95 = 0], seen, expected) => {
    const end = {
      left: { low, mean: (low + high) / 2, high },
      sure: { low: low95, mean: (low + high) / 2, high: high95 },
    };
    const table = [
      ['early', Math.max(seen, expected) < 5],
      ['loses', high95 < 0],
      ['probably-loses', high < 0],
      ['earns', low95 > 0],
      ['probably-earns', low > 0],
      ['open', true],
    ] as const;
    expect(judge(end, { seen, expected })).toBe(table.find(([, holds]) => holds)?.[0]);
  }));

it('is not too early for a campaign with 31 customers whose range is above 0', async () => {
  const { site } = await createSite(31, 'brand');
  for (const days of [1, 20, 45, 200])
    await postChange(site, 'campaigns', { ...typed, amount: '20', period: addDays(TO, -days) });
  const [row] = (await readCampaigns(site, buildRequest(YEAR))).judged;
  expect([row?.verdict?.word, (row?.end?.low ?? 0) > 0]).toEqual(['earns', true]);
});

/** Clicks of each of the last days, and their money after 2 and 9 days as far as that has come. */
async function createDays(days: number) {
  const name = 'brand';
  const clicked = Array.from({ length: days }, (_, index) => index + 1);
  const entries = clicked.flatMap((age) =>
    [2, 9, 60].flatMap((delay) => (delay > age ? [] : [buildEntry(age * 100 + delay, name, age, delay)])),
  );
  const keys = {
    campaign: ['google', 'cpc', name, ''],
    page: ['/a'],
    partner: ['highlevel'],
    source: ['direct', ''],
  };
  const rows = clicked.flatMap((age) =>
    Object.entries(keys).map(([dimension, key]) => ({
      ...(ROWS[0] ?? expect.fail()),
      dimension: dimension as keyof typeof keys,
      key,
      day: addDays(TO, -age),
      clicks: 20,
    })),
  );
  const costs = new Costs(new MemoryExecutor(openMemoryDatabase('commissions')));
  const partners = new Map([['highlevel', buildPartner('highlevel')]]);
  const content = { partners };
  const site = await createTestConsole({ entries, rollups: createMemoryRollups(rows), costs, content });
  for (const age of [1, 10, 20])
    await postChange(site, 'campaigns', { ...typed, amount: '900', period: addDays(TO, -age) });
  return site;
}

it.each([
  [28, true],
  [400, false],
])(
  'says of a site of %s days what is still to come once in each view, without a verdict or a range: %s',
  async (days, isYoung) => {
    const site = await createDays(days);
    for (const view of ['overview', 'pages', 'sources', 'campaigns', 'partners'] as const) {
      const parameters = new URLSearchParams({ range: '12mo' });
      const page = await readView(site, { ...buildViewRequest({ parameters }), view }, null, null);
      const html = renderToStaticMarkup(createElement(ConsoleDocument, { page: page ?? expect.fail() }));
      const main = html.slice(html.indexOf('<main'));
      const [heading = ''] = /<h1.*?<\/p>/s.exec(main) ?? [];
      expect([view, heading.includes('so far')]).toEqual([view, isYoung || view === 'overview']);
      expect(main.match(/too early to say what these clicks will bring|has arrived\./g) ?? []).toHaveLength(
        isYoung ? 1 : 0,
      );
      const isJudged = /It (?:probably )?(?:loses|earns)|It may|Too early|in the end|8 of 10/.test(main);
      expect([view, isJudged]).toEqual([view, !isYoung && view === 'campaigns']);
    }
    expect(await readCampaignTasks(site)).toEqual([]);
  },
);

it('gives no verdict for a range that is shorter than the life of a campaign', async () => {
  const { site } = await createSite(40, 'brand');
  for (const days of [1, 20, 45, 200])
    await postChange(site, 'campaigns', { ...typed, amount: '20', period: addDays(TO, -days) });
  const read = async (from: string) =>
    (await readCampaigns(site, buildRequest({ from, currency: null }))).judged[0];
  expect((await read(YEAR.from))?.verdict?.word).toBe('earns');
  const short = await read(addDays(TO, -60));
  expect([short?.verdict, short?.end, short?.cost]).toEqual([null, null, 6_000]);
});

const FRAME = {
  query: buildRequest().query,
  timeZone: 'UTC',
  parameters: '',
  exportHref: null,
  names: { pages: new Map(), partners: new Map(), sites: new Map(), topics: new Map(), questions: [] },
};

it.each([
  ['who manages', true],
  ['who sees money alone', false],
])('an operator %s sees costs; forms are for those who manage', async (_, manages) => {
  const { site } = await createSite();
  await postChange(site, 'campaigns', { ...typed, amount: '60', period: addDays(TO, -50) });
  const capabilities: readonly Capability[] = manages ? CAPABILITIES : ['money'];
  const viewer = { kind: 'operator', id: 'o-1', name: 'Ada', capabilities } as const;
  for (const rest of [[], ['costs']]) {
    const request = { ...buildRequest(), viewer, rest };
    const html = renderWithForms(
      'campaigns',
      viewer,
      await findView({ view: 'campaigns', rest }).read(site, request),
      FRAME,
    );
    expect(html).toContain('$60.00');
    expect(html.includes('method="post"')).toBe(manages);
  }
});

const readCosts = async (...sent: Parameters<typeof readCostPage>) =>
  (await readCostPage(...sent)) ?? expect.fail();

const CSV = 'Day,Campaign,Cost,Currency code\n2025-12-01,brand,5.00,USD\n2025-12-02,spring,6.00,USD\n';
const upload = (csv: string, name: string) => {
  const form = buildForm({ action: 'upload-costs', platform: 'google' });
  form.set('file', new File([csv], name));
  return form;
};

it('asks about an export in its preview, in one form, and remembers the answers', async () => {
  const { site } = await createSite();
  const csv = CSV.replace('Cost,Currency code', 'Ráfordítás,Pénznem').replaceAll('USD', 'EUR');
  const show = async (text = csv) => {
    const { location } = await postChange(site, 'campaigns', upload(text, 'ads.csv'));
    const [, id = ''] = /upload=([^#]+)/.exec(location) ?? [];
    const read = async () =>
      (await readCosts(site, { ...buildViewRequest(), parameters: new URLSearchParams({ upload: id }) }))
        .costPreview;
    return { id, read };
  };
  const { id, read } = await show();
  expect((await read())?.question?.columns).toMatchObject([
    { header: 'Ráfordítás', as: ['amount'] },
    { header: 'Pénznem', as: ['currency'] },
  ]);
  const answer = (fields: Readonly<Record<string, string>>) =>
    postChange(site, 'campaigns', { action: 'answer-costs', upload: id, ...fields });
  await answer({ 'is Ráfordítás': 'amount', 'column currency': 'Pénznem' });
  expect(await read()).toMatchObject({ question: null, problems: [], summary: { sums: { EUR: 1_100 } } });
  await postChange(site, 'campaigns', { action: 'commit-costs', upload: id });
  const next = await (await show(csv.replaceAll('12-0', '11-0'))).read();
  expect(next).toMatchObject({ question: null, problems: [], summary: { sums: { EUR: 1_100 } } });
});

it('imports an uploaded file after its preview, assigns what was not matched, and takes it back', async () => {
  const { site } = await createSite();
  const request = buildViewRequest();
  const uploaded = await postChange(site, 'campaigns', upload(CSV, 'ads.csv'));
  expect(uploaded.message).toBe('ads.csv was read. Nothing is imported yet.');
  const [, id = ''] = /upload=([^#]+)/.exec(uploaded.location) ?? [];
  const parameters = new URLSearchParams({ upload: id });
  const { costPreview } = await readCosts(site, { ...request, parameters });
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
  expect((await postChange(site, 'campaigns', { action: 'commit-costs', upload: id }, other)).isError).toBe(
    true,
  );
  const imported = await postChange(site, 'campaigns', { action: 'commit-costs', upload: id });
  expect(imported.message).toBe('ads.csv was imported: 2 costs.');
  const fields = {
    action: 'assign-cost',
    platform: 'google',
    name: 'spring',
    campaign: 'google / cpc / crm',
  };
  expect((await postChange(site, 'campaigns', fields)).isError).toBe(false);
  const { costs } = await readCosts(site, request);
  expect(costs.campaigns.map(({ campaign }) => campaign)).toEqual([
    'google / cpc / brand',
    'google / cpc / crm',
  ]);
  const [entry] = costs.entries;
  const undo = buildForm({ action: 'undo-costs', entry: entry?.id ?? '' });
  expect((await postChange(site, 'campaigns', undo)).isError).toBe(false);
  expect(await site.money.costs.read('2025-12-01', '2025-12-31')).toEqual([]);
});

it.each([
  ['', 'Choose a CSV file that is not empty.'],
  ['Day,Campaign,Cost\n2025-12-01,brand,5.00\n', 'Nobody states the currency'],
  ['only one column\n', 'expected a header'],
])('says what is wrong with %j and imports nothing', async (csv, problem) => {
  const { site } = await createSite();
  const request = buildViewRequest();
  const uploaded = await postChange(site, 'campaigns', upload(csv, 'ads.csv'));
  const [, id = ''] = /upload=([^#]+)/.exec(uploaded.location) ?? [];
  const { costPreview } = await readCosts(site, {
    ...request,
    parameters: new URLSearchParams({ upload: id }),
  });
  expect([uploaded.message, ...(costPreview?.problems ?? [])].join(' ')).toContain(problem);
  await postChange(site, 'campaigns', { action: 'commit-costs', upload: id });
  expect(await site.money.costs.readEntries()).toEqual([]);
});
