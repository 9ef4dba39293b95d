import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { Clicks } from './clicks.ts';
import { SqlEventStore } from './events.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from './sql/node-sqlite/node-sqlite-executor.ts';

const TIME = 1_763_600_000_000;

let dir: string;
let executor: NodeSqliteExecutor;
let events: SqlEventStore;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'signpost-clicks-'));
  executor = new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report: () => undefined });
  events = new SqlEventStore(executor);
});
afterEach(async () => {
  await events.close();
  rmSync(dir, { recursive: true });
});

const click = (serverTime: number, flags: readonly 'bot'[] = []) =>
  buildSampleEvent({ name: 'affiliate_redirect', serverTime, flags });

it('reads the counted clicks of a period, newest first and not more than the limit', async () => {
  const clicks = [click(TIME), click(TIME + 1), click(TIME + 2), click(TIME + 3)];
  const view = buildSampleEvent({ name: 'page_view', serverTime: TIME + 1 });
  await events.append([...clicks, view, click(TIME + 1, ['bot'])]);
  const reader = new Clicks(executor);
  const read = async (limit: number) =>
    (await reader.readClicks({ from: TIME, to: TIME + 3, limit })).map(({ id }) => id);
  expect(await read(10)).toEqual([clicks[2]?.id, clicks[1]?.id, clicks[0]?.id]);
  expect(await read(1)).toEqual([clicks[2]?.id]);
});

it('counts clicks by what their links carried, without those that are left out', async () => {
  const data = { entry_page: 'home', journey_pages: ['home', 'pricing'], partner: 'kit' };
  const clicks = Array.from({ length: 2_500 }, (_, index) =>
    buildSampleEvent({
      name: 'affiliate_redirect',
      page: `/pages/${index % 1_250}`,
      serverTime: TIME + 10 + Math.floor(index / 1_500),
      data,
    }),
  );
  const single = buildSampleEvent({
    ...{ name: 'affiliate_redirect', page: '/pricing', serverTime: TIME },
    data: { journey_pages: 'home' },
  });
  await events.append([single, ...clicks, click(TIME + 20), click(TIME, ['bot'])]);
  const read = (limit: number, except: readonly string[] = []) =>
    new Clicks(executor).readClickPaths({ from: TIME, to: TIME + 20, limit, except });
  const { paths, isCut } = await read(10_000);
  expect(isCut).toBe(false);
  const path = { entryPage: 'home', pages: ['home', 'pricing'], partner: 'kit', clicks: 2 };
  const expected = Array.from({ length: 1_250 }, (_, index) => ({ ...path, page: `/pages/${index}` }));
  const other = { page: '/pricing', entryPage: '', pages: ['home'], partner: '', clicks: 1 };
  const sort = (list: typeof paths) => [...list].sort((one, next) => (one.page < next.page ? -1 : 1));
  expect(sort(paths)).toEqual(sort([...expected, other]));

  const newest = await read(
    2_500,
    clicks.slice(2).map(({ id }) => id),
  );
  expect(newest).toEqual({
    paths: expect.arrayContaining([0, 1].map((index) => ({ ...expected[index], clicks: 1 }))),
    isCut: true,
  });
  expect(newest.paths).toHaveLength(2);
});

it('finds the clicks of a period by an index', async () => {
  await events.append([click(TIME)]);
  const plan = await executor.query({
    sql: `EXPLAIN QUERY PLAN SELECT * FROM events WHERE name = 'affiliate_redirect' AND server_time >= 1 AND server_time < 2
      ORDER BY server_time DESC LIMIT 5`,
  });
  expect(plan.map((row) => row['detail']).join()).toContain('clicks_by_time');
});
