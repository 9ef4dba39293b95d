import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildRanking, type WeeklyClicks } from '../../test/support/build-ranking.ts';
import { buildViewRequest, CONSOLE_NOW, createTestConsole } from '../../test/support/console-ledger.ts';
import { forAll } from '../../test/support/for-all.ts';
import { createMemoryRollups, type DayRow } from '../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../test/support/sample-commissions.ts';
import { DAY_MS } from '../core/clock.ts';
import { buildClickKey } from '../core/commissions/credit/build-click-key.ts';
import type { LedgerEntry } from '../core/commissions/ledger/build-ledger.ts';
import type { Ranked } from '../core/commissions/ranges/rank-by-earnings.ts';
import { readAllCampaigns, readCampaigns } from './campaigns/read.ts';
import { readAllPages, readPages } from './pages/read.ts';
import { parseQuery } from './parse-query.ts';
import { readAllPlacements, readPlacements } from './placements/read.ts';
import { readBreakdown } from './reports/breakdown.ts';
import { addDays, getWeekStart } from './reports/range.ts';

const TO = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const FROM = addDays(TO, -60);

const buildRow = (change: Partial<DayRow>): DayRow => ({
  dimension: 'placement',
  day: TO,
  key: ['/a', 'hero', 'highlevel'],
  views: 0,
  sessions: 0,
  actions: 0,
  clicks: 0,
  ...change,
});

function buildEntry(page: string, daysAgo: number, amount: number, nativeId: string): LedgerEntry {
  const clickTime = CONSOLE_NOW - daysAgo * DAY_MS;
  const report = { nativeId, status: 'approved', amount, eventTime: clickTime + DAY_MS } as const;
  return buildSampleEntry([report], { clickId: nativeId, page, clickTime, placement: 'hero' });
}

const createSite = (rows: readonly DayRow[], entries: readonly LedgerEntry[] = []) =>
  createTestConsole({ entries, rollups: createMemoryRollups(rows) });

const createPeriods = async (rows: readonly DayRow[], entries: readonly LedgerEntry[] = []) =>
  (await createSite(rows, entries)).periods;

const request = (search = '') => {
  const { query, ...rest } = buildViewRequest();
  return {
    ...rest,
    query: { ...query, from: FROM, to: TO, currency: 'USD', sort: { column: 'clicks', isDescending: true } },
    parameters: new URLSearchParams(search),
  };
};

const PAGES = ['/a', '/b', '/c', '/d', '/e', '/f'];

it('ranks clicks as a ranking over single weeks does, for any clicks and commissions', async () => {
  const anyRow = fc
    .record({
      page: fc.constantFrom(...PAGES),
      daysAgo: fc.integer({ min: 0, max: 60 }),
      clicks: fc.integer({ min: 0, max: 300 }),
    })
    .map(({ page, daysAgo, clicks }) =>
      buildRow({ key: [page, 'hero', 'highlevel'], day: addDays(TO, -daysAgo), clicks }),
    );
  const anyEntry = fc.tuple(
    fc.constantFrom(...PAGES),
    fc.integer({ min: 1, max: 59 }),
    fc.integer({ min: 1, max: 9_000 }),
  );
  await forAll(
    1,
    [fc.array(anyRow, { maxLength: 40 }), fc.array(anyEntry, { maxLength: 40 })],
    async (rows, facts) => {
      const entries = facts.map(([page, daysAgo, amount], index) =>
        buildEntry(page, daysAgo, amount, `c-${index}`),
      );
      const periods = await createPeriods(rows, entries);
      const period = await periods.readPeriod(request().query);
      const breakdown = await readBreakdown(periods, period, 'placement');
      const clicks: WeeklyClicks[] = rows
        .filter((row) => row.clicks > 0)
        .map(({ key, day, clicks: count }) => ({
          key: buildClickKey(key, 'placement', '') ?? '',
          week: Date.parse(getWeekStart(day, 'monday')),
          clicks: count,
        }));
      const { rows: expected } = buildRanking({
        by: 'placement',
        currency: 'USD',
        commissions: entries,
        clicks,
        now: CONSOLE_NOW,
        curve: period.curve,
      });
      for (const ranked of expected) {
        const row = breakdown.find(({ key }) => key === ranked.key);
        expect(row?.clicks).toBe(ranked.clicks);
        expect(row?.ranked?.isKnown).toBe(ranked.isKnown);
        expect(row?.ranked?.mean).toBeCloseTo(ranked.mean, 6);
        if (row?.ranked?.isKnown && ranked.isKnown) expect(row.ranked.low).toBeCloseTo(ranked.low, 6);
      }
    },
  );
});

