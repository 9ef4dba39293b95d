// Every heading that is a link sorts its table by what the column shows, in both directions.
import { expect, it } from 'vitest';
import { readCampaigns } from '../src/console/campaigns/read.ts';
import { readCommissions } from '../src/console/commissions/read.ts';
import { readPages } from '../src/console/pages/read.ts';
import { VIEWS } from '../src/console/views.ts';
import { DAY_MS } from '../src/core/clock.ts';
import type { LedgerEntry } from '../src/core/commissions/ledger/build-ledger.ts';
import { DEFAULT_TERMS } from '../src/core/commissions/ledger/commission-terms.ts';
import {
  buildPartner,
  buildViewRequest,
  createTestConsole,
  renderInFrame,
} from './support/console-ledger.ts';
import { createMemoryRollups, type DayRow } from './support/memory-stores.ts';
import { buildSampleEntry } from './support/sample-commissions.ts';

const DAY = '2025-12-20';
const COUNT = 12;
const PARTNERS = ['highlevel', 'kit', 'hubspot'] as const;
const STATUSES = ['approved', 'paid', 'pending', 'reversed'] as const;
/** Spreads the figures of a row, so that no two columns have the same order. */
const spread = (index: number, factor: number) => ((index * factor) % 13) + 1;

const ROWS: readonly DayRow[] = Array.from({ length: COUNT }, (_, index) => {
  const page = `/page-${index}`;
  const row = { day: DAY, views: 0, sessions: 0, actions: 0, clicks: 400 + 90 * spread(index, 5) };
  return [
    { ...row, dimension: 'placement', key: [page, 'hero', 'highlevel'] } as const,
    { ...row, dimension: 'page', key: [page], views: 2_000 * spread(index, 7) } as const,
    {
      ...row,
      dimension: 'campaign',
      key: [`source-${index}`, '', '', ''],
      sessions: spread(index, 3),
    } as const,
  ];
}).flat();

function buildEntry(index: number, number: number): LedgerEntry {
  const nativeId = `c-${index}-${number}`;
  const clickTime = Date.parse(DAY) + number * 1_000;
  const status = STATUSES[number % STATUSES.length] ?? 'pending';
  const times = { eventTime: clickTime + spread(index, 11) * DAY_MS, changeTime: clickTime + 14 * DAY_MS };
  const fields = { nativeId, amount: 500 + 70 * spread(index + number, 9), ...times };
  const arrival = { partner: PARTNERS[number % PARTNERS.length] ?? 'kit' };
  const touch = (name: string) => ({ campaign: { utm_source: name }, time: clickTime });
  const journey = {
    clickId: nativeId,
    page: `/page-${index}`,
    clickTime,
    touches: [touch(`source-${(index + 1) % COUNT}`), touch(`source-${index}`)],
  };
  return buildSampleEntry(
    [
      { ...fields, changeTime: times.eventTime },
      { ...fields, status },
    ],
    journey,
    arrival,
  );
}

const ENTRIES = Array.from({ length: COUNT }, (_, index) =>
  Array.from({ length: 3 + spread(index, 8) }, (_, number) => buildEntry(index, number)),
).flat();
const payout = { rhythm: 'weekly', weekday: 5 } as const;
const payments = { ...DEFAULT_TERMS.payments, approvalDays: 30, payout };
const partners = new Map(
  PARTNERS.map((key) => [key, buildPartner(key, { terms: { ...DEFAULT_TERMS, payments } })]),
);
const rollups = createMemoryRollups(ROWS);
const site = await createTestConsole({ entries: ENTRIES, rollups, content: { partners } });
/** As many commissions as a page of their list has. */
const few = await createTestConsole({ entries: ENTRIES.slice(0, 25), rollups, content: { partners } });

/** Any row of a model: the figures of a column are under one name or another. */
type Row = Readonly<Record<string, unknown>> & {
  readonly ranked?: { readonly isKnown: boolean; readonly low: number } | null;
};
type SortedView = 'pages' | 'campaigns' | 'commissions';

const READERS = {
  pages: readPages,
  campaigns: readCampaigns,
  commissions: readCommissions,
} as const;

/** What a column shows, where it is not called as the column is. */
const VALUES: Readonly<Record<string, (row: Row) => unknown>> = {
  name: ({ key }) => key,
  visits: ({ views }) => views,
  booked: ({ bookedAt }) => bookedAt,
  clicked: ({ clickedAt }) => clickedAt ?? 0,
  due: ({ due }) => due ?? '9999',
  amount: ({ amount, reversedAmount }) => Number(amount) || -Number(reversedAmount),
};

async function render(
  view: SortedView,
  sort: { readonly column: string; readonly isDescending: boolean } | null,
) {
  const { query, ...request } = buildViewRequest();
  const sorted = { ...query, currency: 'USD', sort };
  const viewed = { ...request, query: sorted };
  const own = view === 'commissions' ? few : site;
  const model = await READERS[view](own, viewed);
  const frame = {
    view,
    query: sorted,
    viewer: request.viewer,
    timeZone: 'UTC',
    parameters: '',
    exportHref: null,
    currencies: ['USD'],
    names: { pages: new Map(), partners: new Map(), sites: new Map(), topics: new Map(), questions: [] },
  };
  const html = renderInFrame(await VIEWS[view].read(own, viewed), frame);
  return { html, rows: (model as unknown as { readonly rows: readonly Row[] }).rows };
}

const listColumns = (html: string) => [
  ...new Set(
    [...html.matchAll(/class="sort-link" href="[^"]*[?;]sort=-?(\w+)/g)].map(([, column = '']) => column),
  ),
];

async function sortByEach(view: 'pages' | 'campaigns' | 'commissions', count: number) {
  const columns = listColumns((await render(view, null)).html);
  expect(columns.length, columns.join()).toBeGreaterThanOrEqual(count);
  for (const column of columns) {
    for (const isDescending of [true, false]) {
      const { html, rows } = await render(view, { column, isDescending });
      expect(html.match(/aria-sort="(\w+)"/)?.[1]).toBe(isDescending ? 'descending' : 'ascending');
      const values = rows.map((row) => (VALUES[column] ?? (() => row[column]))(row) as string | number);
      expect(new Set(values).size, `${column} tells rows apart`).toBeGreaterThan(1);
      const sign = isDescending ? -1 : 1;
      const expected = [...values].sort((one, other) => (one === other ? 0 : one < other ? -sign : sign));
      expect(values, `${view} by ${column}`).toEqual(expected);
    }
  }
}

const SORTS = 'every heading of %s that is a link sorts in both directions';
it.each([['commissions', 7]] as const)(SORTS, sortByEach);
it.each([
  ['pages', 6],
  ['campaigns', 5],
] as const)(SORTS, { tags: ['rest'] }, sortByEach);
