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
let events: SqlEventStore;
let clicks: Clicks;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'signpost-clicks-'));
  const executor = new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report: () => undefined });
  events = new SqlEventStore(executor);
  clicks = new Clicks(executor);
});
afterEach(async () => {
  await events.close();
  rmSync(dir, { recursive: true });
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