it('the same clicks have one expected figure and one range in every view', async () => {
  // Every page has one place, so that its clicks are those of the place, and of the only campaign that led there.
  const anyPage = fc.record({
    clicks: fc.integer({ min: 0, max: 300 }),
    daysAgo: fc.integer({ min: 0, max: 60 }),
    amounts: fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 12 }),
  });
  await forAll(1, [fc.array(anyPage, { minLength: 1, maxLength: 6 })], async (pages) => {
    const rows = pages.flatMap(({ clicks, daysAgo }, index) => {
      const counts = { day: addDays(TO, -daysAgo), clicks };
      return [
        buildRow({ ...counts, key: [`/p-${index}`, 'hero', 'highlevel'] }),
        buildRow({ ...counts, dimension: 'page', key: [`/p-${index}`] }),
        buildRow({ ...counts, dimension: 'campaign', key: [`s-${index}`, '', '', ''] }),
      ];
    });
    const entries = pages.flatMap(({ amounts, daysAgo }, index) =>
      amounts.map((amount, place) => {
        const { journey, ...entry } = buildEntry(`/p-${index}`, daysAgo, amount, `c-${index}-${place}`);
        const touches = [{ campaign: { utm_source: `s-${index}` }, time: 1 }];
        return { ...entry, journey: journey && { ...journey, touches } };
      }),
    );
    const periods = await createPeriods(rows, entries);
    const { query } = request();
    const read = async (by: 'page' | 'placement' | 'campaign', filters: typeof query.filters = []) => {
      const found = await readBreakdown(periods, await periods.readPeriod({ ...query, filters }), by);
      return new Map(
        found.map(({ key, ranked }) => [
          key.replace(/^s-| .*/g, (part) => (part === 's-' ? '/p-' : '')),
          ranked,
        ]),
      );
    };
    const [byPage, byPlacement, byCampaign] = await Promise.all(
      (['page', 'placement', 'campaign'] as const).map((by) => read(by)),
    );
    for (const [index] of pages.entries()) {
      const page = `/p-${index}`;
      const only = await read('placement', [{ dimension: 'page', value: page, isNot: false }]);
      for (const other of [byPlacement, byCampaign, only])
        expectAlike(other?.get(page) ?? null, byPage?.get(page) ?? null);
    }
  });
});

/** Sums of the same numbers differ by their order in the last digits. */
function expectAlike(one: Ranked | null, other: Ranked | null) {
  const list = (ranked: Ranked | null) =>
    ranked === null ? [] : ranked.isKnown ? [ranked.low, ranked.mean, ranked.high] : [ranked.mean];
  const [figures, others] = [list(one), list(other)];
  expect([one?.isKnown, one?.clicksNeeded, figures.length]).toEqual([
    other?.isKnown,
    other?.clicksNeeded,
    others.length,
  ]);
  for (const [index, figure] of figures.entries()) expect(figure).toBeCloseTo(others[index] ?? Number.NaN, 6);
}

it('shows long tables in pages of 50 rows, with the number of all rows, and exports all of them', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => {
    const counts = { clicks: 1_000 - index, views: 5_000, sessions: 3 };
    return [
      buildRow({ ...counts, views: 0, key: [`/page-${index}`, 'hero', 'kit'] }),
      buildRow({ ...counts, dimension: 'page', key: [`/page-${index}`] }),
      buildRow({ ...counts, dimension: 'campaign', key: [`source-${index}`, '', '', ''] }),
    ];
  }).flat();
  const site = await createSite(rows);
  for (const [read, readAll] of [
    [readPlacements, readAllPlacements],
    [readCampaigns, readAllCampaigns],
  ] as const) {
    const sizes: number[] = [];
    const keys = new Set<string>();
    for (const search of ['', 'p=2', 'p=3', 'p=99']) {
      const { rows: shown, total, pages: count } = await read(site, request(search));
      expect([total, count]).toEqual([120, 3]);
      sizes.push(shown.length);
      for (const { key } of shown) keys.add(key);
    }
    expect(sizes).toEqual([50, 50, 20, 20]);
    expect(keys.size).toBe(120);
    expect((await readAll(site, request())).rows).toHaveLength(120);
  }
  const second = await readPages(site, request('p=2'));
  expect([second.rows.length + second.unknownRows.length, second.unknownTotal, second.page]).toEqual([
    50, 120, 2,
  ]);
  expect((await readAllPages(site, request())).rows).toHaveLength(120);
});

