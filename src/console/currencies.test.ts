// Totals in the reporting currency: every view against the commissions themselves, each converted once.

import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import {
  buildForm,
  buildPartner,
  buildViewRequest,
  createTestConsole,
  postChange,
  storeEntries,
} from '../../test/support/console-ledger.ts';
import { createMemoryRollups } from '../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../test/support/sample-commissions.ts';
import { readSampleAssessment } from '../../test/support/sample-content.ts';
import { DAY_MS } from '../core/clock.ts';
import type { LedgerEntry } from '../core/commissions/ledger/build-ledger.ts';
import type { CommissionStatus } from '../core/commissions/ledger/commission-fact.ts';
import type { RateDay } from '../core/commissions/ledger/stored-money.schema.ts';
import type { ConsoleViewer } from '../core/console/capabilities.ts';
import { CONSOLE_DOORS } from '../core/console/console-view.ts';
import { CommissionFold } from '../server/commissions/commission-fold.ts';
import { readCommissions } from './commissions/read.ts';
import { ConsoleDocument } from './frame/frame.tsx';
import type { Selection } from './reports/periods.ts';
import { listRateTasks, readCurrencyState, readRateSettings } from './settings/rates.ts';
import { exportView, isReadable, readView } from './views.ts';

const FROM = '2026-03-01';
const TO = '2026-03-28';
const START = Date.parse(FROM);
const NOW = Date.parse('2026-04-20T12:00:00Z');
const PARTNERS = ['highlevel', 'kit'] as const;
const STATUSES = ['approved', 'pending', 'paid', 'reversed'] as const;

const arbitraryEntries = fc.array(
  fc.record({
    amount: fc.integer({ min: 1, max: 50_000 }),
    currency: fc.constantFrom('USD', 'EUR', 'EUR', 'JPY', 'KWD', 'CHF'),
    status: fc.constantFrom(...STATUSES),
    partner: fc.constantFrom(...PARTNERS),
    clicked: fc.integer({ min: -5, max: 32 }),
    delay: fc.integer({ min: 0, max: 20 }),
    page: fc.integer({ min: 0, max: 2 }),
    hasClick: fc.boolean(),
  }),
  { maxLength: 25 },
);

type Shape = typeof arbitraryEntries extends fc.Arbitrary<(infer Item)[]> ? Item : never;

function buildEntry(shape: Shape, index: number): LedgerEntry {
  const { amount, currency, status, partner, clicked, delay, page, hasClick } = shape;
  const clickTime = START + clicked * DAY_MS;
  const eventTime = clickTime + delay * DAY_MS;
  const clickId = `click-${index}`;
  const states = status === 'reversed' ? (['approved', 'reversed'] as const) : [status];
  const reports = states.map((state, place) => ({
    nativeId: `c-${index}`,
    amount,
    currency,
    eventTime,
    status: state,
    changeTime: eventTime + place,
  }));
  const journey = {
    clickId,
    clickTime,
    partner,
    page: `/page-${page}`,
    entryPage: `/page-${(page + 1) % 3}`,
    pages: [`/page-${(page + 1) % 3}`, `/page-${page}`],
    touches: [0, 1].map((touch) => ({
      campaign: { utm_source: `source-${(index + touch) % 3}`, utm_medium: touch === 0 ? 'cpc' : 'email' },
      time: clickTime - 2_000 + touch,
    })),
  };
  return buildSampleEntry(reports, hasClick ? journey : null, {
    partner,
    clickId: hasClick ? clickId : null,
  });
}

/** Rates of every fifth day, so that bookings of some days have none; CHF has none at all. */
const RATES: readonly RateDay[] = [0, 5, 20, 25, 30, 35, 40].map((number) => ({
  day: new Date(START + number * DAY_MS).toISOString().slice(0, 10),
  base: 'EUR',
  origin: 'ecb',
  rates: { USD: `1.0${number + 10}7`, JPY: `16${number % 10}.4${number}`, KWD: `0.33${number + 11}` },
}));

async function createSite(
  entries: readonly LedgerEntry[],
  reporting: string | null = 'USD',
  rates: readonly RateDay[] = RATES,
) {
  const site = await createTestConsole({
    entries,
    now: () => NOW,
    rollups: createMemoryRollups([]),
    content: {
      partners: new Map(PARTNERS.map((key) => [key as string, buildPartner(key)])),
      assessment: readSampleAssessment(),
    },
  });
  await site.money.ledger.writeRates(rates, NOW);
  await site.money.ledger.writeReportingCurrency(reporting);
  return site;
}

