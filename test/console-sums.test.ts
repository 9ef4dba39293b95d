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
import { COMMISSION_COLUMNS, readAllCommissions, readCommissions } from '../src/console/commissions/read.ts';
import type { ConsoleSite } from '../src/console/console-site.ts';
import { ConsoleDocument } from '../src/console/frame/frame.tsx';
import { BUCKET_COLUMNS, readMoneyBuckets, readOverview } from '../src/console/overview/read.ts';
import { readAllPages } from '../src/console/pages/read.ts';
import { parseQuery } from '../src/console/parse-query.ts';
import { readPartners } from '../src/console/partners/read.ts';
import { readAllPlacements } from '../src/console/placements/read.ts';
import { buildRowsAddress } from '../src/console/reports/addresses.ts';
import { buildTable } from '../src/console/reports/columns.ts';
import {
  formatDay,
  formatMoney,
  formatNumber,
  formatShortMoney,
  NO_FIGURE,
} from '../src/console/reports/format.ts';
import { addDays, addMonths } from '../src/console/reports/range.ts';
import { readView } from '../src/console/views.ts';
import { readContent } from '../src/content-files/read-content.ts';
import { DAY_MS } from '../src/core/clock.ts';
import { buildCommissionReport } from '../src/core/commissions/credit/commission-report.ts';
import type { FrozenJourney } from '../src/core/commissions/credit/credit.ts';
import { COMMISSION_STATUSES, type NewFact } from '../src/core/commissions/ledger/commission-fact.ts';
import { parseDecimalAmount } from '../src/core/commissions/money.ts';
import type { SiteEvent } from '../src/core/events/site-event.ts';
import type { Content } from '../src/core/pages/content.ts';
import { buildArticlePath } from '../src/core/paths.ts';
import { buildCorpus } from './support/article-corpus.ts';
import { buildPartner, buildViewRequest, createTestConsole } from './support/console-ledger.ts';
import { forAll } from './support/for-all.ts';
import { buildSampleFact, buildSampleJourney } from './support/sample-commissions.ts';
import { buildSampleEvent } from './support/sample-events.ts';

const KINDS = ['approved', 'paid', 'pending', 'reversed'] as const;
type Sums = Record<(typeof KINDS)[number] | 'conversions' | 'payments', number>;