it('reads the clicks of a page by day only for the rows that are shown', async () => {
  const row = (page: string, day: string, clicks: number) =>
    buildRow({ dimension: 'page', key: [page], day, clicks });
  const site = await createSite([
    row('/a', addDays(TO, -2), 4),
    row('/a', TO, 1),
    row('/b', addDays(TO, -1), 2),
  ]);
  const query = { ...request().query, from: addDays(TO, -2) };
  const { unknownRows } = await readPages(site, { ...request(), query });
  expect(unknownRows.map(({ key, series }) => [key, series])).toEqual([
    ['/a', [4, 0, 1]],
    ['/b', [0, 2, 0]],
  ]);
});

it('shows no campaign as without visits and clicks where they cannot be counted', async () => {
  const { journey, ...entry } = buildEntry('/a', 3, 500, 'c-1');
  const touch = (utm_source: string, time: number) => ({ campaign: { utm_source }, time });
  const touches = [touch('google', 1), touch('newsletter', 2)];
  const site = await createSite([], [{ ...entry, journey: journey && { ...journey, touches } }]);
  const filters = [{ dimension: 'page', value: '/a', isNot: false }] as const;
  const { rows } = await readCampaigns(site, { ...request(), query: { ...request().query, filters } });
  expect(rows.map(({ key, sessions, views, clicks }) => [key, sessions, views, clicks]).sort()).toEqual([
    ['google / (none) / (none)', null, null, null],
    ['newsletter / (none) / (none)', null, null, null],
  ]);
});

it.each(['click', 'booking'])('all time has every commission by %s day', async (clock) => {
  const times = fc.tuple(
    fc.integer({ min: -400, max: 30 }),
    fc.integer({ min: -400, max: 30 }),
    fc.boolean(),
  );
  await forAll(1, [fc.array(times, { maxLength: 6 })], async (list) => {
    const entries = list.map(([clicked, booked, isMatched], index) => {
      const entry = buildEntry('/a', -clicked, 1, `c-${index}`);
      const facts = entry.facts.map((fact) => ({ ...fact, eventTime: CONSOLE_NOW + booked * DAY_MS }));
      return { ...entry, facts, journey: isMatched ? entry.journey : null };
    });
    const site = await createTestConsole({ entries });
    const { query } = await parseQuery(site, new URLSearchParams({ range: 'all', clock }));
    expect(await site.periods.readEntries(query)).toHaveLength(entries.length);
  });
});

it('earnings per click are by click day under both clocks, and a range has its figure in it', async () => {
  const clicks = [40, 60, 25].map((count, index) =>
    buildRow({
      dimension: 'page',
      key: [PAGES[index] ?? ''],
      day: addDays(TO, -30),
      views: 500,
      clicks: count,
    }),
  );
  const entries = Array.from({ length: 24 }, (_, index) =>
    // Half of the clicks were before the period, and their money was booked in it.
    buildEntry(PAGES[index % 3] ?? '', index % 2 === 0 ? 30 : 61, 1_000 + index, `c-${index}`),
  );
  const site = await createSite(clicks, entries);
  const { query } = request();
  const read = async (clock: 'click' | 'booking') =>
    (await readAllPages(site, { query: { ...query, clock } })).rows.map(({ key, epc, ranked, approved }) => ({
      key,
      epc,
      ranked,
      approved,
    }));
  const [byClick, byBooking] = [await read('click'), await read('booking')];
  const omitMoney = (rows: typeof byClick) => rows.map(({ approved, ...row }) => row);
  expect(omitMoney(byBooking)).toEqual(omitMoney(byClick));
  expect(byBooking.map(({ approved }) => approved)).not.toEqual(byClick.map(({ approved }) => approved));
  for (const { ranked } of byClick) {
    if (ranked?.isKnown !== true) throw new Error('every page has enough conversions');
    expect(ranked.low < ranked.mean && ranked.mean < ranked.high).toBe(true);
  }
});
