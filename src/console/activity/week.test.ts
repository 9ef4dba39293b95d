import { expect, it } from 'vitest';
import {
  buildViewRequest,
  CONSOLE_NOW,
  createConsoleLedger,
  createTestConsole,
  postChange,
} from '../../../test/support/console-ledger.ts';
import { createMemoryRollups, type DayRow } from '../../../test/support/memory-stores.ts';
import { addDays } from '../../core/commissions/local-time.ts';
import { isUsual, readWeek } from './week.ts';

const TODAY = new Date(CONSOLE_NOW).toISOString().slice(0, 10);

it('counts seven full days to yesterday against as many before, and leads to other weeks', async () => {
  const build = (ago: number, clicks: number): DayRow => {
    const counts = { views: 10 * clicks, sessions: 0, actions: 0, clicks };
    return { day: addDays(TODAY, -ago), dimension: 'page', key: ['/page'], ...counts };
  };
  // Today has not ended, and the eighth day is of the week before.
  const rows = [build(0, 1_000), build(1, 30), build(7, 20), build(8, 40), build(14, 1), build(15, 500)];
  const site = await createTestConsole({ rollups: createMemoryRollups(rows) });
  const read = async (search = '') =>
    (await readWeek(site, buildViewRequest({ search }))) ?? expect.fail('there is no week');
  const week = await read();
  expect([week.from, week.to]).toEqual([addDays(TODAY, -7), addDays(TODAY, -1)]);
  expect([week.now, week.former]).toEqual([
    { views: 500, clicks: 50 },
    { views: 410, clicks: 41 },
  ]);
  expect([week.isClicksUsual, week.later]).toEqual([true, null]);
  const before = await read(`to=${week.earlier}`);
  expect([before.now.clicks, before.isClicksUsual, before.later]).toEqual([41, false, addDays(TODAY, -1)]);
  // A week that has not ended, or no day, is the last full one.
  for (const to of [TODAY, '2026-13-40', 'x']) expect((await read(`to=${to}`)).to).toBe(week.to);
});

it.each([
  [334, 305, true],
  [0, 0, true],
  [100, 200, false],
])('finds %i clicks beside %i as usual: %s', (one, other, usual) => expect(isUsual(one, other)).toBe(usual));

it('has the money of the same days for those who may see amounts', async () => {
  const site = await createConsoleLedger();
  const [first] = await site.periods.readEntries({ ...buildViewRequest().query, filters: [] });
  const day = new Date(first?.commission.eventTime ?? expect.fail('no commission'))
    .toISOString()
    .slice(0, 10);
  await postChange(site, 'campaigns', {
    action: 'add-expense',
    name: 'Hosting',
    amount: '3.25',
    currency: 'USD',
    period: day,
  });
  const read = async (search: string, viewer = buildViewRequest().viewer) =>
    (await readWeek(site, buildViewRequest({ search, viewer })))?.money;
  const money = await read(`to=${day}`);
  expect(money?.reported).toBeGreaterThan(0);
  expect(money?.spent).toEqual([{ currency: 'USD', amount: 325 }]);
  const other = await read(`to=${addDays(day, -40)}`);
  expect(other).toMatchObject({ reported: 0, spent: [{ amount: 0 }] });
  expect(await read(`to=${day}`, { kind: 'operator', id: 'o-2', name: 'Bob', capabilities: [] })).toBeNull();
});