const buildRequest = (change: Partial<ReturnType<typeof buildViewRequest>['query']> = {}) => {
  const { query, ...request } = buildViewRequest();
  return { ...request, query: { ...query, from: FROM, to: TO, ...change } };
};

const SHAPES: readonly Shape[] = [
  { amount: 10_000, currency: 'USD', status: 'approved', clicked: 1, delay: 0 },
  { amount: 5_000, currency: 'EUR', status: 'pending', clicked: 2, delay: 0 },
  { amount: 3_000, currency: 'EUR', status: 'approved', clicked: 13, delay: 0 },
  { amount: 700, currency: 'CHF', status: 'reversed', clicked: 3, delay: 0 },
].map((shape) => ({ ...shape, partner: 'kit', page: 0, hasClick: true }) as Shape);

/** The money of a selection that has a status, in minor units. */
const sumOf = ({ cells }: Selection, of: CommissionStatus) =>
  cells.reduce((sum, { status, amount }) => sum + (status === of ? amount : 0), 0);

it('a choice of one currency shows that one alone, and names the others', async () => {
  const site = await createSite(SHAPES.map(buildEntry));
  const { query } = buildRequest({ currency: 'EUR' });
  const { selection, currency } = await site.periods.readPeriod(query);
  expect([currency, sumOf(selection, 'pending'), sumOf(selection, 'approved')]).toEqual([
    'EUR',
    5_000,
    3_000,
  ]);
  const { isConverted, missing } = await site.periods.readForeignMoney(query);
  expect([isConverted, missing.map((own) => own.currency)]).toEqual([false, ['USD', 'CHF']]);
});

it('names money of other currencies without a reporting currency, and what has no rate with one', async () => {
  const entries = SHAPES.map(buildEntry);
  const plain = await createSite(entries, null);
  const { query } = buildRequest();
  expect(await plain.periods.readForeignMoney(query)).toMatchObject({
    currency: 'USD',
    isConverted: false,
    converted: [],
    missing: [
      { currency: 'EUR', amount: 8_000, reversed: 0 },
      { currency: 'CHF', amount: 0, reversed: 700 },
    ],
  });
  const site = await createSite(entries);
  expect(await site.periods.readForeignMoney(query)).toMatchObject({
    currency: 'USD',
    isConverted: true,
    converted: [{ currency: 'EUR', amount: 5_000, converted: 5_054, day: '2026-03-01' }],
    missing: [
      { currency: 'EUR', amount: 3_000 },
      { currency: 'CHF', reversed: 700 },
    ],
  });
});

it('says on a view, behind a share link too, what the totals have and have not, and in the name of its export', async () => {
  const site = await createSite(SHAPES.map(buildEntry));
  const parameters = new URLSearchParams({ from: FROM, to: TO });
  const target = { ...buildRequest(), view: 'pages', parameters } as const;
  const render = async (share: Parameters<typeof readView>[3] = null, search = '') => {
    for (const [name, value] of new URLSearchParams(search)) parameters.set(name, value);
    const viewer = share === null ? target.viewer : ({ kind: 'share', id: 's-1' } as const);
    const page = await readView(site, { ...target, viewer }, null, share);
    if (page === null) throw new Error('The view is missing.');
    const html = renderToStaticMarkup(createElement(ConsoleDocument, { page }));
    return /<p class="currency-note">(.*?)<\/p>/.exec(html)?.[1] ?? '';
  };
  const note = await render();
  const text = (html: string) =>
    html
      .replace(/<[^>]+>/g, '')
      .replaceAll('\u00a0', ' ')
      .trim();
  expect(text(note)).toBe(
    'All in USD. €50.00 as $50.54, each at the rate of its day, the newest of Mar 1, 2026. ' +
      'Not in USD: €30.00 in EUR and CHF 7.00 reversed, for which there is no rate. Add rates',
  );
  expect(note).toContain('href="/console/settings#currency"');
  const shared = await render({ until: NOW, exportHref: '' });
  expect(text(shared)).toBe(text(note).replace(/ Add rates$/, ''));
  expect(shared).not.toContain('<a ');
  expect((await exportView(site, target))?.name).toBe('pages-without-eur-chf');
  // Its rows have each currency.
  expect((await exportView(site, { ...target, view: 'commissions' }))?.name).toBe('commissions');
  expect(text(await render(null, 'currency=EUR'))).toBe(
    'Only EUR. Not in these figures: $100.00 in USD and CHF 7.00 reversed. Show all in USD',
  );
  await site.money.ledger.writeReportingCurrency(null);
  expect(text(await render(null, 'currency='))).toContain('Only USD. Not in these figures: €80.00 in EUR');
});

