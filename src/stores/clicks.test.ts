import { beforeEach, expect, it } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../test/support/memory-executor.ts';
import { buildSampleEvent } from '../../test/support/sample-events.ts';
import { UNCOUNTED_FLAGS } from '../core/events/site-event.ts';
import { Clicks } from './clicks.ts';
import { SqlEventStore } from './events.ts';

const TIME = 1_763_600_000_000;

let executor: MemoryExecutor;
let events: SqlEventStore;
let clicks: Clicks;
beforeEach(() => {
  executor = new MemoryExecutor(openMemoryDatabase());
  events = new SqlEventStore(executor);
  clicks = new Clicks(executor);
});

const buildClick = (serverTime: number, flags: readonly 'bot'[] = []) =>
  buildSampleEvent({ name: 'affiliate_redirect', serverTime, flags });

it('reads the counted clicks of a period, newest first and not more than the limit', async () => {
  const added = [buildClick(TIME), buildClick(TIME + 1), buildClick(TIME + 2), buildClick(TIME + 3)];
  const view = buildSampleEvent({ name: 'page_view', serverTime: TIME + 1 });
  await events.append([...added, view, buildClick(TIME + 1, ['bot'])]);
  const read = async (limit: number) =>
    (await clicks.readClicks({ from: TIME, to: TIME + 3, limit })).map(({ id }) => id);
  expect(await read(10)).toEqual([added[2]?.id, added[1]?.id, added[0]?.id]);
  expect(await read(1)).toEqual([added[2]?.id]);
});

it('finds the clicks of a period by an index', async () => {
  await events.append([buildClick(TIME)]);
  const plan = await executor.query({
    sql: `EXPLAIN QUERY PLAN SELECT * FROM events WHERE name = 'affiliate_redirect' AND server_time >= 1 AND server_time < 2
      ORDER BY server_time DESC LIMIT 5`,
  });
  expect(plan.map((row) => row['detail']).join()).toContain('clicks_by_time');
});

const click = buildSampleEvent({
  name: 'affiliate_redirect',
  session: '',
  page: '/go/kit',
  data: { partner: 'kit', source: 'hero' },
  serverTime: TIME,
});
const repeated = buildSampleEvent({
  name: 'affiliate_redirect',
  session: 's-1',
  page: '/help',
  campaign: { utm_source: 'newsletter' },
  data: { partner: 'kit', source: 'hero', entry_page: 'help', click: click.id },
  serverTime: TIME + 400,
  flags: ['duplicate'],
});

it('adds the visit of the repeated request to a click whose link carried none', async () => {
  await events.append([click, repeated]);
  expect(await clicks.findClicks([click.id])).toEqual([
    {
      ...click,
      session: 's-1',
      page: '/help',
      campaign: { utm_source: 'newsletter' },
      data: { partner: 'kit', source: 'hero', entry_page: 'help' },
    },
  ]);
});

it.each([
  ['repeats another click', { data: { ...repeated.data, click: repeated.id } }],
  ['came an hour later', { serverTime: TIME + 3_600_000 }],
  ['has no session either', { session: '' }],
])('adds nothing of an event that %s', async (_, change) => {
  await events.append([click, { ...repeated, ...change }]);
  expect(await clicks.findClicks([click.id])).toEqual([click]);
});

it('adds nothing to a click whose link carried the visit', async () => {
  const complete = { ...click, session: 's-2' };
  await events.append([complete, repeated]);
  expect(await clicks.findClicks([click.id.slice(0, 20)])).toEqual([complete]);
});

it.each(UNCOUNTED_FLAGS)('finds a click that is flagged as %s by its whole id alone', async (flag) => {
  const flagged = { ...click, flags: [flag] };
  await events.append([flagged]);
  expect(await clicks.findClicks([click.id])).toEqual([flagged]);
  expect(await clicks.findClicks([click.id.slice(0, 30)])).toEqual([]);
});