/** Opens the facts and journeys as tables, with what is true of each commission at the end of its facts as `ends`. */
function openTables(facts: readonly NewFact[], journeys: readonly FrozenJourney[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE facts (n INTEGER PRIMARY KEY, id TEXT, partner TEXT, status TEXT, amount INTEGER, currency TEXT,
      booked INTEGER, changed INTEGER, click TEXT, test INTEGER, arrived INTEGER);
    CREATE INDEX facts_by_id ON facts (id);
    CREATE TABLE journeys (click TEXT, time INTEGER, page TEXT, campaign TEXT);
    CREATE VIEW ends AS
      SELECT f.id, f.partner, f.status, f.currency, f.click,
        (SELECT min(booked) FROM facts WHERE id = f.id) AS booked, time, page, campaign,
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
      ...([nativeId, partner, status, amount, currency, eventTime, changeTime] as const),
      clickId,
      Number(isTest),
      arrivedAt,
    );
  }
  const add = database.prepare('INSERT INTO journeys VALUES (?, ?, ?, ?)');
  for (const { clickId, clickTime, page, touches } of journeys) {
    const campaign = touches.at(-1)?.campaign ?? {};
    const parts = ['utm_source', 'utm_medium', 'utm_campaign'].map((name) => campaign[name] || '(none)');
    add.run(clickId, clickTime, page, touches.length === 0 ? 'direct' : parts.join(' / '));
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
        ...{ clickId: CLICKS[index] ?? '', clickTime: START + day * DAY_MS + 7, page, placement: 'hero' },
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
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
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
  currency: fc.constantFrom('USD', 'EUR'),
  filter: fc.option(
    fc.record({
      filter: fc.constantFrom(
        ['partner', 'kit', `partner = 'kit'`],
        ['page', '/a', `page = '/a'`],
        ['page', '(none)', 'page IS NULL'],
        ['campaign', 'direct', `campaign = 'direct'`],
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
  ...{ approved, paid, pending, reversed, conversions, payments },
});
const pickMoney = ({ approved, paid, pending, reversed }: Omit<Sums, 'conversions' | 'payments'>) => ({
  ...{ approved, paid, pending, reversed },
});

it('tiles, bars, rows, files, reports and SQL have the same sums, for any ledger, range, clock, currency and filter', async () => {
  const content = { partners: new Map(['kit', 'hubspot'].map((key) => [key, buildPartner(key)])) };
  await forAll(60, [anyFacts, anyJourneys, anyQuery], async (facts, journeys, choice) => {
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
      ...{ conversions: 0, payments: 0 },
    });
    const bars = buildTable((await readMoneyBuckets(site, viewed)).rows, BUCKET_COLUMNS);
    expect(sumColumns(bars, KINDS, currency)).toEqual(pickMoney(expected));

    const { rows } = await readAllCommissions(site, viewed);
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
        query: (await parseQuery(site, searchParams, 'commissions')).query,
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
    const entries = (await site.money.commissions.readEntries()).filter(({ isCounted }) => isCounted);
    const report = buildCommissionReport(entries, new Map(), {
      ...{ by: 'page', clock, model: 'last', timeZone: 'UTC', answerField: '' },
      ...{ from: START + from * DAY_MS, to: START + (to + 1) * DAY_MS },
    });
    const total = report.total.currencies[currency];
    expect(pickMoney(total ?? expected)).toEqual(pickMoney(expected));
    const lines = formatReport(report, 'page', 'csv')
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
  /** The part of the page that answers; all of it when left out. */
  readonly within?: RegExp;
  /** How many parts the answer has at least; 1 when left out. */
  readonly least?: number;
  /** Whether the answer has the order of what is expected. */
  readonly isOrdered?: boolean;
  readonly expected: (database: DatabaseSync) => readonly string[];
}

const dollars = (amount: unknown) => formatMoney(Number(amount), 'USD');
const shortDollars = (amount: unknown) => formatShortMoney(Number(amount), 'USD');
const count = (value: unknown) => formatNumber(Number(value));
const select = (database: DatabaseSync, sql: string) => database.prepare(sql).get() ?? {};
const during = (from: string, to: string, column: string) =>
  `${column} >= ${Date.parse(from)} AND ${column} < ${Date.parse(to) + DAY_MS}`;
const BY_CLICK = 'coalesce(time, booked)';
const between = (from: string, to: string, column = 'booked') =>
  `currency = 'USD' AND ${during(from, to, column)}`;
const LAST_YEAR = between(addDays(addMonths(TODAY, -12), 1), TODAY);
const LAST_28 = between(addDays(TODAY, -27), TODAY);
const LAST_91 = [addDays(TODAY, -90), TODAY] as const;
const BOOKED = "sum(CASE WHEN status IN ('approved', 'paid', 'pending') THEN amount ELSE 0 END)";
const MONTH_START = `${TODAY.slice(0, 8)}01`;
/** Today a month ago, at the same time. */
const MONTH_AGO = Date.parse(addMonths(TODAY, -1)) + (NOW % DAY_MS);

/** Campaigns with a cost in the last 91 days and no money from their clicks, with their visits. */
const selectLosses = (database: DatabaseSync) =>
  database
    .prepare(`SELECT campaign, sum(amount) AS cost, (SELECT count(DISTINCT session) FROM visits
        WHERE visits.campaign = costs.campaign AND ${during(...LAST_91, 'visits.time')}) AS visits
      FROM costs WHERE day BETWEEN '${LAST_91[0]}' AND '${LAST_91[1]}' AND campaign NOT IN (SELECT campaign FROM ends
        WHERE campaign IS NOT NULL AND amount > 0 AND ${between(...LAST_91, BY_CLICK)})
      GROUP BY campaign ORDER BY cost DESC`)
    .all();

/** What was due more than a week ago and is not paid, by partner. */
const selectOverdue = (database: DatabaseSync) =>
  database
    .prepare(`SELECT partner, name, currency, sum(amount) AS amount, min(due) AS since FROM dues JOIN partners USING (partner)
      WHERE status = 'approved' AND due < date('${TODAY}', '-7 days') GROUP BY partner ORDER BY amount DESC`)
    .all();

/** Partners that have reported nothing for longer than in 99 of 100 gaps between the days of their messages. */
const selectSilent = (database: DatabaseSync) =>
  database
    .prepare(`WITH days AS (SELECT DISTINCT partner, arrived / ${DAY_MS} AS day FROM facts WHERE test = 0),
      gaps AS (SELECT partner, day - lag(day) OVER (PARTITION BY partner ORDER BY day) AS gap FROM days),
      ranked AS (SELECT partner, gap, row_number() OVER (PARTITION BY partner ORDER BY gap) AS place,
        count(*) OVER (PARTITION BY partner) AS number FROM gaps WHERE gap IS NOT NULL),
      usual AS (SELECT partner, gap, number FROM ranked WHERE place = max(1, ceil(number * 0.99)))
      SELECT name, ${Math.floor(NOW / DAY_MS)} - max(day) AS silent FROM days JOIN usual USING (partner)
      JOIN partners USING (partner) WHERE number >= 10 GROUP BY partner HAVING silent > gap`)
    .all();

const selectUnread = (database: DatabaseSync) =>
  database
    .prepare('SELECT name, count(*) AS number FROM unread JOIN partners USING (partner) GROUP BY 1')
    .all();

/** Each with the way to its answer, from the overview as it opens. */
/** Ads that bring visits and no commission. */
const AD_CAMPAIGN = 'facebook / paid-social / carousel-test';
const AD_DAYS = Array.from({ length: 25 }, (_, index) => index + 3);
const AD_VISITS = AD_DAYS.map((age) =>
  buildSampleEvent({
    ...{ name: 'page_view', session: `ad-${age}`, page: '/', serverTime: NOW - age * DAY_MS },
    campaign: { utm_source: 'facebook', utm_medium: 'paid-social', utm_campaign: 'carousel-test' },
    data: { referrer: 'https://www.facebook.com/' },
  }),
);
const AD_COSTS = AD_DAYS.map((age) => ({
  ...({ platform: 'meta', name: 'Carousel test', campaign: AD_CAMPAIGN, currency: 'USD' } as const),
  ...{ period: new Date(NOW - age * DAY_MS).toISOString().slice(0, 10), amount: 100 + age },
}));

const QUESTIONS: readonly Question[] = [
  {
    question: 'Which page earned most last month?',
    clicks: ['Period:', 'Last month'],
    within: /<h1.*?<\/h1>/s,
    expected: (database) => {
      const month = between(addMonths(MONTH_START, -1), addDays(MONTH_START, -1));
      const { page } = select(
        database,
        `SELECT page FROM ends WHERE ${month} AND page IS NOT NULL GROUP BY page ORDER BY ${BOOKED} DESC LIMIT 1`,
      );
      return [`page=${encodeURIComponent(String(page))}`];
    },
  },
  {
    question: 'What should I do today?',
    clicks: [],
    least: 4,
    within: /id="tasks".*?<\/section>/s,
    isOrdered: true,
    expected: (database) => {
      const tasks = [
        ...selectOverdue(database).map(({ name, amount, currency }) => ({
          ...{ amount: Number(amount), currency: String(currency), text: `${name} has not paid` },
        })),
        ...selectLosses(database).map(({ campaign, cost }) => ({
          ...{ amount: Number(cost), currency: 'USD', text: `${campaign} has a cost` },
        })),
      ].sort(
        // Without rates, amounts in other currencies cannot be compared, and follow.
        (one, other) =>
          Number(other.currency === 'USD') - Number(one.currency === 'USD') || other.amount - one.amount,
      );
      const { number } = select(database, 'SELECT count(*) AS number FROM inquiries');
      return [
        ...tasks.map(({ amount, currency, text }) => `${formatShortMoney(amount, currency)}${text}`),
        ...selectUnread(database).map(
          (row) => `${row['number']} messages of ${row['name']} could not be read`,
        ),
        `${number} messages of visitors are unread`,
      ];
    },
  },
  {
    question: 'Which campaign loses money?',
    clicks: [`${AD_CAMPAIGN} has a cost`],
    within: /id="costs".*?<\/table>/s,
    expected: (database) => {
      const [loss] = selectLosses(database);
      return [
        `${loss?.['campaign']}`,
        `data-label="Visits">${loss?.['visits']}<`,
        dollars(loss?.['cost']),
        dollars(-Number(loss?.['cost'])),
      ];
    },
  },
  {
    question: 'How much is pending, and when is it paid?',
    clicks: [],
    least: 2,
    expected: (database) => {
      const { amount } = select(
        database,
        `SELECT sum(amount) AS amount FROM ends WHERE ${LAST_28} AND status = 'pending'`,
      );
      const days = database
        .prepare(`SELECT due, name, sum(amount) FILTER (WHERE status = 'approved') AS approved,
            sum(amount) FILTER (WHERE status = 'pending') AS pending
          FROM dues JOIN partners USING (partner)
          WHERE currency = 'USD' AND status IN ('approved', 'pending') AND due BETWEEN '${TODAY}' AND '${addDays(TODAY, 59)}'
          GROUP BY due, partner HAVING pending > 0`)
        .all();
      return [
        `${shortDollars(amount)} pending`,
        ...days.map(
          ({ due, name, approved, pending }) =>
            `${formatDay(String(due), TODAY)}${name}${NO_FIGURE}${approved ? dollars(approved) : NO_FIGURE}${dollars(pending)}`,
        ),
      ];
    },
  },
  {
    question: 'Is anything broken?',
    clicks: [],
    least: 2,
    within: /<ol class="task-list">.*?<\/ol>/s,
    expected: (database) => [
      ...selectSilent(database).map(({ name, silent }) => `${name} has reported nothing for ${silent} days`),
      ...selectUnread(database).map(({ name, number }) => `${number} messages of ${name} could not be read`),
    ],
  },
  {
    question: 'Which article should I update?',
    clicks: [],
    within: /id="tasks".*?<\/section>/s,
    expected: (database) => {
      const [last, middle, first] = [-1, -28, -56].map((days) => addDays(TODAY, days)) as [
        string,
        string,
        string,
      ];
      const { page, now, before } = select(
        database,
        `SELECT page, count(*) FILTER (WHERE ${during(middle, last, 'time')}) AS now,
            count(*) FILTER (WHERE ${during(first, addDays(middle, -1), 'time')}) AS before
          FROM clicks GROUP BY page ORDER BY before - now DESC LIMIT 1`,
      );
      return [
        `page=${encodeURIComponent(String(page))}`,
        `Clicks of “${LOST_ARTICLE?.title}” fell from ${count(before)} to ${count(now)} in 28 days`,
      ];
    },
  },
  {
    question: 'Which partner converts best?',
    clicks: ['Partners'],
    within: /<tbody><tr>.*?<\/tr>/s,
    expected: (database) => {
      const { partner, customers } = select(
        database,
        `SELECT partner, count(*) AS customers FROM payments WHERE place = 1
          AND ${during(addDays(TODAY, -27), TODAY, BY_CLICK)} GROUP BY partner ORDER BY customers DESC LIMIT 1`,
      );
      return [`partner=${partner}`, `data-label="Conversions">${count(customers)}<`];
    },
  },
  {
    question: 'Why is this commission unmatched?',
    clicks: ['Unmatched'],
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
    question: 'Did the reversal change credit?',
    clicks: ['Reversed', ''],
    expected: (database) => {
      const { reversed } = select(
        database,
        `SELECT reversed FROM ends WHERE ${LAST_28} AND reversed > 0 ORDER BY booked DESC, id LIMIT 1`,
      );
      return [dollars(reversed), 'this is what each model had credited before'];
    },
  },
  {
    question: 'How does this month compare, and is it real?',
    clicks: ['Period:', 'This month'],
    within: /<li class="figure"[^>]*>(?:(?!<li).)*?Pending.*?<\/li>/s,
    expected: (database) => {
      // Each month as it stood at the same age, by the customer.
      const selectAt = (
        from: string,
        at: number,
      ) => `SELECT coalesce(f.click, f.partner || f.id) AS customer, f.amount
        FROM facts AS f WHERE f.test = 0 AND f.currency = 'USD' AND f.status = 'pending'
          AND f.booked >= ${Date.parse(from)} AND f.booked < ${Date.parse(addMonths(from, 1))}
          AND f.n = (SELECT n FROM facts WHERE id = f.id AND arrived <= ${at} ORDER BY changed DESC, n DESC LIMIT 1)`;
      const { now, before, squares, customers } = select(
        database,
        `WITH parts AS (
            SELECT customer, amount AS now, 0 AS before FROM (${selectAt(MONTH_START, NOW)})
            UNION ALL SELECT customer, 0, amount FROM (${selectAt(addMonths(MONTH_START, -1), MONTH_AGO)})),
          pairs AS (SELECT sum(now) AS now, sum(before) AS before FROM parts GROUP BY customer)
          SELECT sum(now) AS now, sum(before) AS before, sum((now - before) * (now - before)) AS squares,
            count(*) FILTER (WHERE now <> before) AS customers FROM pairs`,
      );
      const [difference, spread] = [
        Number(now) - Number(before),
        Number(squares) * (1 + 2 / Number(customers)),
      ];
      const isReal = Math.abs(difference) > 1.96 * Math.sqrt(spread);
      return [shortDollars(now), `from ${shortDollars(before)}, ${isReal ? 'beyond' : 'may be'} chance`];
    },
  },
  ...KINDS.map((kind) => ({
    question: `Of what does the ${kind} money consist?`,
    clicks: ['12 mo', `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`],
    expected: (database: DatabaseSync) => [
      dollars((kind === 'reversed' ? -1 : 1) * sumBySql(database, LAST_YEAR)[kind]),
    ],
  })),
];

/** An article that had three clicks a day, and has one every other day since four weeks. */
const [LOST_ARTICLE] = [...buildCorpus(1, 20)].map((article) => ({ ...article, slug: 'lost-readers' }));
const LOST_PATH = buildArticlePath('lost-readers');
const LOST_CLICKS = Array.from({ length: 55 }, (_, index) => index + 1).flatMap((age) =>
  Array.from({ length: age > 28 ? 3 : age % 2 }, (_, place) =>
    buildSampleEvent({
      ...{ name: 'affiliate_redirect', session: `lost-${age}-${place}`, page: LOST_PATH },
      ...{ data: { partner: 'hubspot', source: 'article' }, serverTime: NOW - age * DAY_MS + place },
    }),
  ),
);

/** Adds what the questions need beside commissions, and when the terms of the partners let each of them be paid. */
function addTables(
  database: DatabaseSync,
  {
    events,
    costs,
    unread,
    partners,
  }: {
    readonly events: readonly SiteEvent[];
    readonly costs: ReturnType<typeof generateDemo>['costs'];
    readonly unread: readonly { readonly partner: string }[];
    readonly partners: Content['partners'];
  },
): void {
  database.exec(`
    CREATE TABLE clicks (time INTEGER, page TEXT);
    CREATE TABLE visits (time INTEGER, session TEXT, campaign TEXT);
    CREATE TABLE inquiries (time INTEGER);
    CREATE TABLE costs (day TEXT, campaign TEXT, amount INTEGER);
    CREATE TABLE unread (partner TEXT);
    CREATE TABLE partners (partner TEXT PRIMARY KEY, name TEXT, payday INTEGER, approval INTEGER);
    CREATE VIEW settled AS
      SELECT id, partner, min(arrived, changed) AS time FROM facts AS f WHERE status IN ('approved', 'paid')
        AND n = (SELECT n FROM facts WHERE id = f.id AND status IN ('approved', 'paid') ORDER BY changed, n LIMIT 1);
    CREATE VIEW usual AS
      SELECT partner, ceil(delay / ${DAY_MS}.0) AS days FROM (
        SELECT ends.partner, settled.time - booked AS delay, count(*) OVER own AS number,
          row_number() OVER (own ORDER BY settled.time - booked) - 1 AS place
        FROM ends JOIN settled USING (id) WHERE status IN ('approved', 'paid')
          AND EXISTS (SELECT 1 FROM facts WHERE facts.id = ends.id AND facts.status = 'pending')
        WINDOW own AS (PARTITION BY ends.partner)) WHERE place = number / 2;
    -- The payday of the month after the booking, or the next one after the approval.
    CREATE VIEW dues AS
      SELECT *, max(date(booked, 'start of month', '+1 month', (payday - 1) || ' days'),
        date(approved, 'start of month', CASE WHEN 0 + strftime('%d', approved) > payday THEN '+1 month' ELSE '+0 month' END,
          (payday - 1) || ' days')) AS due
      FROM (SELECT ends.id, ends.partner, status, amount, currency, payday, date(booked / 1000, 'unixepoch') AS booked,
          CASE status WHEN 'pending' THEN max('${TODAY}', date(booked / 1000, 'unixepoch', coalesce(approval, days) || ' days'))
            ELSE date(settled.time / 1000, 'unixepoch') END AS approved
        FROM ends JOIN partners USING (partner) LEFT JOIN settled USING (id) LEFT JOIN usual ON usual.partner = ends.partner
        WHERE payday IS NOT NULL);`);
  database.exec('BEGIN');
  const [addClick, addVisit, addInquiry, addCost, addUnread, addPartner] = [
    'clicks VALUES (?, ?)',
    'visits VALUES (?, ?, ?)',
    'inquiries VALUES (?)',
    'costs VALUES (?, ?, ?)',
    'unread VALUES (?)',
    'partners VALUES (?, ?, ?, ?)',
  ].map((target) => database.prepare(`INSERT INTO ${target}`));
  for (const { name, serverTime, page, session, campaign, data } of events) {
    const { utm_source = '(none)', utm_medium = '(none)', utm_campaign = '(none)' } = campaign;
    if (name === 'affiliate_redirect') addClick?.run(serverTime, page);
    if (name === 'page_view' && 'referrer' in data)
      addVisit?.run(serverTime, session, `${utm_source} / ${utm_medium} / ${utm_campaign}`);
    if (name === 'contact_message') addInquiry?.run(serverTime);
  }
  for (const { period, campaign, amount } of costs) addCost?.run(period, campaign, amount);
  for (const { partner } of unread) addUnread?.run(partner);
  for (const { key, name, terms } of partners.values()) {
    const { payout, approvalDays } = terms.payments;
    const isMonthly = payout?.rhythm === 'month-day' && payout.by === 'booking';
    addPartner?.run(key, name, isMonthly ? payout.day : null, approvalDays);
  }
  database.exec('COMMIT');
}

describe('questions of an operator', () => {
  let site: ConsoleSite;
  let database: DatabaseSync;

  beforeAll(async () => {
    const content = readContent(CONTENT_DIR);
    // A seed with a silent network and money that is overdue.
    const data = generateDemo(content, CONTENT_DIR, { events: 7_000, commissions: 6_000 }, NOW, 14);
    site = await createTestConsole({ now: () => NOW, content });
    Object.assign(site.content.articles, { getSummaries: () => [LOST_ARTICLE] });
    const events = [...data.days].flat().concat(LOST_CLICKS, AD_VISITS);
    await site.visitors.events.append(events);
    while ((await site.money.rollups.advance()) > 0);
    const { facts, journeys, imports, unread } = data.ledger.finish();
    for (const change of imports.values()) await site.money.ledger.writeImport(change);
    await site.money.ledger.append({ facts, journeys: [...journeys.values()] });
    for (const message of unread) await site.money.ledger.addUnread(message);
    const costs = [...data.costs, ...AD_COSTS];
    const entry = { id: 'ads', file: 'ads.csv', timeZone: '', changedAt: NOW, platform: 'meta' } as const;
    await site.money.costs.write({ ...entry, state: 'committed' }, costs, costs);
    database = openTables(facts, [...journeys.values()]);
    addTables(database, { events, costs, unread, partners: content.partners });
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

  it.each(QUESTIONS)(
    '$question',
    async ({ clicks, within = /.*/s, least = 1, isOrdered = false, expected }) => {
      expect(clicks.length).toBeLessThanOrEqual(2);
      let html = await open('/console');
      for (const click of clicks) {
        const address = findAddress(html, click);
        // A menu opens on the page.
        if (address !== null) html = await open(address);
      }
      const facts = expected(database);
      expect(facts.length).toBeGreaterThanOrEqual(least);
      const [part = ''] = within.exec(html) ?? [];
      const shown = `${part} ${part.replace(/<[^>]*>/g, '')}`.replaceAll('&amp;', '&');
      expect(facts.filter((fact) => !shown.includes(fact))).toEqual([]);
      // The text of the page follows its markup.
      const places = facts.map((fact) => shown.lastIndexOf(fact));
      if (isOrdered) expect(places).toEqual(places.toSorted((one, other) => one - other));
    },
  );
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
