import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { consumeEvents } from '../../../src/runtimes/cloudflare/queue-consumer.ts';
import { createCollector } from '../../../src/server/events/collector.ts';
import { DurableEventQueue } from '../../../src/server/events/durable-event-queue.ts';
import type { Site } from '../../../src/server/site.ts';
import { SqlEventStore } from '../../../src/stores/events.ts';
import { createJsonWrites, QueuedEventStore } from '../../../src/stores/queued-events.ts';
import { type D1Connection, D1Executor } from '../../../src/stores/sql/d1-executor.ts';
import { NO_LOG } from '../../../test/support/no-log.ts';
import { createRouteClient } from '../../../test/support/route-client.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';

/** What happens to a call: `lost`: it has its effect, but its response does not arrive. */
type Fault = 'none' | 'refused' | 'lost' | 'slow';

const SLOW_MS = 3_000;
const REQUESTS = 60;
const CLICKS = 20;
const clock = { now: () => Date.now(), monotonic: () => performance.now() };

beforeEach(async () => {
  await reset();
  await applyD1Migrations(env.EVENTS, env.MIGRATIONS.EVENTS);
});

async function withFault<T>(fault: Fault, run: () => Promise<T>): Promise<T> {
  if (fault === 'refused') throw new Error('D1_ERROR: Network connection lost.');
  if (fault === 'slow') await sleep(SLOW_MS);
  const result = await run();
  if (fault === 'lost') throw new Error('D1_ERROR: Network connection lost.');
  return result;
}

/** The collector and the clicks of the worker over a database and a queue whose calls fail by turns. */
function createSite(faults: { readonly database: readonly Fault[]; readonly queue: readonly Fault[] }) {
  const calls = { database: 0, queue: 0 };
  const writes: Promise<unknown>[] = [];
  const write = (name: 'database' | 'queue', run: () => Promise<unknown>) => {
    const written = withFault(next(name), run);
    writes.push(written.catch(() => undefined));
    return written;
  };
  const next = (name: 'database' | 'queue'): Fault =>
    faults[name][calls[name]++ % faults[name].length] ?? 'none';
  const connection: D1Connection = {
    prepare: (sql) => env.EVENTS.prepare(sql),
    batch: (statements) =>
      write('database', () => env.EVENTS.batch(statements as D1PreparedStatement[])) as Promise<D1Result[]>,
  };
  const messages: string[] = [];
  const queue = {
    send: async (events: unknown) =>
      void (await write('queue', async () => messages.push(JSON.stringify(events)))),
  };
  const store = new SqlEventStore(new D1Executor(connection), createJsonWrites);
  const create = (wait: { readonly waitMs: number; readonly giveUpMs?: number }) =>
    new QueuedEventStore({ store, queue, path: 'database', ...wait });
  const background: Promise<unknown>[] = [];
  const site = {
    settings: { SITE_URL: '', siteHosts: [] },
    content: { read: () => ({ beside: { hosts: [] } }) },
    visitors: {
      events: create({ waitMs: 2_000 }),
      postLimiter: { take: () => 0 },
      outside: { note: () => {} },
    },
    clock,
  };
  const handle = createCollector(site as unknown as Site);
  const clicks = new DurableEventQueue({
    name: 'clicks',
    store: create({ waitMs: 25, giveUpMs: 20_000 }),
    newId: () => crypto.randomUUID(),
    log: NO_LOG,
    budgetMs: 35,
    capacity: 0,
    keepAlive: (work) => background.push(work),
  });
  const collector = createRouteClient({ method: 'POST', path: '/api/journey', handle });
  return {
    messages,
    clicks,
    /** Posts two events; resolves with the status and the ids that were acknowledged. */
    async collect() {
      const ids = [crypto.randomUUID(), crypto.randomUUID()];
      const events = ids.map((id) => ({ id, name: 'page_view', session: 's', page: '/', time: Date.now() }));
      const { status } = await collector(JSON.stringify({ events }));
      return { status, acknowledged: status === 202 ? ids : [] };
    },
    /** Stores a click as /go does before it redirects; resolves with the ms that the visitor waits. */
    async click() {
      const start = performance.now();
      await clicks.add(buildSampleEvent({ name: 'affiliate_redirect' }));
      return performance.now() - start;
    },
    /** Resolves when everything that was begun has ended, also what came too late for a response. */
    async settle() {
      await Promise.allSettled(background);
      await Promise.all(writes);
    },
  };
}