it('says on a view that its figures are by former rules until all commissions are computed again', async () => {
  const site = await createSite(SHAPES.map(buildEntry));
  const { fold } = site.money.commissions;
  await new CommissionFold({ store: site.money.ledger, readTerms: () => new Map(), version: 9 }).foldMarked();
  const target = { ...buildRequest(), view: 'pages', parameters: new URLSearchParams() } as const;
  const isSaid = async () => {
    const page = await readView(site, target, null, null);
    return (
      page !== null &&
      renderToStaticMarkup(createElement(ConsoleDocument, { page })).includes('by the former ones')
    );
  };
  expect(await isSaid()).toBe(true);
  await fold.refold();
  expect(await isSaid()).toBe(false);
});

it('lists a commission with what was reported, and what that is in the reporting currency', async () => {
  const site = await createSite(SHAPES.map(buildEntry));
  const list = await readCommissions(site, buildRequest({ sort: { column: 'amount', isDescending: true } }));
  const rows = list?.kind === 'list' ? list.rows : [];
  expect(rows.map(({ amount, currency, converted }) => [amount, currency, converted])).toEqual([
    [10_000, 'USD', null],
    [5_000, 'EUR', { amount: 5_054, reversedAmount: 0, currency: 'USD', rate: '1.0107', day: '2026-03-01' }],
    [3_000, 'EUR', 'no-rate'],
    [0, 'CHF', 'no-rate'],
  ]);
  const one = await readCommissions(site, { ...buildRequest(), rest: ['kit', 'c-1'] });
  expect(one).toMatchObject({
    row: { amount: 5_000, currency: 'EUR', converted: { amount: 5_054 } },
    timeline: [{ kind: 'click' }, { amount: 5_000, currency: 'EUR' }],
  });
});

it('shows the same totals until rates or commissions change, and others afterwards', async () => {
  const site = await createSite(SHAPES.map(buildEntry));
  const { query } = buildRequest();
  const first = await site.periods.readPeriod(query);
  expect((await site.periods.readPeriod(query)).selection).toBe(first.selection);
  await storeEntries(
    site.money.ledger,
    SHAPES.map((shape, index) => buildEntry(shape, index + SHAPES.length)),
  );
  const second = await site.periods.readPeriod(query);
  expect(sumOf(second.selection, 'pending')).toBe(2 * 5_054);
  const typed = { day: '2026-03-03', base: 'EUR', origin: 'operator', rates: { USD: '2' } } as const;
  await site.money.ledger.writeRates([typed], NOW);
  expect(sumOf((await site.periods.readPeriod(query)).selection, 'pending')).toBe(20_000);
});

it('operators who manage set the currency of the totals, and add and remove rates', async () => {
  const site = await createSite(SHAPES.map(buildEntry), null);
  const change = async (fields: Readonly<Record<string, string>>, file?: string) => {
    const form = buildForm(fields);
    if (file !== undefined) form.set('file', new File([file], 'eurofxref-hist.csv'));
    const { message, isError, location } = await postChange(site, 'settings', form);
    expect(location).toBe('/console/settings#currency');
    return isError ? `! ${message}` : message;
  };
  expect(await change({ action: 'reporting-currency', currency: 'usd' })).toContain('Totals are in USD');
  expect(await change({ action: 'reporting-currency', currency: 'XYZ' })).toMatch(
    /^! The currency is a code/,
  );
  const rate = { action: 'set-rate', base: 'chf', quote: 'USD', rate: '1.1', day: '2026-03-04' };
  expect(await change(rate)).toBe('1 CHF is 1.1 USD on 2026-03-04, whatever a file says.');
  expect(await change({ ...rate, rate: '1,1' })).toMatch(/^! "1,1" is no rate/);
  expect(await change({ ...rate, quote: 'CHF' })).toMatch(/^! A rate has two different/);
  expect(await change({ ...rate, day: '2026-04-21' })).toMatch(/^! 2026-04-21 is in the future/);
  expect(await change({ ...rate, base: 'Francs' })).toMatch(/^! "FRANCS" is no currency/);
  const file = 'Date,USD,JPY\n2026-03-13,1.08,160.1\n2026-03-12,1.07,N/A\n';
  expect(await change({ action: 'import-rates' }, file)).toContain('2 of them are new or changed');
  expect(await change({ action: 'import-rates' }, file)).toContain('0 of them are new or changed');
  expect(await change({ action: 'import-rates' }, 'Date,USD\n2026-03-13,none\n')).toMatch(
    /^! No rate was stored/,
  );
  expect(await change({ action: 'import-rates' })).toMatch(/^! Choose a file/);
  expect(await readRateSettings(site)).toMatchObject({
    reportingCurrency: 'USD',
    used: ['USD', 'EUR', 'CHF'],
    today: '2026-04-20',
    typed: [{ day: '2026-03-04', base: 'CHF', quote: 'USD', rate: '1.1' }],
    file: { from: '2026-03-01', to: '2026-04-10' },
    foreign: [
      { currency: 'EUR', newest: '2026-04-10', missing: null, converted: { amount: 8_000 } },
      { currency: 'CHF', newest: '2026-03-04', missing: null, converted: { reversed: 700 } },
    ],
  });
  expect(await change({ action: 'remove-rate', base: 'CHF', quote: 'USD', day: '2026-03-04' })).toContain(
    'removed',
  );
  expect(await change({ action: 'remove-rates' })).toContain('days were removed');
  const { foreign } = await readRateSettings(site);
  expect(foreign.map(({ newest, missing }) => [newest, missing === null])).toEqual([
    [null, false],
    [null, false],
  ]);
});

