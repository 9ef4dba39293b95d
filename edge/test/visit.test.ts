import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { consumeEvents } from '../../src/runtimes/cloudflare/queue-consumer.ts';
import { createCollector } from '../../src/server/events/collector.ts';
import { createVisitRoutes } from '../../src/server/events/visit.ts';
import type { Site } from '../../src/server/site.ts';
import { createR2EventArchive, EventArchiver } from '../../src/stores/archive.ts';
import { Clicks } from '../../src/stores/clicks.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import { Ledger } from '../../src/stores/ledger.ts';
import { createDeliveredWrites, createJsonWrites, QueuedEventStore } from '../../src/stores/queued-events.ts';
import { D1Executor } from '../../src/stores/sql/d1-executor.ts';
import { createRouteClient } from '../../test/support/route-client.ts';

beforeEach(async () => {
  await reset();
  await applyD1Migrations(env.EVENTS, env.MIGRATIONS.EVENTS);
  await applyD1Migrations(env.COMMISSIONS, env.MIGRATIONS.COMMISSIONS);
});

/** The collector and the routes of visits, with a queue whose messages the test delivers. */
function createSite() {
  const executor = new D1Executor(env.EVENTS);
  const store = new SqlEventStore(executor, createJsonWrites);
  const messages: unknown[] = [];
  const queue = { send: async (events: unknown) => void messages.push(events) };
  const clock = { time: Date.now(), now: () => clock.time, monotonic: () => 0 };
  const site = {
    settings: { SITE_URL: '', siteHosts: [] },
    content: { read: () => ({ beside: { hosts: [] } }) },
    platform: { clock },
    visitors: {
      events: new QueuedEventStore({ store, queue, path: 'queue', waitMs: 2_000 }),
      archive: new EventArchiver(executor, createR2EventArchive(env.ARCHIVE)),
      postLimiter: { take: () => 0 },
      outside: { note: () => {} },
    },
    money: { clicks: new Clicks(executor), ledger: new Ledger(new D1Executor(env.COMMISSIONS)) },
    clock,
  } as unknown as Site;
  const collector = createRouteClient({
    method: 'POST',
    path: '/api/journey',
    handle: createCollector(site),
  });
  const [show, remove] = createVisitRoutes(site).map((route) => createRouteClient(route));
  if (show === undefined || remove === undefined) throw new Error('there are no routes');
  const ask = async (client: typeof show, session: string) =>
    ((await (await client(JSON.stringify({ session }))).json()) as { events: unknown[] }).events.length;
  return {
    clock,
    show: (session: string) => ask(show, session),
    remove: (session: string) => ask(remove, session),
    async view(session: string) {
      const event = { id: crypto.randomUUID(), name: 'page_view', session, page: '/', time: clock.time };
      expect((await collector(JSON.stringify({ events: [event] }))).status).toBe(202);
    },
    /** Delivers every message, also those that were delivered before. */
    async deliver() {
      const deadLetters = { send: async () => expect.unreachable('an event is among the dead letters') };
      const deliveries = messages.map((body) => ({ body, attempts: 1, ack: () => {}, retry: () => {} }));
      await consumeEvents(deliveries, {
        store: new SqlEventStore(executor, createDeliveredWrites),
        deadLetters,
      });
    },
  };
}

it('a deleted visit stays deleted, whatever the queue delivers of it, and goes on with what comes later', async () => {
  const { clock, show, remove, view, deliver } = createSite();
  for (const session of ['s1', 's1', 's2']) await view(session);
  expect(await show('s1')).toBe(0);
  await remove('s1');
  await deliver();
  expect([await show('s1'), await show('s2')]).toEqual([0, 1]);

  clock.time += 3_000;
  await view('s1');
  await deliver();
  expect(await show('s1')).toBe(1);
  await remove('s1');
  expect(await show('s1')).toBe(0);
});

it('forgets which visits were deleted when no queue can hold anything of them, and notes none without a number', async () => {
  const { remove } = createSite();
  await remove('old');
  await env.EVENTS.exec('UPDATE removed_visits SET removed_at = removed_at - 16 * 86400000');
  await remove('s1');
  await new SqlEventStore(new D1Executor(env.EVENTS), createJsonWrites).remove({ session: '' });
  const { results } = await env.EVENTS.prepare('SELECT session FROM removed_visits').all();
  expect(results).toEqual([{ session: 's1' }]);
});