/** Delivers messages in another order and some of them twice, each until it is stored. */
async function consume(messages: readonly string[]): Promise<void> {
  const store = new SqlEventStore(new D1Executor(env.EVENTS), createJsonWrites);
  const deliveries = [...messages, ...messages.filter((_, index) => index % 3 === 0)].reverse();
  for (const body of deliveries) {
    const message = { body: JSON.parse(body) as unknown, attempts: 1, ack: () => {}, retry: () => {} };
    const deadLetters = { send: async () => expect.unreachable('an event is among the dead letters') };
    expect(await consumeEvents([message], { store, deadLetters })).toEqual({
      stored: 1,
      dead: 0,
      retried: 0,
    });
  }
}

async function countStored(): Promise<ReadonlyMap<string, number>> {
  const sql = 'SELECT id, count(*) AS count FROM events GROUP BY id';
  const { results } = await env.EVENTS.prepare(sql).all<{ id: string; count: number }>();
  return new Map(results.map(({ id, count }) => [id, count]));
}

const repeat = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: REQUESTS }, run));

const getMedian = (waits: readonly number[]) => [...waits].sort((one, other) => one - other)[CLICKS / 2];

async function clickInTurn(click: () => Promise<number>): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let count = 0; count < CLICKS; count += 1) waits.push(await click());
  return waits;
}

it.each<{ readonly database: readonly Fault[]; readonly queue: readonly Fault[] }>([
  { database: ['none', 'refused', 'lost', 'slow'], queue: ['none'] },
  { database: ['refused', 'lost', 'slow'], queue: ['none', 'refused', 'lost'] },
  { database: ['slow'], queue: ['none', 'refused'] },
])('stores every acknowledged event exactly once, with D1 $database and the queue $queue', async (faults) => {
  const site = createSite(faults);
  const responses = await repeat(() => site.collect());
  expect(new Set(responses.map(({ status }) => status))).not.toContain(500);
  const acknowledged = responses.flatMap((response) => response.acknowledged);
  expect(acknowledged.length).toBeGreaterThan(REQUESTS / 4);
  await site.settle();
  await consume(site.messages);
  const stored = await countStored();
  expect(acknowledged.filter((id) => stored.get(id) !== 1)).toEqual([]);
});

it.each<Fault>(['refused', 'lost', 'slow'])(
  'lets visitors go within the budget while D1 is %s, and stores each click once',
  async (fault) => {
    const site = createSite({ database: [fault], queue: ['none'] });
    const waits = await clickInTurn(site.click);
    // The budget is 35 ms; the rest is a busy machine. Waiting for D1 would take three seconds.
    expect(getMedian(waits)).toBeLessThan(SLOW_MS / 3);
    await site.settle();
    await consume(site.messages);
    const stored = await countStored();
    expect([...stored.values()]).toEqual(Array(CLICKS).fill(1));
    expect([site.clicks.lost, site.messages.length]).toEqual([0, CLICKS]);
  },
);

it('refuses events with 503, and lets visitors go and counts their clicks as lost, while both fail', async () => {
  const site = createSite({ database: ['refused'], queue: ['refused'] });
  const [events, waits] = await Promise.all([repeat(() => site.collect()), clickInTurn(site.click)]);
  expect(events.filter(({ status }) => status !== 503)).toEqual([]);
  expect(getMedian(waits)).toBeLessThan(SLOW_MS / 3);
  await site.settle();
  expect(site.clicks.lost).toBe(CLICKS);
  expect([...(await countStored()).keys()]).toEqual([]);
});
