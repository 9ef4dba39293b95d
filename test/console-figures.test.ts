// What the views of money say against SQL over the facts, for random ledgers, ranges, totals and rates.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { parseDocument } from 'htmlparser2';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { readCampaignTable } from '../src/console/campaigns/read.ts';
import type { ConsoleSite } from '../src/console/console-site.ts';
import { formatAmounts } from '../src/console/frame/earned-table.tsx';
import { ConsoleDocument } from '../src/console/frame/frame.tsx';
import { readDue } from '../src/console/money/read.ts';
import { readOverview } from '../src/console/overview/read.ts';
import { readPages } from '../src/console/pages/read.ts';
import { addEarned, type EarnedDimension, readEarned, sumEarned } from '../src/console/reports/earned.ts';
import { formatCount, formatMoney, formatNumber, formatShortMoney } from '../src/console/reports/format.ts';
import { readView } from '../src/console/views.ts';
import { DAY_MS } from '../src/core/clock.ts';
import type { FrozenJourney } from '../src/core/commissions/credit/credit.ts';
import { COMMISSION_STATUSES, type NewFact } from '../src/core/commissions/ledger/commission-fact.ts';
import {
  type CommissionTerms,
  DEFAULT_TERMS,
  NO_PAYMENT_TERMS,
  type Payout,
} from '../src/core/commissions/ledger/commission-terms.ts';
import type { ConsoleViewKey } from '../src/core/console/console-view.ts';
import type { Content } from '../src/core/pages/content.ts';
import { pageSchema } from '../src/core/pages/page.schema.ts';
import { STATES } from '../src/stores/commission-sums.ts';
import { buildPartner, buildViewRequest, createTestConsole, postForm } from './support/console-ledger.ts';
import { forAll } from './support/for-all.ts';
import { createMemoryRollups } from './support/memory-stores.ts';
import { buildSampleFact, buildSampleJourney } from './support/sample-commissions.ts';

