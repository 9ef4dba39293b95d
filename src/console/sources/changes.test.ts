import { expect, it } from 'vitest';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { RollupFilter } from '../../stores/rollups.ts';
import type { ConsoleQuery } from '../reports/query.ts';
import { parseConsoleQuery } from '../reports/query.ts';
import { addDays } from '../reports/range.ts';
import { readSourceChanges } from './changes.ts';

const TODAY = '2026-11-20';
const context = { today: TODAY, allTime: null, weekStart: 'monday' } as const;
const { query } = parseConsoleQuery(new URLSearchParams('range=28d'), context);

type Visits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Reads the changes of a site whose visits by day and source are these. */
async function readChanges(visits: Visits, changed: Partial<ConsoleQuery> = {}) {
  const site = await createTestSite({
    clock: { now: () => Date.parse(`${TODAY}T12:00:00Z`), monotonic: () => 0 },
  });
  const select = ({ from = '', to = '9999' }: RollupFilter) =>
    Object.entries(visits).filter(([day]) => day >= from && day <= to);
  const counts = (sessions: number) => ({ views: sessions, sessions, actions: 0, clicks: 0 });
  const rollups = {
    readByDay: async (filter: RollupFilter) =>
      select(filter).map(([day, own]) => ({
        key: [day],
        ...counts(Object.values(own).reduce((sum, count) => sum + count, 0)),
      })),
    readByKey: async (filter: RollupFilter) =>
      select(filter).flatMap(([, own]) =>
        Object.entries(own).map(([name, count]) => ({ key: name.split(' / '), ...counts(count) })),
      ),
  };
  const changes = await readSourceChanges(
    { ...site, money: { ...site.money, rollups: Object.assign(Object.create(site.money.rollups), rollups) } },
    { ...query, ...changed },
  );
  return changes.map(({ source, kind, visits: now, before }) => [source, kind, now, before]);
}

const LAST = addDays(TODAY, -5);
const BEFORE = addDays(TODAY, -33);
const EARLY = addDays(TODAY, -60);
const SAME = { direct: 100 };

it('finds a source that is new, one that has changed, and nothing in equal days', async () =>
  expect(
    await readChanges({
      [EARLY]: SAME,
      [BEFORE]: { ...SAME, 'search / Google': 100, 'social / Reddit': 50 },
      [LAST]: { ...SAME, 'search / Google': 300, 'social / Reddit': 50, 'AI assistant / ChatGPT': 30 },
    }),
  ).toEqual([
    ['search / Google', 'more', 300, 100],
    ['AI assistant / ChatGPT', 'new', 30, 0],
  ]));

it.each<[string, Visits, Partial<ConsoleQuery>]>([
  [
    'the day that has not ended',
    { [EARLY]: SAME, [BEFORE]: SAME, [LAST]: SAME, [TODAY]: { direct: 900 } },
    {},
  ],
  ['a time before the first counts', { [LAST]: { direct: 900 } }, {}],
  ['counts that begin within the compared period', { [BEFORE]: SAME, [LAST]: { direct: 900 } }, {}],
  [
    'many visits whose source is not known',
    { [EARLY]: SAME, [BEFORE]: { unknown: 90 }, [LAST]: { direct: 900 } },
    {},
  ],
  ['no comparison', { [EARLY]: SAME, [BEFORE]: SAME, [LAST]: { direct: 900 } }, { compare: 'none' }],
  [
    'filters',
    { [EARLY]: SAME, [BEFORE]: SAME, [LAST]: { direct: 900 } },
    { filters: [{ dimension: 'page', value: '/a', isNot: false }] },
  ],
  ['today alone', { [EARLY]: SAME, [TODAY]: { direct: 900 } }, { range: 'today', from: TODAY, to: TODAY }],
])('says nothing about %s', async (_, visits, changed) => {
  expect(await readChanges(visits, changed)).toEqual([]);
});
