import { expect, it } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../test/support/memory-executor.ts';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { SqlEventStore } from './events.ts';
import { Rollups } from './rollups.ts';

const TIME = Date.UTC(2026, 4, 11, 12);

it('counts days of an earlier version as unknown where events are gone, and the others by their sources, with the same sums', async () => {
  const db = openMemoryDatabase();
  const executor = new MemoryExecutor(db);
  // What was counted before: two days whose events are gone, all or some of them, and one whose events are stored.
  const insert = db.prepare(
    'INSERT INTO rollups (dimension, day, key, views, sessions, actions, clicks) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  insert.run('page', '2026-05-09', '["/a"]', 9, 4, 1, 2);
  insert.run('page', '2026-05-09', '["/b"]', 3, 1, 0, 0);
  insert.run('page', '2026-05-10', '["/a"]', 2, 2, 0, 2);
  insert.run('page', '2026-05-11', '["/a"]', 1, 1, 0, 1);
  insert.run('campaign', '2026-05-09', '["","","",""]', 9, 4, 1, 2);
  insert.run('campaign', '2026-05-09', '["ChatGPT.com","","",""]', 3, 1, 0, 0);
  insert.run('campaign', '2026-05-09', '["chatgpt.com","cpc","",""]', 1, 1, 0, 0);
  await new SqlEventStore(executor).append([
    buildSampleEvent({ page: '/a', serverTime: Date.UTC(2026, 4, 10, 12), data: { referrer: 'direct' } }),
    buildSampleEvent({ page: '/a', serverTime: TIME, data: { referrer: 'https://www.bing.com/' } }),
    buildSampleEvent({
      page: '/a',
      serverTime: TIME + 1,
      name: 'affiliate_redirect',
      data: { partner: 'kit', visit_channel: 'search', visit_source: 'Bing' },
    }),
  ]);
  db.exec('UPDATE rollup_state SET version = 5, position = 3');
  const rollups = new Rollups(executor, 'UTC');
  const sum = async (dimension: 'page' | 'source' | 'arrival') =>
    (await rollups.readByDay({ dimension })).map(({ key: [day], sessions, clicks }) => [
      day,
      sessions,
      clicks,
    ]);
  const expected = [
    ['2026-05-09', 5, 2],
    ['2026-05-10', 2, 2],
    ['2026-05-11', 1, 1],
  ];
  for (let count = -1; count !== 0; ) count = await rollups.advance();
  for (const dimension of ['page', 'source', 'arrival'] as const)
    expect(await sum(dimension)).toEqual(expected);
  // Counting again adds nothing to these days.
  await rollups.rebuild();
  for (let count = -1; count !== 0; ) count = await rollups.advance();
  for (const dimension of ['page', 'source', 'arrival'] as const)
    expect(await sum(dimension)).toEqual(expected);
  const groups = await rollups.readByKey({ dimension: 'source' });
  expect(groups.map(({ key, sessions, clicks }) => [...key, sessions, clicks])).toEqual([
    ['search', 'Bing', 0, 1],
    ['unknown', '', 8, 4],
  ]);
  const campaigns = await rollups.readByKey({ dimension: 'campaign', to: '2026-05-09' });
  expect(campaigns.map(({ key, views, sessions, clicks }) => [key[0], views, sessions, clicks])).toEqual([
    ['', 12, 5, 2],
    ['chatgpt.com', 1, 1, 0],
  ]);
});
