import { expect, it, vi } from 'vitest';
import { MemoryExecutor, openMemoryDatabase } from '../../../test/support/memory-executor.ts';
import { createMemoryEventStore } from '../../../test/support/memory-stores.ts';
import { NO_LOG } from '../../../test/support/no-log.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { CrawlerRequestCounts } from '../../stores/crawler-requests.ts';
import { createApp } from '../app.ts';
import { CrawlerCounter, CrawlerRanges, createCrawlerJob } from './crawler-counter.ts';

const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const NOW = Date.UTC(2026, 10, 20, 23, 30);
const RANGES = JSON.stringify({
  creationTime: '2026-11-01T00:00:00',
  prefixes: [{ ipv4Prefix: '192.0.2.0/28' }, { ipv6Prefix: '2001:db8:7::/48' }],
});
const FILES = new Map([
  ['gptbot.json', RANGES],
  ['notes.json', 'unread'],
]);

function createCounter(parts: Partial<ConstructorParameters<typeof CrawlerCounter>[0]> = {}) {
  const database = new MemoryExecutor(openMemoryDatabase());
  const store = new CrawlerRequestCounts(database);
  const counter = new CrawlerCounter({
    store,
    ranges: new CrawlerRanges(FILES),
    clock: { now: () => NOW },
    timeZone: 'Europe/Berlin',
    log: NO_LOG,
    ...parts,
  });
  return { database, store, counter };
}

it('counts requests of agents by the day of the time zone, and of browsers nothing', async () => {
  const { store, counter } = createCounter();
  counter.count('/blog/a', GPTBOT, '192.0.2.1');
  counter.count('/blog/a', GPTBOT, '198.51.100.1');
  counter.count('/blog/a', CHROME, '192.0.2.1');
  counter.count('/blog/a', undefined, '192.0.2.1');
  expect(await store.readByPage({})).toEqual([]);
  await counter.write();
  await counter.write();
  const row = { day: '2026-11-21', agent: 'GPTBot', page: '/blog/a', requests: 2, verified: 1 };
  expect(await store.readByPage({})).toEqual([row]);
});

it.each([
  ['192.0.2.15', true],
  ['::ffff:192.0.2.1', true],
  ['192.0.2.16', false],
  ['2001:db8:7::1', true],
  ['2001:db8:8::1', false],
  ['', false],
])('verifies the address %s by the published ranges: %s', (address, isVerified) => {
  const ranges = new CrawlerRanges(FILES);
  expect(ranges.isVerified({ ranges: 'gptbot' }, address)).toBe(isVerified);
  expect(ranges.isVerified({ ranges: 'bingbot' }, address)).toBe(false);
  expect([ranges.has({ ranges: 'gptbot' }), ranges.has({ ranges: 'bingbot' }), ranges.problems]).toEqual([
    true,
    false,
    [],
  ]);
});

it.each(['', 'null', '{"prefixes":[]}', '{"prefixes":[{}]}', '{"prefixes":[{"ipv4Prefix":"192.0.2.0/99"}]}'])(
  'reports a file of ranges that has none: %s',
  (text) => {
    const ranges = new CrawlerRanges(new Map([['gptbot.json', text]]));
    expect([ranges.isVerified({ ranges: 'gptbot' }, '192.0.2.1'), ranges.problems.length]).toEqual([
      false,
      1,
    ]);
  },
);

it('counts what could not be written the next time', async () => {
  const { database, store, counter } = createCounter();
  counter.count('/a', GPTBOT, '192.0.2.1');
  database.failure = new Error('full');
  await expect(counter.write()).rejects.toThrow('full');
  counter.count('/a', GPTBOT, '192.0.2.1');
  database.failure = null;
  await counter.write();
  expect(await store.readByAgent({})).toMatchObject([{ requests: 2, verified: 2 }]);
});

it('counts a limited number of pages between two writes', async () => {
  const { store, counter } = createCounter();
  for (let page = 0; page < 6_000; page++) counter.count(`/${page}`, GPTBOT, '');
  counter.count('/0', GPTBOT, '');
  await counter.write();
  expect(await store.readByAgent({})).toMatchObject([{ requests: 5_001 }]);
});

it('keeps an instance of a worker running until the counts are written', async () => {
  vi.useFakeTimers();
  try {
    const works: Promise<unknown>[] = [];
    const { store, counter } = createCounter({ keepAlive: (work) => void works.push(work) });
    counter.count('/a', GPTBOT, '');
    counter.count('/b', GPTBOT, '');
    await vi.runAllTimersAsync();
    await Promise.all(works);
    expect([works.length, await store.readByAgent({})]).toMatchObject([1, [{ requests: 2 }]]);
    counter.count('/c', GPTBOT, '');
    expect(works).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

it('counts pages that were sent or are unchanged, and no other response of the application', async () => {
  const site = await createTestSite();
  const respond = async (address: string) => {
    const status = address === '/404' ? 404 : address === '/unchanged' ? 304 : 200;
    const type = address === '/feed' ? 'application/xml' : 'text/html; charset=utf-8';
    return { status, headers: { 'content-type': type }, body: Buffer.from(status === 304 ? '' : 'page') };
  };
  const app = createApp(
    { ...site, routes: [], console: async () => null },
    { render: respond, submit: respond },
  );
  const send = async (path: string, method = 'GET') =>
    app.fetch(new Request(`http://hub.test${path}`, { method, headers: { 'user-agent': GPTBOT } }), {
      requestId: 'id',
      clientAddress: '192.0.2.1',
    });
  for (const path of ['/a', '/a?utm_source=x', '/unchanged', '/404', '/feed', '/a/']) await send(path);
  for (const method of ['HEAD', 'POST']) await send('/a', method);
  await createCrawlerJob(site).run();
  const rows = await site.visitors.crawlerRequests.readByPage({});
  expect(rows.map(({ page, requests }) => [page, requests])).toEqual([
    ['/a', 2],
    ['/unchanged', 1],
  ]);
});

it('writes what it has counted before the stores close', async () => {
  const executor = new MemoryExecutor(openMemoryDatabase());
  const openEvents = () => ({ executor, store: createMemoryEventStore() });
  const site = await createTestSite({ platform: { openEvents } });
  site.visitors.crawlers.count('/a', GPTBOT, '');
  await site.close(0);
  expect(await new CrawlerRequestCounts(executor).readByAgent({})).toMatchObject([{ requests: 1 }]);
});
