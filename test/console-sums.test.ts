// What the console says against SQL over the facts: sums of random ledgers, and the questions of an operator with the
// clicks that their answers take from the overview.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatReport } from '../src/commands/commissions/reports.ts';
import { generateDemo } from '../src/commands/demo.ts';
import { readAllCampaigns } from '../src/console/campaigns/read.ts';
import { COMMISSION_COLUMNS, readCommissions } from '../src/console/commissions/read.ts';
import type { ConsoleSite } from '../src/console/console-site.ts';
import { ConsoleDocument } from '../src/console/frame/frame.tsx';
import { BUCKET_COLUMNS, readMoneyBuckets, readOverview } from '../src/console/overview/read.ts';
import { readAllPages } from '../src/console/pages/read.ts';
import { parseQuery } from '../src/console/parse-query.ts';
import { readExpected } from '../src/console/partners/outlook.ts';
import { readPartners, readPayments } from '../src/console/partners/read.ts';
import { readAllPlacements } from '../src/console/placements/read.ts';
import { buildRowsAddress } from '../src/console/reports/addresses.ts';
import { buildTable } from '../src/console/reports/columns.ts';
import { formatMoney, formatNumber } from '../src/console/reports/format.ts';
import { addDays, addMonths } from '../src/console/reports/range.ts';
import { readView } from '../src/console/views.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { buildCommissionReport } from '../src/core/commissions/credit/commission-report.ts';
import type { FrozenJourney } from '../src/core/commissions/credit/credit.ts';
import { COMMISSION_STATUSES, type NewFact } from '../src/core/commissions/ledger/commission-fact.ts';
import { parseDecimalAmount } from '../src/core/commissions/money.ts';
import { buildDefaultPath } from '../src/core/paths.ts';
import { buildCorpus } from './support/article-corpus.ts';
import {
  buildPartner,
  buildViewRequest,
  createTestConsole,
  readAllCommissions,
} from './support/console-ledger.ts';
import { forAll } from './support/for-all.ts';
import { buildSampleFact, buildSampleJourney } from './support/sample-commissions.ts';
import { buildSampleEvent } from './support/sample-events.ts';
import { readEntries } from './support/test-ledger.ts';

const KINDS = ['approved', 'paid', 'pending', 'reversed'] as const;
type Sums = Record<(typeof KINDS)[number] | 'conversions' | 'payments', number>;

