import { expect, it } from 'vitest';
import { buildViewRequest, CONSOLE_NOW, createTestConsole } from '../../../test/support/console-ledger.ts';
import { createMemoryRollups, type DayRow } from '../../../test/support/memory-stores.ts';
import { buildSampleEntry } from '../../../test/support/sample-commissions.ts';
import { DAY_MS } from '../../core/clock.ts';
import type { LedgerEntry } from '../../core/commissions/ledger/build-ledger.ts';
import type { VisitSource } from '../../core/events/visit-source.ts';
import type { ConsoleFilter } from '../reports/query.ts';
import { readSources } from './read.ts';

const TO = new Date(CONSOLE_NOW).toISOString().slice(0, 10);
const GOOGLE: VisitSource = { channel: 'search', name: 'Google' };
const CHATGPT: VisitSource = { channel: 'AI assistant', name: 'ChatGPT' };
const CLAUDE: VisitSource = { channel: 'AI assistant', name: 'Claude' };
const DIRECT: VisitSource = { channel: 'direct', name: '' };

const count = ({ channel, name }: VisitSource, sessions: number, clicks: number): DayRow => ({
  dimension: 'source',
  day: TO,
  key: [channel, name],
  views: sessions,
  sessions,
  actions: 0,
  clicks,
});
const arrive = ({ channel, name }: VisitSource, page: string, sessions: number, clicks: number): DayRow => ({
  ...count({ channel, name }, sessions, clicks),
  dimension: 'arrival',
  key: [channel, name, page, clicks > 0 ? 'highlevel' : ''],
});

function earn(first: VisitSource, last: VisitSource, amount: number): LedgerEntry {
  const clickTime = CONSOLE_NOW - DAY_MS;
  const report = { nativeId: `${amount}`, status: 'approved', amount, eventTime: clickTime } as const;
  return buildSampleEntry([report], { clickId: `${amount}`, clickTime, sources: { first, last } });
}

const ROWS = [
  count(GOOGLE, 60, 6),
  count(CHATGPT, 10, 3),
  count(CLAUDE, 5, 1),
  count(DIRECT, 25, 2),
  arrive(CHATGPT, '/pricing', 7, 0),
  arrive(CHATGPT, '/blog', 3, 0),
  arrive(CHATGPT, '/pricing', 0, 3),
];
const ENTRIES = [earn(GOOGLE, CHATGPT, 4_000), earn(CLAUDE, CLAUDE, 300), earn(DIRECT, GOOGLE, 1_000)];

async function read(change: object = {}, rows: readonly DayRow[] = ROWS) {
  const site = await createTestConsole({ entries: ENTRIES, rollups: createMemoryRollups(rows) });
  const { query, ...rest } = buildViewRequest();
  const own = { from: TO, to: TO, clock: 'booking', currency: 'USD', sort: null } as const;
  const from = new Date(CONSOLE_NOW - 3 * DAY_MS).toISOString().slice(0, 10);
  return readSources(site, { ...rest, query: { ...query, ...own, from, ...change } });
}

it('sums the sources of each channel, and says for assistants that it is a lower bound', async () => {
  const { channels, unnamed, isEpcKnown } = await read();
  const shown = channels.map(
    ({ channel, isLowerBound, visits, clicks, clickRate, approved, epc, sources }) => [
      channel,
      isLowerBound,
      visits,
      clicks,
      clickRate,
      approved,
      epc,
      sources.map(({ source }) => source.name).join(),
    ],
  );
  expect(shown).toEqual([
    ['search', false, 60, 6, 0.1, 1_000, 1_000 / 6, 'Google'],
    ['AI assistant', true, 15, 4, 4 / 15, 4_300, 1_075, 'ChatGPT,Claude'],
    ['direct', false, 25, 2, 0.08, 0, 0, ''],
  ]);
  expect(unnamed).toEqual({ visits: 25, clicks: 2, visitShare: 0.25, unknownClickShare: 0 });
  expect(isEpcKnown).toBe(true);
});

it('credits by the model of the query, and computes no earnings per click while many clicks are unknown', async () => {
  const { rows } = await read({ model: 'first' });
  expect(rows.map(({ key, approved }) => [key, approved])).toEqual([
    ['search / Google', 4_000],
    ['direct', 1_000],
    ['AI assistant / Claude', 300],
    ['AI assistant / ChatGPT', 0],
  ]);
  const early = await read({}, [...ROWS, count({ channel: 'unknown', name: '' }, 9, 2)]);
  expect(early.isEpcKnown).toBe(false);
  expect(early.rows.filter(({ epc }) => epc !== null)).toEqual([]);
  expect(early.channels.filter(({ epc }) => epc !== null)).toEqual([]);
});

it('shows where the visits of one source began and clicked, and its money, only when it is the only filter', async () => {
  const filter: ConsoleFilter = { dimension: 'source', value: 'AI assistant / ChatGPT', isNot: false };
  const { detail, rows } = await read({ filters: [filter] });
  expect(rows.map(({ key }) => key)).toEqual(['AI assistant / ChatGPT']);
  expect(detail?.source).toEqual(CHATGPT);
  expect(detail?.entryPages.map(({ page, count: visits }) => [page, visits])).toEqual([
    ['/pricing', 7],
    ['/blog', 3],
  ]);
  expect(detail?.clicked.map(({ page, partner, count: clicks }) => [page, partner, clicks])).toEqual([
    ['/pricing', 'highlevel', 3],
  ]);
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const trend = detail?.trend ?? [];
  expect([sum(trend.map(({ visits }) => visits)), sum(trend.map(({ clicks }) => clicks))]).toEqual([10, 3]);
  expect(sum(trend.map(({ approved }) => approved))).toBe(4_000);
  expect((await read({ filters: [{ ...filter, isNot: true }] })).detail).toBeNull();
});