/** Opens the facts and journeys as tables, with what is true of each commission at the end of its facts as `ends`. */
function openTables(facts: readonly NewFact[], journeys: readonly FrozenJourney[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE facts (n INTEGER PRIMARY KEY, id TEXT, partner TEXT, status TEXT, amount INTEGER, currency TEXT,
      booked INTEGER, changed INTEGER, click TEXT, test INTEGER, arrived INTEGER, label TEXT);
    CREATE INDEX facts_by_id ON facts (id);
    CREATE TABLE journeys (click TEXT, time INTEGER, page TEXT, campaign TEXT, channel TEXT, site TEXT);
    CREATE VIEW ends AS
      SELECT f.id, f.partner, f.status, f.currency, f.click, f.changed, iif(page IS NULL, f.label, '') AS label,
        (SELECT min(booked) FROM facts WHERE id = f.id) AS booked, time, page, campaign,
        channel || iif(site = '', '', ' / ' || site) AS source,
        CASE f.status WHEN 'reversed' THEN 0 ELSE f.amount END AS amount,
        CASE f.status WHEN 'reversed' THEN coalesce((SELECT amount FROM facts AS b WHERE b.id = f.id
          AND b.status <> 'reversed' ORDER BY changed DESC, n DESC LIMIT 1), 0) ELSE 0 END AS reversed
      FROM facts AS f LEFT JOIN journeys USING (click)
      WHERE f.test = 0 AND f.n = (SELECT n FROM facts WHERE id = f.id ORDER BY changed DESC, n DESC LIMIT 1);
    CREATE VIEW payments AS
      SELECT *, row_number() OVER (PARTITION BY click ORDER BY booked, id) AS place
      FROM ends WHERE page IS NOT NULL AND amount > 0 AND status <> 'unknown';`);
  const insert = database.prepare('INSERT INTO facts VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const fact of facts) {
    const {
      nativeId,
      partner,
      status,
      amount,
      currency,
      eventTime,
      changeTime,
      clickId,
      isTest,
      arrivedAt,
      label,
    } = fact;
    insert.run(
      nativeId,
      partner,
      status,
      amount,
      currency,
      eventTime,
      changeTime,
      clickId,
      Number(isTest),
      arrivedAt,
      label?.id ?? '',
    );
  }
  const add = database.prepare('INSERT INTO journeys VALUES (?, ?, ?, ?, ?, ?)');
  for (const { clickId, clickTime, page, touches, sources } of journeys) {
    const campaign = touches.at(-1)?.campaign ?? {};
    const parts = ['utm_source', 'utm_medium', 'utm_campaign'].map((name) => campaign[name] || '(none)');
    const { channel = '', name = '' } = sources?.last ?? sources?.first ?? {};
    const last = touches.length === 0 ? 'No campaign' : parts.join(' / ');
    add.run(clickId, clickTime, page, last, channel, name);
  }
  database.exec('COMMIT');
  return database;
}

const CLICKS = [1, 2, 3, 4].map((number) => `0000000${number}-8d1a-4c2b-9e7f-2a6d4b8c0e12`);
const START = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 60;
const anyDay = fc.integer({ min: 0, max: DAYS });
const anyJourneys = fc
  .tuple(
    ...CLICKS.map(() => fc.record({ day: anyDay, page: fc.constantFrom('/a', '/b'), source: fc.nat(2) })),
  )
  .map((list) =>
    list.map(({ day, page, source }, index) =>
      buildSampleJourney({
        clickId: CLICKS[index] ?? '',
        clickTime: START + day * DAY_MS + 7,
        page,
        placement: 'hero',
        touches: source === 0 ? [] : [{ campaign: { utm_source: `source-${source}` }, time: START }],
      }),
    ),
  );
const anyCommission = fc.record({
  states: fc.array(
    fc.record({
      status: fc.constantFrom(...COMMISSION_STATUSES),
      amount: fc.oneof(fc.integer({ min: -5_000, max: 90_000 }), fc.constant(0)),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'JPY', 'GBP'),
  partner: fc.constantFrom('kit', 'hubspot'),
  click: fc.option(fc.constantFrom(...CLICKS)),
  day: anyDay,
  isTest: fc.boolean(),
});
const anyFacts = fc.array(anyCommission, { maxLength: 14 }).map((list) =>
  list.flatMap(({ states, currency, partner, click, day, isTest }, index) =>
    states.map(({ status, amount }, step): NewFact => {
      const eventTime = START + day * DAY_MS + index;
      // Each change is newer than the one before it: the last one is true.
      const fields = { nativeId: `c-${index}`, status, amount, currency, isTest, eventTime };
      const arrivedAt = START + 90 * DAY_MS + step;
      const changeTime = eventTime + 1 + step;
      return buildSampleFact({ ...fields, changeTime }, { partner, clickId: click, arrivedAt });
    }),
  ),
);

/** Of one dollar; two yen are worth a cent. */
const RATES = { USD: 1, EUR: 0.8, GBP: 0.64, JPY: 200 };
const toDay = (number: number) => new Date(START + number * DAY_MS).toISOString().slice(0, 10);
const anyState = fc.record({
  from: anyDay,
  length: fc.integer({ min: 0, max: DAYS }),
  /** The currency of totals, and which others have a rate into it. */
  totals: fc.constantFrom<keyof typeof RATES | null>('USD', 'EUR', 'GBP', 'JPY', null),
  hasRates: fc.boolean(),
  model: fc.constantFrom('last' as const, 'first' as const),
  /** Days from the first possible click until now. */
  age: fc.constantFrom(DAYS + 1, 200, 400),
  /** What was spent beyond ads, and on a campaign. */
  costs: fc.array(
    fc.record({
      day: anyDay,
      amount: fc.integer({ min: 1, max: 50_000 }),
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    }),
    { maxLength: 2 },
  ),
  /** Which of the payments that partners report arrived with less, where there are so many. */
  arrived: fc.option(fc.nat(2)),
});
type State = typeof anyState extends fc.Arbitrary<infer One> ? One : never;

const COUNTS = (['/a', '/b'] as const).flatMap((page, index) => [
  { dimension: 'page' as const, key: [page], views: 300 + index, clicks: 60 - 20 * index },
  { dimension: 'placement' as const, key: [page, 'hero', 'kit'], views: 0, clicks: 60 - 20 * index },
]);
const OTHER_COUNTS = [
  { dimension: 'source' as const, key: ['direct', ''], views: 90, clicks: 100 },
  { dimension: 'campaign' as const, key: ['', '', '', ''], views: 600, clicks: 100 },
  { dimension: 'partner' as const, key: ['kit'], views: 0, clicks: 100 },
];

async function createState(
  facts: readonly NewFact[],
  journeys: readonly FrozenJourney[],
  state: State,
  { terms, ...members }: { readonly terms?: CommissionTerms } & Parameters<typeof createTestConsole>[0] = {},
) {
  const own = terms === undefined ? {} : { terms };
  const partners = new Map(['kit', 'hubspot'].map((key) => [key, buildPartner(key, own)]));
  const rows = [...COUNTS, ...OTHER_COUNTS].map((row) => ({
    sessions: 90,
    actions: 0,
    ...row,
    day: toDay(Math.min(DAYS, state.from)),
  }));
  const site = await createTestConsole({
    rollups: createMemoryRollups(rows),
    now: () => START + state.age * DAY_MS,
    ...members,
    content: { partners, ...members.content },
  });
  await site.money.ledger.append({ facts, journeys });
  if (state.hasRates) {
    const days = Array.from({ length: 210 }, (_, index) => toDay(index - 5));
    // Over the euro each of the three has a price in each other.
    const rates = { USD: '1.25', GBP: '0.8', JPY: '250' };
    const list = days.map((day) => ({ day, base: 'EUR', origin: 'operator' as const, rates }));
    await site.money.ledger.writeRates(list, 1);
  }
  await site.money.ledger.writeReportingCurrency(state.totals);
  return site;
}

/** What one amount is worth in another currency, in its minor units; null without a rate. */
function convert(amount: number, from: string, to: string, hasRates: boolean): number | null {
  if (from === to) return amount;
  if (!hasRates) return null;
  const inDollars = (code: string) => (code === 'JPY' ? 100 : 1) / RATES[code as keyof typeof RATES];
  const worth = (amount * inDollars(from)) / inDollars(to);
  return Math.sign(worth) * Math.floor(Math.abs(worth) + 0.5 + 1e-9);
}

const KEYS = {
  page: 'page',
  campaign: 'campaign',
  source: `iif(source IS NULL OR source = '', 'unknown', source)`,
  partner: 'partner',
} as const;

/** What SQL says of each value: confirmed, pending, reversed, customers, and what has no rate. */
function readTruth(database: DatabaseSync, by: keyof typeof KEYS, main: string, state: State) {
  const [from, to] = [START + state.from * DAY_MS, START + (state.from + state.length + 1) * DAY_MS];
  const day = 'coalesce(time, booked)';
  const rows = database
    .prepare(`SELECT iif(page IS NULL, '', ${KEYS[by]}) AS name, status, currency, amount, reversed,
      (SELECT place = 1 FROM payments AS p WHERE p.id = ends.id) AS first FROM ends WHERE ${day} >= ? AND ${day} < ?`)
    .all(from, to);
  const sums = new Map<
    string,
    { confirmed: number; pending: number; customers: number; reversed: number; others: number }
  >();
  for (const { name, status, currency, amount, reversed, first } of rows) {
    const key = String(name);
    const sum = sums.get(key) ?? { confirmed: 0, pending: 0, customers: 0, reversed: 0, others: 0 };
    sums.set(key, sum);
    if (first === 1) sum.customers += 1;
    const isConverted = state.totals !== null;
    const rate = (value: unknown) =>
      convert(Number(value), String(currency), main, isConverted && state.hasRates);
    const worth = rate(amount);
    if (worth === null) {
      if (status !== 'reversed' && status !== 'unknown') sum.others += Number(amount);
      continue;
    }
    sum.reversed += rate(reversed) ?? 0;
    if (status === 'pending') sum.pending += worth;
    if (status === 'approved' || status === 'paid') sum.confirmed += worth;
  }
  return sums;
}

const round = (value: number) => Math.sign(value) * Math.round(Math.abs(value));

it('each row of what was earned is what SQL says, and rows sum to the same total in every view', async () =>
  forAll(0.3, [anyJourneys, anyFacts, anyState], async (journeys, facts, state) => {
    const site = await createState(facts, journeys, state);
    const database = openTables(facts, journeys);
    const query = {
      ...buildViewRequest().query,
      from: toDay(state.from),
      to: toDay(state.from + state.length),
      model: state.model,
    };
    const totals = new Set<string>();
    for (const by of ['page', 'campaign', 'source', 'partner'] as const) {
      const { rows, noClick, byLabel, total, currency } = await readEarned(site.periods, query, by);
      const truth = readTruth(database, by, currency, state);
      for (const { key, confirmed, pending, earned, reversed, customers, others, clicks, click } of rows) {
        const own = truth.get(key) ?? { confirmed: 0, pending: 0, customers: 0, reversed: 0, others: 0 };
        const sum = others.reduce((all, { amount }) => all + amount, 0);
        expect({ confirmed, pending, reversed, customers, others: sum }).toEqual(own);
        expect(earned).toBe(confirmed + pending);
        const isDivided = clicks !== null && clicks >= 50 && others.length === 0;
        expect(click === null ? null : round(click)).toBe(
          isDivided ? round(Math.round(earned / clicks)) : null,
        );
        truth.delete(key);
      }
      const none = truth.get('') ?? { confirmed: 0, pending: 0, reversed: 0 };
      expect([noClick.confirmed, noClick.pending, noClick.reversed]).toEqual([
        none.confirmed,
        none.pending,
        none.reversed,
      ]);
      expect([...truth.keys()].filter((key) => key !== '')).toEqual([]);
      expect(addEarned([...rows, noClick, byLabel]).earned).toBe(total.earned);
      totals.add(`${total.earned} ${total.pending} ${total.customers}`);
      const money = rows.map((row) => row.earned);
      expect(money).toEqual(money.toSorted((one, other) => other - one));
    }
    expect(totals.size).toBe(1);
    await expectOverview(site, query, [...totals][0] ?? '');
  }));

async function expectOverview(
  site: ConsoleSite,
  query: ReturnType<typeof buildViewRequest>['query'],
  expected: string,
) {
  const { total, months, currency } = await readOverview(site, { query });
  expect(`${total.earned} ${total.pending} ${total.customers}`).toBe(expected);
  const sum = months.reduce((all, { solid, hatched }) => all + solid + hatched, 0);
  expect(sum).toBe(total.earned);
  for (const page of ['/a', '/b']) {
    const filters = [{ dimension: 'page', value: page, isNot: false }] as const;
    const { detail } = await readPages(site, { ...buildViewRequest(), query: { ...query, filters } });
    if (detail === null) throw new Error('a page has a report');
    const { row, places, sources, label } = detail;
    const add = (list: readonly { earned: number }[]) => list.reduce((all, { earned }) => all + earned, 0);
    const clicks = (list: readonly { clicks: number | null }[]) =>
      list.reduce((all, one) => all + (one.clicks ?? 0), 0);
    expect(add(places) + label).toBe(row.earned);
    expect(add([...sources.rows, sources.more.row])).toBe(row.earned);
    expect(clicks(places)).toBe(row.clicks);
    expect(clicks([...sources.rows, sources.more.row])).toBe(row.clicks);
    const own = detail.months.map(({ solid, hatched }) => ({ earned: solid + hatched }));
    expect([add(own), currency]).toEqual([row.earned, row.currency]);
    expect(clicks(detail.months)).toBe(row.clicks);
  }
}

it('what is owed has every approved and pending amount once, in each currency', async () =>
  forAll(0.3, [anyJourneys, anyFacts, anyState], async (journeys, facts, state) => {
    const site = await createState(facts, journeys, state);
    const { rows } = await readDue(site, { ...buildViewRequest().query, from: toDay(0), to: toDay(60) });
    const truth = openTables(facts, journeys)
      .prepare(`SELECT currency, sum(iif(status = 'approved', amount, 0)) AS approved,
        sum(iif(status = 'pending', amount, 0)) AS pending FROM ends GROUP BY currency`)
      .all();
    for (const { currency, approved, pending } of truth) {
      const own = rows.filter((row) => row.currency === currency);
      const sum = (name: 'approved' | 'pending') => own.reduce((all, row) => all + row[name], 0);
      expect([sum('approved'), sum('pending')]).toEqual([approved, pending]);
    }
  }));

const DIMENSIONS: readonly EarnedDimension[] = ['page', 'placement', 'campaign', 'source', 'partner'];

type Node = ReturnType<typeof parseDocument>['children'][number];
const listNodes = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => [node, ...('children' in node ? listNodes(node.children as Node[]) : [])]);
/** What is written in an element, without the notes below a figure and without drawings. */
function readText(node: Node): string {
  if ('data' in node) return node.data;
  if (!('children' in node) || ('name' in node && /^(?:small|svg|details|script)$/.test(node.name)))
    return '';
  return (node.children as Node[]).map(readText).join('').replace(/\s+/g, ' ').trim();
}

/** Opens a view as an operator sees it: its heading, its lead, and the rows of its tables by their captions. */
async function openView(site: ConsoleSite, view: string, address: string) {
  const [key = '', ...rest] = view.split('/');
  const request = {
    ...buildViewRequest(),
    view: key as ConsoleViewKey,
    rest,
    parameters: new URLSearchParams(address),
  };
  const page = await readView(site, request, null, null);
  if (page === null) throw new Error(`there is no view ${view}`);
  const html = renderToStaticMarkup(createElement(ConsoleDocument, { page }));
  const nodes = listNodes(parseDocument(html).children);
  const find = (name: string, within = nodes) =>
    within.filter((node) => 'name' in node && node.name === name);
  const write = (list: readonly Node[]) => list.map(readText);
  const tables = new Map(
    find('table').map((table) => {
      const own = listNodes([table]);
      const rows = find('tr', own).slice(1);
      const cells = rows.map((row) => {
        const list = listNodes([row]).filter((node) => 'name' in node && /^t[dh]$/.test(node.name));
        const labels = list.map((node) => ('attribs' in node ? (node.attribs['data-label'] ?? 'name') : ''));
        return Object.fromEntries(list.map((node, index) => [labels[index], readText(node)]));
      });
      return [write(find('caption', own)).join(''), cells] as const;
    }),
  );
  const hasClass = (name: string) => (node: Node) => 'attribs' in node && node.attribs['class'] === name;
  const text = (list: readonly Node[]) => write(list).join(' ');
  const facts = find('div').flatMap((node) => {
    const own = listNodes([node]).filter((one) => 'name' in one && /^d[td]$/.test(one.name));
    return own.length === 2 ? [own.map(readText).join(': ')] : [];
  });
  return {
    facts,
    heading: text(find('h1')),
    lead: text(nodes.filter(hasClass('lead'))),
    notes: text(nodes.filter(hasClass('empty-note'))) + text(nodes.filter(hasClass('form-note'))),
    all: html,
    tables,
  };
}

const DIMENSION_VIEWS = [
  ['pages', 'page', 'Pages by what their clicks earned'],
  ['sources', 'source', 'Channels and their sources by what their clicks earned'],
  ['campaigns', 'campaign', 'Campaigns by what their clicks earned'],
  ['partners', 'partner', 'Partners by what their clicks earned'],
] as const;
const CLICKS_OF: Readonly<Record<string, number>> = { '/a': 60, '/b': 40, kit: 100 };

/** Amounts of some currencies, that of the totals first. */
const listMoney = (sums: ReadonlyMap<string, number>, main: string) => [
  { currency: main, amount: sums.get(main) ?? 0 },
  ...[...sums].flatMap(([currency, amount]) =>
    currency === main || amount === 0 ? [] : [{ currency, amount }],
  ),
];

it('the figures that views show are what SQL says', async () =>
  forAll(0.1, [anyJourneys, anyFacts, anyState], async (journeys, facts, state) => {
    const site = await createState(facts, journeys, state);
    const database = openTables(facts, journeys);
    const costs = state.costs.map((cost, index) => ({ ...cost, id: `e-${index}`, name: 'Tools' }));
    for (const { day, ...cost } of costs)
      await site.money.costs.writeExpense({ ...cost, period: toDay(day) }, 1);
    const [from, to] = [toDay(state.from), toDay(state.from + state.length)];
    const address = `from=${from}&to=${to}&model=${state.model}`;
    const { currency: known } = await site.periods.readCurrency({ currency: null });
    const main = known ?? 'USD';
    const rate = (amount: number, code: string) =>
      convert(amount, code, main, state.totals !== null && state.hasRates);
    const add = (sums: Map<string, number>, amount: number, code: string) => {
      const worth = rate(amount, code);
      const key = worth === null ? code : main;
      sums.set(key, (sums.get(key) ?? 0) + (worth ?? amount));
    };

    const paid = `(SELECT min(changed) FROM facts AS f WHERE f.id = ends.id AND f.n > coalesce(
      (SELECT max(n) FROM facts AS b WHERE b.id = ends.id AND b.status <> 'paid'), 0))`;
    const payments = database
      .prepare(`SELECT partner, currency, (${paid} - ${START}) / ${DAY_MS} AS day, sum(amount) AS amount FROM ends
        WHERE status = 'paid' GROUP BY 1, 2, 3 HAVING sum(amount) <> 0 ORDER BY day, partner, currency`)
      .all()
      .map((row) => ({
        partner: String(row['partner']),
        currency: String(row['currency']),
        day: Number(row['day']),
        amount: Number(row['amount']),
      }));
    const one = payments[state.arrived ?? -1];
    if (one !== undefined && one.amount > 1_000) {
      const less = { ...one, amount: one.amount - 1_000 };
      const digits = one.currency === 'JPY' ? 1 : 100;
      const day = toDay(one.day);
      const arrived = { account: 'main', day, arrivedDay: day, arrivedCurrency: one.currency };
      const typed = { partner: one.partner, currency: one.currency, amount: String(less.amount / digits) };
      await postForm(site, 'money', { action: 'arrived', ...arrived, ...typed });
      payments.splice(payments.indexOf(one), 1, less);
    }
    const isOwn = ({ day }: { readonly day: number }) =>
      day >= state.from && day <= state.from + state.length;
    const [received, spent] = [new Map<string, number>(), new Map<string, number>()];
    for (const own of payments.filter(isOwn)) add(received, own.amount, own.currency);
    for (const own of costs.filter(isOwn)) add(spent, own.amount, own.currency);

    let last = '';
    for (const [view, by, caption] of DIMENSION_VIEWS) {
      const { tables } = await openView(site, view, address);
      const rows = tables.get(caption) ?? [];
      const truth = readTruth(database, by, main, state);
      const shown = rows.map((row) =>
        [row['Earned'], row['Clicks'], row['A click'], row['Customers']].join(' '),
      );
      const all = { earned: 0, customers: 0, others: 0 };
      for (const [key, { confirmed, pending, customers, others }] of truth) {
        const earned = confirmed + pending;
        all.earned += earned;
        all.customers += key === '' ? 0 : customers;
        all.others += Math.abs(others);
        if (key === '' || (by === 'source' && truth.size > 2)) continue;
        const clicks = CLICKS_OF[key];
        if (clicks === undefined || others !== 0) continue;
        const amount = earned === 0 ? '–' : formatMoney(earned, main);
        const click = clicks < 50 ? '–' : formatMoney(earned / clicks, main);
        const expected = [
          amount,
          formatNumber(clicks),
          ...(by === 'page' || by === 'partner' ? [click] : [undefined]),
          customers,
        ];
        expect(shown, `${view} ${key}`).toContain(expected.join(' '));
      }
      const total = rows.at(-1);
      if (all.others === 0 && total !== undefined) {
        expect([total['Earned'], total['Customers']], view).toEqual([
          all.earned === 0 ? '–' : formatMoney(all.earned, main),
          formatNumber(all.customers),
        ]);
        const sum = `${all.earned} ${all.customers}`;
        if (last !== '') expect(sum).toBe(last);
        last = sum;
      }
    }

    const ends = database
      .prepare(`SELECT status, currency, amount, reversed, booked, page FROM ends
        WHERE coalesce(time, booked) >= ? AND coalesce(time, booked) < ?`)
      .all(START + state.from * DAY_MS, START + (state.from + state.length + 1) * DAY_MS);
    const today = await openView(site, 'overview', address);
    if (facts.some(({ isTest }) => !isTest)) {
      const costing = [...spent.values()].some((amount) => amount !== 0);
      const lists = [received, ...(costing ? [spent] : [])].map((sums) => listMoney(sums, main));
      expect(today.heading).toContain(
        lists.every((list) => list.length < 3)
          ? `You received ${lists.map(formatAmounts).join(' and spent ')} `
          : 'You received ',
      );
      // Currencies without a rate are in no order of their own, and nothing of the main one is not said beside others.
      for (const { amount, currency } of lists.flatMap((list) =>
        list.filter((own) => own.amount !== 0 || list.length === 1),
      ))
        expect(today.heading).toContain(formatShortMoney(amount, currency));
      const [earned, pending] = [new Map<string, number>(), new Map<string, number>()];
      for (const { status, currency, amount } of ends) {
        if (/^(?:approved|paid|pending)$/.test(String(status))) add(earned, Number(amount), String(currency));
        if (status === 'pending') add(pending, Number(amount), String(currency));
      }
      const list = listMoney(earned, main);
      const money = formatAmounts(list.length > 1 && list[0]?.amount === 0 ? list.slice(1) : list);
      const open = pending.get(main) ?? 0;
      const text = `have earned ${money} so far${open === 0 ? '' : `, ${formatShortMoney(open, main)} of it pending`}.`;
      if (list.length < 3) expect(today.lead.replaceAll(/\s+/g, ' ')).toContain(text);
    }

    const commissions = await openView(site, 'commissions', address);
    if (ends.length > 0 && !facts.some(({ isTest }) => isTest))
      expect(commissions.heading).toMatch(new RegExp(`^${ends.length} commissions? of clicks`));
    const listed = (commissions.tables.get('Commissions') ?? []).map((row) => row['Amount'] ?? '');
    const amounts = ends
      .filter(({ status, amount }) => amount !== 0 && /^(?:approved|paid|pending)$/.test(String(status)))
      .map(({ amount, currency }) => formatMoney(Number(amount), String(currency)));
    for (const amount of amounts)
      expect(listed.filter((text) => text.includes(amount)).length, amount).toBeGreaterThanOrEqual(
        amounts.filter((other) => other === amount).length,
      );

    const none = database.prepare('SELECT currency, amount, status FROM ends WHERE page IS NULL').all();
    const unmatched = await openView(site, 'unmatched', address);
    expect(unmatched.heading).toContain(
      none.length === 0 ? 'Every commission names its click' : `${none.length} commission`,
    );
    if (none.length === 0) expect(unmatched.all).not.toContain('data-work-item');

    // Each approved and pending amount stands once under what is owed.
    const due = await openView(site, 'money', address);
    const owed = database
      .prepare(`SELECT partner, currency, sum(iif(status = 'approved', amount, 0)) AS approved,
        sum(iif(status = 'pending', amount, 0)) AS pending FROM ends GROUP BY 1, 2`)
      .all();
    const parts = owed.flatMap(({ partner, currency, ...sums }) =>
      Object.entries(sums).flatMap(([state, sum]) =>
        sum === 0 ? [] : [{ partner, text: `${formatMoney(Number(sum), String(currency))} ${state}` }],
      ),
    );
    for (const [partner, own] of one === undefined ? Map.groupBy(parts, ({ partner }) => partner) : []) {
      const name = String(partner).toUpperCase();
      const text = new RegExp(`${name} does not say when it pays: (.*?)\\. Add the day`).exec(due.notes)?.[1];
      // Amounts of one state stand before it, in any order of currencies.
      let state = '';
      const shown = (text ?? '').split(' and ').reverse();
      expect(
        shown.map((part) => {
          const found = / (?:approved|pending)$/.exec(part)?.[0];
          state = found ?? state;
          return found === undefined ? part + state : part;
        }),
      ).toEqual(expect.arrayContaining(own.map((part) => part.text)));
      expect(shown).toHaveLength(own.length);
    }
    const paidRows = (due.tables.get('Payments received') ?? []).map((row) => row['Amount'] ?? '');
    for (const own of payments.filter(isOwn).slice(-5))
      expect(paidRows.join(' ')).toContain(formatMoney(own.amount, own.currency));
  }));

/** What ids of networks stand for: one page, a group too small to be divided, and a group that is divided by three to one. */
const LABELS = [
  { label: 'one-20', isOne: true, name: '', pages: [['/a', 1]] },
  { label: 'few-20', isOne: false, name: 'lamps', pages: [['/a', 1] as const, ['/b', 1] as const] },
  {
    label: 'share-20',
    isOne: false,
    name: 'desks',
    pages: [
      ['/a', 3],
      ['/b', 1],
    ],
  },
] as const;
const PAYOUTS = {
  'month-day': { rhythm: 'month-day', day: 15, by: 'approval' },
  booking: { rhythm: 'month-day', day: 15, by: 'booking' },
  net: { rhythm: 'net', days: 20, by: 'approval' },
  weekly: { rhythm: 'weekly', weekday: 3 },
} as const satisfies Record<string, Payout>;
/** The first day on which a rule pays what was approved on the day `settled` and booked on `booked`. */
const PAYOUT_DAYS: Readonly<Record<keyof typeof PAYOUTS, string>> = {
  'month-day': `date(settled, 'start of month', '+1 month', '+14 days')`,
  booking: `(SELECT min(date(day, 'start of month', more || ' months', '+14 days')) FROM (SELECT booked_day AS day),
    (SELECT value AS more FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12]'))
    WHERE date(day, 'start of month', more || ' months', '+14 days') >= settled)`,
  net: `date(settled, 'start of month', '+1 month', '-1 day', '+20 days')`,
  weekly: `date(settled, '+1 day', 'weekday 3')`,
};
const anyExtra = fc.record({
  labels: fc.array(fc.constantFrom('', ...LABELS.map(({ label }) => label)), {
    minLength: 14,
    maxLength: 14,
  }),
  payout: fc.constantFrom(...(Object.keys(PAYOUTS) as (keyof typeof PAYOUTS)[])),
  ads: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('source-1', 'source-2'),
      day: anyDay,
      isMonth: fc.boolean(),
      amount: fc.integer({ min: 1, max: 90_000 }),
      currency: fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
    }),
    {
      maxLength: 3,
      selector: ({ name, day, isMonth }) => `${name} ${toDay(day).slice(0, isMonth ? 7 : 10)}`,
    },
  ),
  weekEnd: fc.integer({ min: 7, max: DAYS }),
});

const PIECES = new Map(
  ['/a', '/b'].map((address) => {
    const text = 'What the partner costs, and what it does in a month.';
    const sections = [{ type: 'prose', body: text }];
    return [address, pageSchema.parse({ title: `Page ${address}`, description: text, sections })];
  }),
) as Content['pages'];
const FILES = {
  list: () => [...PIECES.keys()].map((address) => ({ file: `pages${address}.yaml`, changedAt: null })),
  read: () => ({ problem: 'not read here' }),
  journal: { look: () => null },
  findWriteProblem: async () => null,
};

it('ids of networks, costs of campaigns, payout rules, a week and pieces have the figures that SQL has', async () =>
  forAll(0.2, [anyJourneys, anyFacts, anyState, anyExtra], async (journeys, plain, state, extra) => {
    const facts = plain.map((fact): NewFact => {
      const label = extra.labels[Number(fact.nativeId.slice(2))] ?? '';
      const amount = Math.abs(fact.amount);
      if (label === '' || fact.clickId !== null) return { ...fact, amount };
      return {
        ...fact,
        amount,
        label: { id: label, item: '', name: '', items: label === 'share-20' ? 30 : 1 },
      };
    });
    const payments = { ...NO_PAYMENT_TERMS, approvalDays: 20, payout: PAYOUTS[extra.payout] };
    const site = await createState(facts, journeys, state, {
      terms: { ...DEFAULT_TERMS, payments },
      content: { pages: PIECES },
    });
    Object.assign(site.platform.content, { files: FILES });
    const days = Array.from({ length: DAYS + 1 }, (_, day) => toDay(day));
    const labelDays = ['kit', 'hubspot'].flatMap((partner) =>
      days.flatMap((day) => LABELS.map((one) => ({ ...one, partner, day }))),
    );
    await site.money.ledger.append({ facts: [], labelDays });
    const [from, to] = [toDay(state.from), toDay(state.from + state.length)];
    const ads = extra.ads.map(({ name, day, isMonth, amount, currency }) => ({
      platform: 'meta' as const,
      name,
      period: toDay(day).slice(0, isMonth ? 7 : 10),
      amount,
      currency,
    }));
    const costEntry = {
      id: 'e',
      platform: 'meta',
      file: 'f',
      timeZone: 'UTC',
      state: 'committed',
      changedAt: 1,
    };
    const matches = ['source-1', 'source-2'].map((name) => ({
      platform: 'meta' as const,
      name,
      campaign: `${name} / (none) / (none)`,
    }));
    await site.money.costs.write(costEntry as never, ads, matches);
    const database = openTables(facts, journeys);
    database.exec('CREATE TABLE ads (name TEXT, period TEXT, amount INTEGER, currency TEXT)');
    for (const { name, period, amount, currency } of ads)
      database.prepare('INSERT INTO ads VALUES (?, ?, ?, ?)').run(name, period, amount, currency);
    const { currency: known } = await site.periods.readCurrency({ currency: null });
    const main = known ?? 'USD';
    const rate = (amount: unknown, code: unknown) =>
      convert(Number(amount), String(code), main, state.totals !== null && state.hasRates);
    const address = `from=${from}&to=${to}`;

    // What was earned by ids stands at their page or group, at their partner, and in a line of the other tables.
    const earned = database
      .prepare(`SELECT page, label, partner, campaign, currency, status, amount, amount + reversed AS worth,
        strftime('%Y-%m', booked / 1000, 'unixepoch') AS month, coalesce(time, booked) AS moment FROM ends`)
      .all();
    const sold = new Set(
      earned
        .filter((row) => Number(row['worth']) > 0)
        .map((row) => `${row['partner']} ${row['label']} ${row['month']}`),
    );
    const sums = {
      page: new Map<string, number>(),
      partner: new Map<string, number>(),
      campaign: new Map<string, number>(),
    };
    const byLabel = new Set<string>();
    let others = 0;
    const add = (by: keyof typeof sums, key: string, amount: number) =>
      sums[by].set(key, (sums[by].get(key) ?? 0) + amount);
    for (const { page, label, partner, campaign, currency, status, amount, month, moment } of earned) {
      const isOwn = Number(moment) >= Date.parse(from) && Number(moment) < Date.parse(to) + DAY_MS;
      if (!isOwn || !/^(?:approved|paid|pending)$/.test(String(status))) continue;
      const worth = rate(amount, currency);
      if (worth === null) {
        others += Number(amount);
        continue;
      }
      add('partner', page === null && label === '' ? 'No click known' : String(partner).toUpperCase(), worth);
      const kind = label === '' ? 'No click known' : 'By an id of the network';
      add('campaign', page === null ? kind : String(campaign), worth);
      if (page !== null) add('page', `Page ${page}`, worth);
      else if (label === '') add('page', 'No click known', worth);
      else if (label === 'one-20') add('page', 'Page /a', worth);
      else if (label === 'share-20' && sold.has(`${partner} ${label} ${month}`)) {
        add('page', 'Page /a', Math.round(worth * 0.75));
        add('page', 'Page /b', worth - Math.round(worth * 0.75));
      } else add('page', `${LABELS.find((one) => one.label === label)?.name} (${label})`, worth);
      if (label === 'one-20' && worth !== 0) byLabel.add('/a');
    }
    const totals = new Set<string>();
    for (const [view, by, caption] of DIMENSION_VIEWS) {
      const rows = (await openView(site, view, address)).tables.get(caption) ?? [];
      const last = rows.at(-1);
      if (last !== undefined) totals.add(`${last['Earned']} ${last['Customers']}`);
      if (by === 'source' || others !== 0) continue;
      const withCost = new Set(by === 'campaign' ? ads.map(({ name }) => `${name} / (none) / (none)`) : []);
      for (const [name, amount] of sums[by]) {
        if (amount === 0 || withCost.has(name)) continue;
        const row = rows.find((own) => own['name']?.startsWith(name));
        expect(row?.['Earned'], `${view} ${name}`).toBe(formatMoney(amount, main));
      }
    }
    expect([...totals].slice(1), 'the last rows').toEqual([]);

    const pieces = (await openView(site, 'content', address)).tables.get('Pieces') ?? [];
    for (const [page, clicks] of [
      ['/a', 60],
      ['/b', 40],
    ] as const) {
      const row = pieces.find((own) => JSON.stringify(own).includes(`Page ${page}`));
      const amount = sums.page.get(`Page ${page}`) ?? 0;
      expect(row?.['Clicks'], `clicks of ${page}`).toBe(formatNumber(clicks));
      if (others === 0) expect(row?.['Earned'], page).toBe(amount === 0 ? '–' : formatMoney(amount, main));
    }

    // A month is divided among its days, what cannot be divided on the first ones.
    const costs = database
      .prepare(`WITH RECURSIVE spent AS (
          SELECT name, currency, amount, period, iif(length(period) = 10, period, period || '-01') AS day,
            iif(length(period) = 10, 1, CAST(strftime('%d', period || '-01', '+1 month', '-1 day') AS INTEGER)) AS days
          FROM ads),
        parts AS (SELECT name, currency, amount, days, day, 0 AS place FROM spent
          UNION ALL SELECT name, currency, amount, days, date(day, '+1 day'), place + 1 FROM parts
          WHERE place + 1 < days)
        SELECT name, currency, day, amount / days + (place < amount % days) AS cost FROM parts
        WHERE day BETWEEN ? AND ?`)
      .all(from, to);
    const campaigns = await openView(site, 'campaigns', address);
    const judged = campaigns.tables.get('Campaigns with their costs') ?? [];
    for (const [name, own] of Map.groupBy(costs, (row) => String(row['name']))) {
      const row = judged.find((one) => one['name']?.startsWith(name));
      const worths = own.map((one) => rate(one['cost'], one['currency']));
      if (others !== 0 || worths.includes(null)) continue;
      const cost = worths.reduce<number>((sum, worth) => sum + (worth ?? 0), 0);
      const money = sums.campaign.get(`${name} / (none) / (none)`) ?? 0;
      const left = money - cost;
      expect([row?.['Earned less cost'], row?.['Earned'], row?.['Cost']], name).toEqual([
        formatMoney(left, main),
        money === 0 ? '–' : formatMoney(money, main),
        cost === 0 ? '–' : formatMoney(cost, main),
      ]);
    }

    // By the rule, from the day since which a commission is approved.
    const today = toDay(state.age);
    const due = database
      .prepare(`SELECT partner, currency, ${PAYOUT_DAYS[extra.payout]} AS day, sum(amount) AS amount FROM (
          SELECT *, date(booked / 1000, 'unixepoch') AS booked_day,
            date((SELECT min(changed) FROM facts AS f WHERE f.id = ends.id AND f.n > coalesce((SELECT max(n) FROM facts AS b
              WHERE b.id = ends.id AND b.status NOT IN ('approved', 'paid')), 0)) / 1000, 'unixepoch') AS settled
          FROM ends WHERE status = 'approved')
        GROUP BY 1, 2, 3 HAVING sum(amount) <> 0`)
      .all();
    const { rows: owed } = await readDue(site, { ...buildViewRequest().query, from, to });
    const list = (rows: readonly Readonly<Record<string, unknown>>[]) =>
      rows.map(({ partner, currency, day, amount }) => `${partner} ${currency} ${day} ${amount}`).sort();
    const approved = owed.filter((row) => row.approved !== 0);
    expect(list(approved.map((row) => ({ ...row, amount: row.approved })))).toEqual(list(due));
    const until = toDay(state.age + 59);
    const late = toDay(state.age - 7);
    const money = await openView(site, 'money', address);
    const shown = (money.tables.get('Payments that are due') ?? []).map((row) => row['Approved'] ?? '');
    for (const { day, amount, currency } of due) {
      const isDue = String(day) >= late && String(day) <= until;
      if (isDue)
        expect(shown, `due on ${day}, today ${today}`).toContain(
          formatMoney(Number(amount), String(currency)),
        );
    }

    // Seven days to the one that is named.
    const end = extra.weekEnd;
    const week = await openView(site, 'week', `to=${toDay(end)}`);
    expect(week.all).not.toContain('The address has');
    const counted = state.from >= end - 6 && state.from <= end;
    const isBefore = state.from >= end - 13 && state.from < end - 6;
    expect(week.heading).toMatch(
      counted ? /^100 clicks/ : isBefore ? /^0 clicks/ : /^(?:0 clicks|Nothing has changed yet)/,
    );
    const both = (count: number) => `${counted ? count : 0} (${isBefore ? count : 0} before)`;
    const expectFact = (text: string) =>
      expect(
        week.facts.some((fact) => fact.startsWith(text)),
        `${text} in ${week.facts.join(', ')}`,
      ).toBe(true);
    expectFact(`Views: ${both(601)}`);
    expectFact(`Clicks: ${both(100)}`);
    const weekStart = START + (end - 6) * DAY_MS;
    const reported = database
      .prepare('SELECT count(*) AS count FROM ends WHERE booked >= ? AND booked < ?')
      .get(weekStart, weekStart + 7 * DAY_MS);
    expectFact(`Reported: ${formatCount(Number(reported?.['count']), 'commission')}`);
    const spent = ads.some((row) => row.period.length === 7) || state.costs.length > 0 ? null : 0;
    if (spent === 0) {
      const worths = extra.ads
        .filter(({ day }) => day >= end - 6 && day <= end)
        .map(({ amount, currency }) => rate(amount, currency));
      const sum = worths.reduce<number>((all, worth) => all + (worth ?? 0), 0);
      if (sum > 0 && !worths.includes(null)) expectFact(`Spent: ${formatShortMoney(sum, main)}`);
    }
  }));

const anyBeginning = fc.record({
  state: anyState,
  clicks: fc.constantFrom(0, 1, 2, 60),
  reports: fc.constantFrom(0, 1, 9),
});

it('reports of partners, links, and the first click and commission have the figures that SQL has', async () =>
  forAll(0.1, [anyJourneys, anyFacts, anyBeginning], async (journeys, all, { state, clicks, reports }) => {
    const facts = all.slice(0, reports);
    const counted = { sessions: clicks, actions: 0, views: clicks, clicks, day: toDay(state.from) };
    const site = await createState(facts, journeys, state, {
      rollups: createMemoryRollups(
        clicks === 0
          ? []
          : [
              { ...counted, dimension: 'page', key: ['/a'] },
              { ...counted, dimension: 'partner', key: ['kit'] },
            ],
      ),
    });
    const database = openTables(facts, journeys);
    const address = `from=${toDay(state.from)}&to=${toDay(state.from + state.length)}`;
    const { currency: known } = await site.periods.readCurrency({ currency: null });
    const main = known ?? 'USD';
    const truth = readTruth(database, 'partner', main, state);
    const pages = await openView(site, 'pages', address);
    const isEarned = [...readTruth(database, 'page', main, state)].some(
      ([key, { confirmed, pending }]) => key !== '' && confirmed + pending > 0,
    );
    if (!isEarned && [...truth.values()].every(({ others }) => others === 0))
      expect(pages.heading).toContain(
        clicks === 0 ? 'No reader has clicked yet' : `has ${formatCount(clicks, 'click')}`,
      );

    const report = await openView(site, 'partners', `${address}&partner=kit`);
    const own = truth.get('kit') ?? { confirmed: 0, pending: 0, customers: 0, others: 0 };
    const earned = own.confirmed + own.pending;
    if (own.others === 0)
      expect(report.heading).toContain(
        earned === 0 ? 'KIT has brought no money yet.' : `KIT brought ${formatShortMoney(earned, main)} `,
      );
    const texts = [formatCount(clicks, 'click'), formatCount(own.customers, 'customer')];
    if (clicks >= 50 && own.others === 0) texts.push(`${formatMoney(earned / clicks, main)} a click`);
    expect(report.lead).toContain(`${texts.join(', ')}.`);
    const ends = database.prepare(`SELECT status, currency, amount, time, page FROM ends WHERE partner = 'kit'
        AND coalesce(time, booked) >= ? AND coalesce(time, booked) < ?`);
    const inRange = ends.all(START + state.from * DAY_MS, START + (state.from + state.length + 1) * DAY_MS);
    const reversed = inRange.filter(({ status }) => status === 'reversed').length;
    const record = `Of ${formatCount(inRange.length, 'commission')} it reversed ${reversed}.`;
    if (inRange.length > 0) expect(report.lead).toContain(record);
    else expect(report.lead).not.toContain('it reversed');

    // What the clicks of the last 30 days to a partner have earned depends on its links.
    const now = START + state.age * DAY_MS;
    const recent = ends
      .all(now - 29 * DAY_MS, now + DAY_MS)
      .filter(({ page, status }) => page !== null && status !== 'unknown')
      .map((row) =>
        convert(
          Number(row['amount']),
          String(row['currency']),
          main,
          state.totals !== null && state.hasRates,
        ),
      );
    const atRisk = recent.reduce<number>((sum, worth) => sum + (worth ?? 0), 0);
    const links = await openView(site, 'content/links', '');
    const row = (links.tables.get('Links') ?? []).find((one) => JSON.stringify(one).includes('KIT'));
    // Without any money there is no column of it.
    const shown = atRisk === 0 ? '' : formatMoney(atRisk, main);
    expect(row?.['Earned']).toBe(known === null ? undefined : shown);
  }));

it('an empty site has no row and no figure', async () => {
  const site = await createTestConsole({ rollups: createMemoryRollups([]) });
  const { query } = buildViewRequest();
  for (const by of DIMENSIONS) {
    const { rows, total, arrived } = await readEarned(site.periods, query, by);
    expect([rows, total.earned, total.clicks, total.click, arrived]).toEqual([[], 0, 0, null, null]);
  }
  expect((await readCampaignTable(site, { query })).rows).toEqual([]);
});

it('what was reversed is in no figure but its own, and money without a rate in a list', () => {
  const cell = { partner: 'kit', currency: 'USD', state: STATES.conversion, count: 1, reversedAmount: 0 };
  const cells = [
    { ...cell, status: 'approved', amount: 700 },
    { ...cell, status: 'pending', amount: 200, state: STATES.payment },
    { ...cell, status: 'reversed', amount: 0, reversedAmount: 500, state: STATES.matched },
    { ...cell, status: 'paid', amount: 90, currency: 'EUR' },
    { ...cell, status: 'unknown', amount: 30, state: STATES.matched },
  ] as const;
  expect(sumEarned(cells, 'USD', () => 'a').get('a')).toEqual({
    earned: 900,
    confirmed: 700,
    pending: 200,
    reversed: 500,
    customers: 2,
    payments: 1,
    count: 3,
    others: [{ currency: 'EUR', amount: 90 }],
  });
});
