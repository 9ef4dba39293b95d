import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../sql/node-sqlite/node-sqlite-executor.ts';
import { SqlClickReader } from './sql-click-reader.ts';
import { SqlEventStore } from './sql-event-store.ts';

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
  const reader = new SqlClickReader(executor);
  const read = async (limit: number) =>
    (await reader.readClicks({ from: TIME, to: TIME + 3, limit })).map(({ id }) => id);
  expect(await read(10)).toEqual([clicks[2]?.id, clicks[1]?.id, clicks[0]?.id]);
  expect(await read(1)).toEqual([clicks[2]?.id]);
});

it('reads what the links of clicks carried, each click once, also many of the same moment', async () => {
  const data = { entry_page: 'home', journey_pages: ['home', 'pricing'], partner: 'kit' };
  const clicks = Array.from({ length: 2_500 }, (_, index) =>
    buildSampleEvent({
      name: 'affiliate_redirect',
      page: '/pricing',
      serverTime: TIME + Math.floor(index / 1_500),
      data: index === 0 ? { journey_pages: 'home' } : data,
    }),
  );
  await events.append([...clicks, click(TIME + 2), click(TIME, ['bot'])]);
  const read = async (limit: number) => {
    const paths = [];
    for await (const part of new SqlClickReader(executor).readClickPaths({ from: TIME, to: TIME + 2, limit }))
      paths.push(...part);
    return paths;
  };
  const paths = await read(10_000);
  expect(paths.map(({ clickId }) => clickId)).toEqual(clicks.map(({ id }) => id).reverse());
  expect(paths[0]).toEqual({
    clickId: clicks.at(-1)?.id,
    page: '/pricing',
    entryPage: 'home',
    pages: ['home', 'pricing'],
    partner: 'kit',
  });
  expect(paths.at(-1)).toMatchObject({ entryPage: '', pages: ['home'], partner: '' });
  expect(await read(2_001)).toEqual(paths.slice(0, 2_001));
});

it('finds the clicks of a period by an index', async () => {
  await events.append([click(TIME)]);
  const plan = await executor.query({
    sql: `EXPLAIN QUERY PLAN SELECT * FROM events WHERE name = 'affiliate_redirect' AND server_time >= 1 AND server_time < 2
      ORDER BY server_time DESC LIMIT 5`,
  });
  expect(plan.map((row) => row['detail']).join()).toContain('clicks_by_time');
});