it('what to do: choose a currency, add the rates that are missing, then newer ones', async () => {
  const list = async (entries: readonly LedgerEntry[], reporting: string | null) =>
    listRateTasks(await readCurrencyState(await createSite(entries, reporting)), NOW).map(
      ({ key, amount, currency }) => [key, amount, currency],
    );
  const entries = SHAPES.map(buildEntry);
  expect(await list(entries, null)).toEqual([['rates:currency', null, null]]);
  expect(await list(entries.slice(0, 1), null)).toEqual([]);
  expect(await list(entries.slice(0, 1), 'USD')).toEqual([]);
  expect(await list(entries, 'USD')).toEqual([
    ['rates:missing:EUR', 3_000, 'EUR'],
    ['rates:old:EUR', null, null],
    ['rates:missing:CHF', 0, 'CHF'],
  ]);
});

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'] as const;

const buildRates = (day: string): RateDay => ({
  day,
  base: 'EUR',
  origin: 'ecb',
  rates: { USD: '1.0832', GBP: '0.85873', JPY: '161.98' },
});
const WITHOUT_MONEY: ConsoleViewer = { kind: 'operator', id: 'o-2', name: 'Ben', capabilities: [] };
const OWN_RATE: RateDay = { day: '2026-03-03', base: 'USD', origin: 'operator', rates: { EUR: '0.9' } };

async function openViews(_: string, rates: readonly RateDay[]): Promise<void> {
  const tabs = CONSOLE_DOORS.flatMap((door) => door.tabs.filter(({ rest }) => rest !== 'brand'));
  const moneyTabs = tabs.filter(({ view }) => view === 'settings' || !isReadable(view, WITHOUT_MONEY));
  // What is of one currency needs no rates.
  for (const total of CURRENCIES)
    for (const used of rates.length === 0 ? [[total], CURRENCIES] : [CURRENCIES]) {
      const shapes = used.flatMap((currency) => SHAPES.map((shape) => ({ ...shape, currency }) as Shape));
      const site = await createSite(shapes.map(buildEntry), total, rates);
      const opened = total === 'EUR' && used === CURRENCIES ? tabs : moneyTabs;
      for (const { view, rest } of [...opened, { view: 'commissions', rest: 'kit/c-0' } as const]) {
        const parameters = new URLSearchParams({ from: FROM, to: TO });
        const target = { ...buildRequest(), view, parameters, rest: rest?.split('/') ?? [] };
        const page = await readView(site, target, null, null);
        if (page === null) throw new Error(`${view} ${rest} is missing`);
        renderToStaticMarkup(createElement(ConsoleDocument, { page }));
        if (rest === undefined)
          for await (const row of (await exportView(site, target))?.rows ?? []) void row;
      }
    }
}
it.each<[string, RateDay[]]>([
  ['no rates', []],
  ['the rates of one day', [buildRates('2026-03-03')]],
  ['the rates of all days', RATES.map(({ day }) => buildRates(day))],
  ['an own rate', [OWN_RATE]],
])(
  'every view and its export opens with totals and money in each currency, with %s',
  { tags: ['rest'] },
  openViews,
);