/** Opens the facts and journeys as tables, with what is true of each commission at the end of its facts as `ends`. */
function openTables(facts: readonly NewFact[], journeys: readonly FrozenJourney[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE facts (n INTEGER PRIMARY KEY, id TEXT, partner TEXT, status TEXT, amount INTEGER, currency TEXT,
      booked INTEGER, changed INTEGER, click TEXT, test INTEGER, arrived INTEGER);
    CREATE INDEX facts_by_id ON facts (id);
    CREATE TABLE journeys (click TEXT, time INTEGER, page TEXT, campaign TEXT, channel TEXT, site TEXT);
    CREATE VIEW ends AS
      SELECT f.id, f.partner, f.status, f.currency, f.click,
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
  const insert = database.prepare('INSERT INTO facts VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const fact of facts) {
    const { nativeId, partner, status, amount, currency, eventTime, changeTime, clickId, isTest, arrivedAt } =
      fact;
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

/** Sums the commissions of a condition by status, with customers and their later payments. */
function sumBySql(database: DatabaseSync, where: string): Sums {
  const kinds = KINDS.slice(0, 3).map(
    (kind) => `coalesce(sum(CASE status WHEN '${kind}' THEN amount END), 0) AS ${kind}`,
  );
  const money = database
    .prepare(`SELECT ${kinds.join(', ')}, coalesce(sum(reversed), 0) AS reversed FROM ends WHERE ${where}`)
    .get();
  const counts = database
    .prepare(`SELECT count(*) FILTER (WHERE place = 1) AS conversions, count(*) FILTER (WHERE place > 1) AS payments
      FROM payments WHERE ${where}`)
    .get();
  return { ...money, ...counts } as Sums;
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
  currency: fc.constantFrom('USD', 'USD', 'EUR', 'JPY'),
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
const anyQuery = fc.record({
  from: anyDay,
  length: fc.integer({ min: 0, max: DAYS }),
  clock: fc.constantFrom('click', 'booking'),
  currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  filter: fc.option(
    fc.record({
      filter: fc.constantFrom(
        ['partner', 'kit', `partner = 'kit'`],
        ['page', '/a', `page = '/a'`],
        ['page', '(none)', 'page IS NULL'],
        ['campaign', 'No campaign', `campaign = 'No campaign'`],
        ['campaign', 'source-1 / (none) / (none)', `campaign = 'source-1 / (none) / (none)'`],
        ['status', 'paid', `status = 'paid'`],
        ['status', 'reversed', `status = 'reversed'`],
      ) as fc.Arbitrary<readonly ['partner' | 'page' | 'campaign' | 'status', string, string]>,
      isNot: fc.boolean(),
    }),
  ),
});

const addUp = (rows: readonly Sums[]): Sums =>
  rows.reduce(
    (all, row) => ({
      approved: all.approved + row.approved,
      paid: all.paid + row.paid,
      pending: all.pending + row.pending,
      reversed: all.reversed + row.reversed,
      conversions: all.conversions + row.conversions,
      payments: all.payments + row.payments,
    }),
    { approved: 0, paid: 0, pending: 0, reversed: 0, conversions: 0, payments: 0 },
  );
const pick = ({ approved, paid, pending, reversed, conversions, payments }: Sums): Sums => ({
  approved,
  paid,
  pending,
  reversed,
  conversions,
  payments,
});
const pickMoney = ({ approved, paid, pending, reversed }: Omit<Sums, 'conversions' | 'payments'>) => ({
  approved,
  paid,
  pending,
  reversed,
});

it('tiles, bars, rows, files, reports and SQL have the same sums, for any ledger, range, clock, currency and filter', async () => {
  const content = { partners: new Map(['kit', 'hubspot'].map((key) => [key, buildPartner(key)])) };
  await forAll(1, [anyFacts, anyJourneys, anyQuery], async (facts, journeys, choice) => {
    const site = await createTestConsole({ now: () => START + 100 * DAY_MS, content });
    await site.money.ledger.append({ facts, journeys });
    const day = (number: number) => addDays('2026-03-01', number);
    const [from, to] = [choice.from, choice.from + choice.length];
    const { clock, currency, filter } = choice;
    const filters =
      filter === null ? [] : [{ dimension: filter.filter[0], value: filter.filter[1], isNot: filter.isNot }];
    const request = buildViewRequest();
    const query = { ...request.query, from: day(from), to: day(to), clock, currency, filters };
    const viewed = { ...request, query };
    const database = openTables(facts, journeys);
    const time = clock === 'click' ? 'coalesce(time, booked)' : 'booked';
    const condition = filter === null ? '1' : `coalesce(${filter.filter[2]}, 0)`;
    const within = `${time} >= ${START + from * DAY_MS} AND ${time} < ${START + (to + 1) * DAY_MS}`;
    const where = `currency = '${currency}' AND ${within} AND ${filter?.isNot ? `NOT ${condition}` : condition}`;
    const expected = sumBySql(database, where);
    const matched = sumBySql(database, `${where} AND page IS NOT NULL`);
    database.close();

    const { figures, buckets } = await readOverview(site, viewed);
    expect(pick(figures)).toEqual(expected);
    expect(addUp(buckets.map((bucket) => ({ ...bucket, conversions: 0, payments: 0 })))).toEqual({
      ...expected,
      conversions: 0,
      payments: 0,
    });
    const bars = buildTable((await readMoneyBuckets(site, viewed)).rows, BUCKET_COLUMNS);
    expect(sumColumns(bars, KINDS, currency)).toEqual(pickMoney(expected));

    const rows = await readAllCommissions(site, viewed);
    const counted = rows.filter(({ isCounted }) => isCounted);
    expect(sumStatuses(buildTable(counted, COMMISSION_COLUMNS), currency)).toEqual(pickMoney(expected));
    const list = await readCommissions(site, viewed);
    const sums = list?.kind === 'list' ? list.sums : [];
    expect(addUp(sums)).toEqual(expected);
    expect(sums.reduce((all, sum) => all + (sum.expected ?? 0), 0)).toBe(figures.expected);
    // What a tile opens has the sum of the tile.
    for (const kind of KINDS) {
      const { searchParams } = new URL(buildRowsAddress(query, currency, kind), 'http://localhost');
      const opened = await readCommissions(site, {
        ...request,
        query: (await parseQuery(site, searchParams)).query,
      });
      const amount = opened?.kind === 'list' ? (opened.sums[0]?.[kind] ?? 0) : null;
      if (expected[kind] !== 0) expect(amount).toBe(expected[kind]);
    }

    for (const read of [readAllPages, readAllPlacements, readAllCampaigns]) {
      const { rows: own } = await read(site, viewed);
      expect(addUp(own)).toEqual(matched);
      const unmatched = figures.unmatched;
      const booked = own.reduce((all, row) => all + row.approved + row.paid + row.pending, unmatched);
      expect(booked).toBe(expected.approved + expected.paid + expected.pending);
    }
    const { rows: partners } = await readPartners(site, viewed);
    expect(addUp(partners.flatMap((row) => row.sums))).toEqual(expected);
    expect(partners.every(({ conversionRate }) => conversionRate === null || conversionRate <= 1)).toBe(true);

    if (filter !== null) return;
    const entries = (await readEntries(site.money.commissions)).filter(({ isCounted }) => isCounted);
    const report = buildCommissionReport(entries, new Map(), {
      by: 'page',
      clock,
      model: 'last',
      timeZone: 'UTC',
      answerField: '',
      from: START + from * DAY_MS,
      to: START + (to + 1) * DAY_MS,
    });
    const total = report.total.currencies[currency];
    expect(pickMoney(total ?? expected)).toEqual(pickMoney(expected));
    const lines = formatReport(report, { by: 'page' }, 'csv')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const [names = [], ...cells] = lines;
    const own = cells.filter((cell) => cell[names.indexOf('currency')] === currency);
    const csv = { columns: names, rows: own };
    expect(sumColumns(csv, KINDS, currency)).toEqual(pickMoney(matched));
  });
});

type CellTable = { readonly columns: readonly string[]; readonly rows: Iterable<readonly unknown[]> };
const toMinor = (cell: unknown, currency: string) => parseDecimalAmount(String(cell ?? 0), currency) ?? 0;

function sumColumns({ columns, rows }: CellTable, names: readonly string[], currency: string) {
  const all = [...rows];
  return Object.fromEntries(
    names.map((name) => [
      name,
      all.reduce((sum, row) => sum + toMinor(row[columns.indexOf(name)], currency), 0),
    ]),
  );
}

/** The sums of a file of commissions, by the status of its rows. */
function sumStatuses({ columns, rows }: CellTable, currency: string) {
  const sums = { approved: 0, paid: 0, pending: 0, reversed: 0, unknown: 0 };
  for (const row of rows) {
    const [status, amount, reversed] = ['status', 'amount', 'reversed'].map(
      (name) => row[columns.indexOf(name)],
    );
    if (status !== 'reversed') sums[status as keyof typeof sums] += toMinor(amount, currency);
    sums.reversed += toMinor(reversed, currency);
  }
  return pickMoney(sums);
}

const CONTENT_DIR = path.resolve(import.meta.dirname, '../content');
const NOW = Date.UTC(2026, 10, 20, 15);
const TODAY = '2026-11-20';

/** A question of an operator: what is chosen on the way from the overview, and what SQL says that the page then shows. */
interface Question {
  readonly question: string;
  /** Texts of links and menus, in order. */
  readonly clicks: readonly string[];
  /** The part of the page that answers. */
  readonly within: RegExp;
  readonly expected: (database: DatabaseSync) => readonly string[];
}

const dollars = (amount: unknown) => formatMoney(Number(amount), 'USD');
const select = (database: DatabaseSync, sql: string) => database.prepare(sql).get() ?? {};
const between = (from: string, to: string, column = 'booked') =>
  `currency = 'USD' AND ${column} >= ${Date.parse(from)} AND ${column} < ${Date.parse(to) + DAY_MS}`;
const LAST_28 = [addDays(TODAY, -27), TODAY] as const;
const LAST_YEAR = [addDays(addMonths(TODAY, -12), 1), TODAY] as const;
const BOOKED = "sum(CASE WHEN status IN ('approved', 'paid', 'pending') THEN amount ELSE 0 END)";

const QUESTIONS: readonly Question[] = [
  {
    question: 'Which page earned most last month?',
    clicks: ['Period:', 'Last month'],
    within: /<h1.*?<\/h1>/s,
    expected: (database) => {
      const { page } = select(
        database,
        `SELECT page FROM ends WHERE ${between('2026-10-01', '2026-10-31')} AND page IS NOT NULL
          GROUP BY page ORDER BY ${BOOKED} DESC LIMIT 1`,
      );
      return [`page=${encodeURIComponent(String(page))}`];
    },
  },
  {
    question: 'Why is this commission unmatched?',
    clicks: ['Unmatched'],
    within: /.*/s,
    expected: (database) =>
      database
        // The newest: the others are on the next pages.
        .prepare(
          "SELECT id FROM ends WHERE page IS NULL AND status <> 'reversed' ORDER BY booked DESC LIMIT 20",
        )
        .all()
        .map(({ id }) => String(id)),
  },
  {
    question: 'What should I do today?',
    clicks: [],
    within: /id="tasks".*?<\/section>/s,
    expected: () => [
      'has not paid',
      'has reported nothing',
      'has a cost',
      'could not be read',
      `Clicks of “${LOST_ARTICLE?.title}” fell`,
    ],
  },
  {
    question: 'When is it paid?',
    clicks: [],
    within: />Payments<.*?<\/section>/s,
    expected: () => ['should have been paid by', 'is expected in the next 60 days'],
  },
  {
    question: 'Which partner converts best?',
    clicks: ['Partners'],
    within: /<tbody><tr>.*?<\/tr>/s,
    expected: (database) => {
      const { partner, customers } = select(
        database,
        `SELECT partner, count(*) AS customers FROM payments WHERE place = 1
          AND ${between(...LAST_28)} GROUP BY partner ORDER BY customers DESC LIMIT 1`,
      );
      return [`partner=${partner}`, `data-label="Customers">${formatNumber(Number(customers))}<`];
    },
  },
  {
    question: 'Did the reversal change credit?',
    clicks: ['Reversed', ''],
    within: /.*/s,
    expected: (database) => {
      const { reversed } = select(
        database,
        `SELECT reversed FROM ends WHERE ${between(...LAST_28)} AND reversed > 0 ORDER BY booked DESC, id LIMIT 1`,
      );
      return [dollars(reversed), 'this is what each model had credited before'];
    },
  },
  ...(['confirmed', 'pending', 'reversed'] as const).map((kind) => ({
    question: `Of what does the ${kind} money consist?`,
    clicks: ['12 mo', `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`],
    within: /.*/s,
    expected: (database: DatabaseSync) => [
      // The list sums each status by itself.
      ...(kind === 'confirmed' ? (['approved', 'paid'] as const) : [kind]).map((one) =>
        dollars((kind === 'reversed' ? -1 : 1) * sumBySql(database, between(...LAST_YEAR))[one]),
      ),
    ],
  })),
];

/** A campaign that costs something and brings nothing. */
const LOSS = { name: 'Carousel test', campaign: 'facebook / paid-social / carousel-test' };
/** An article that had three clicks a day, and has one every other day since four weeks. */
const [LOST_ARTICLE] = [...buildCorpus(1, 20)].map((article) => ({ ...article, slug: 'lost-readers' }));
const LOST_CLICKS = Array.from({ length: 125 }, (_, index) => index + 1).flatMap((age) =>
  Array.from({ length: age > 28 ? 3 : age % 2 }, (_, place) =>
    buildSampleEvent({
      name: 'affiliate_redirect',
      session: `lost-${age}-${place}`,
      page: buildDefaultPath('lost-readers'),
      data: { partner: 'hubspot', source: 'article' },
      serverTime: NOW - age * DAY_MS + place,
    }),
  ),
);

/** A site with the commissions of a simulated year. */
async function createDemo(seed: number) {
  const content = readContent(CONTENT_DIR);
  const { days, ledger } = generateDemo(
    content,
    CONTENT_DIR,
    { events: 7_000, commissions: 6_000 },
    NOW,
    seed,
  );
  const site = await createTestConsole({ now: () => NOW, content });
  // The visits are drawn before what they bring.
  const drawn = [...days];
  const { facts, journeys, imports, unread } = ledger.finish();
  for (const change of imports.values()) await site.money.ledger.writeImport(change);
  await site.money.ledger.append({ facts, journeys: [...journeys.values()] });
  for (const message of unread) await site.money.ledger.addUnread(message);
  return { site, days: drawn, facts, journeys: [...journeys.values()] };
}

it('of months that have ended, about 8 of 10 brought what they were expected to', {
  tags: ['rest'],
}, async () => {
  const ended: Awaited<ReturnType<typeof readExpected>>['ended'][number][] = [];
  for (const seed of [21, 22, 23]) {
    const { site } = await createDemo(seed);
    ended.push(...(await readExpected(site, buildViewRequest({ search: 'currency=USD' }))).ended);
  }
  const held = ended.filter(({ low, high, came }) => low <= came && came <= high);
  const width = ended.reduce((sum, { low, middle, high }) => sum + (high - low) / middle, 0) / ended.length;
  expect(ended).toHaveLength(18);
  expect(held.length).toBeGreaterThanOrEqual(12);
  // A range that holds everything says nothing.
  expect(width).toBeLessThan(0.5);
});

describe('questions of an operator', () => {
  let site: ConsoleSite;
  let database: DatabaseSync;

  beforeAll(async () => {
    // A seed with a silent network and money that is overdue.
    const demo = await createDemo(1);
    site = demo.site;
    Object.assign(site.content.articles, { getSummaries: () => [LOST_ARTICLE] });
    await site.visitors.events.append([...demo.days].flat().concat(LOST_CLICKS));
    while ((await site.money.rollups.advance()) > 0);
    const entry = { id: 'ads', file: 'ads.csv', timeZone: '', changedAt: NOW, platform: 'meta' } as const;
    const costs = [
      { ...LOSS, platform: 'meta', currency: 'USD', period: '2026-11-10', amount: 5_000 } as const,
    ];
    await site.money.costs.write({ ...entry, state: 'committed' }, costs, costs);
    database = openTables(demo.facts, demo.journeys);
  }, 60_000);

  async function open(address: string): Promise<string> {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    const [, , view = 'overview', ...rest] = pathname.split('/').map(decodeURIComponent);
    const { viewer, formToken } = buildViewRequest();
    const target = { view, rest, parameters: searchParams, viewer, formToken };
    const page = await readView(site, target as Parameters<typeof readView>[1], null, null);
    if (page === null) throw new Error(`${address} has no page`);
    return renderToStaticMarkup(createElement(ConsoleDocument, { page }));
  }

  it.each(QUESTIONS)('$question', async ({ clicks, within, expected }) => {
    let html = await open('/console');
    for (const click of clicks) {
      const address = findAddress(html, click);
      // A menu opens on the page.
      if (address !== null) html = await open(address);
    }
    const [part = ''] = within.exec(html) ?? [];
    const shown = `${part} ${part.replace(/<[^>]*>/g, '')}`.replaceAll('&amp;', '&');
    expect(expected(database).filter((fact) => !shown.includes(fact))).toEqual([]);
  });

  it('says to the cent what each month is expected to bring', async () => {
    const today = new Date(NOW).toISOString().slice(0, 10);
    const { rows } = await readExpected(site, buildViewRequest({ search: 'currency=USD' }));
    expect(rows.length).toBe(12);
    for (const { due, pending, later, clicks, low, middle, high } of rows)
      expect([middle, low <= middle && middle <= high]).toEqual([due + pending + later + clicks, true]);
    const outlook = await readPayments(site, {
      query: { ...buildViewRequest().query, currency: 'USD', filters: [] },
    });
    const last = addMonths(`${today.slice(0, 7)}-01`, 12);
    const open = outlook.rows.filter(({ state, day }) => state === 'due' && (day ?? last) < last);
    const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
    expect(sum(rows.map(({ due }) => due))).toBe(sum(open.map(({ approved }) => approved)));
    expect(sum(rows.map(({ pending }) => pending))).toBe(
      sum(open.map(({ expected, approved }) => expected - approved)),
    );
  });
});

/** The address that a click on a text leads to; null for a menu. The text of a tile is its name. */
function findAddress(html: string, text: string): string | null {
  const plain = (part: string) => part.replace(/<[^>]*>/g, '').trim();
  if (
    [...html.matchAll(/<summary>(.*?)<\/summary>/g)].some(
      ([, name = '']) => text !== '' && plain(name).startsWith(text),
    )
  )
    return null;
  const tiles = [...html.matchAll(/<li class="figure[^"]*">(.*?)<\/li>/g)].map(([, tile = '']) => tile);
  const tile = tiles.find((one) => plain(one).startsWith(text));
  const links = [...(text !== '' && tile !== undefined ? tile : html).matchAll(/<a ([^>]*)>(.*?)<\/a>/g)];
  const found = links.find(([, attributes = '', name = '']) =>
    text === ''
      ? attributes.includes('commission-link')
      : tile !== undefined ||
        plain(name).replace(/ [A-Z]$/, '') === text ||
        plain(name).startsWith(`${text}`),
  );
  const [, href] = /href="([^"]*)"/.exec(found?.[1] ?? '') ?? [];
  if (href === undefined) throw new Error(`nothing leads to “${text}”`);
  return href.replaceAll('&amp;', '&');
}
