// node test/support/events-server.ts: the collector alone behind Node's server, with what fault tests need to see and
// to break.

import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getRequestListener } from '@hono/node-server';
import { createApp } from '../../src/server/app.ts';
import { createCollector } from '../../src/server/events/collector.ts';
import type { EventStore } from '../../src/stores/events.ts';
import { NO_LOG } from './no-log.ts';

import { openEventStore } from './open-event-store.ts';
import { createTestSite } from './test-site.ts';

const { DATA_DIR = '', DIE_AFTER_COMMIT = '0' } = process.env;

const store = openEventStore(DATA_DIR, (message) => process.stderr.write(`${message}\n`));

/** Dies as by a power cut between the commit and the response to the n-th append. */
function dieAfterCommit(count: number): EventStore['append'] {
  let left = count;
  return async (events) => {
    const result = await store.append(events);
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
    return result;
  };
}

const site = await createTestSite({ settings: { EVENT_RATE: '0' } });
const events = Object.assign(Object.create(store), { append: dieAfterCommit(Number(DIE_AFTER_COMMIT)) });
const handle = createCollector({ ...site, visitors: { ...site.visitors, events } });

const EMPTY = { status: 200, headers: {}, body: Buffer.alloc(0) };
const app = createApp(
  {
    routes: [{ method: 'POST', path: '/api/journey', handle }],
    console: async () => null,
    content: { read: () => ({ site: { aliases: {} }, redirects: new Map() }), pageParameters: new Map() },
    security: { api: {} },
    visitors: { renderLimiter: { take: () => 0 }, crawlers: { count: () => undefined } },
    log: {
      ...NO_LOG,
      error: (message, fields) => process.stderr.write(`unexpected: ${message} ${fields?.['error']}\n`),
    },
  },
  { render: async () => EMPTY, submit: async () => EMPTY },
);
const listen = getRequestListener((request) => app.fetch(request, { requestId: '1', clientAddress: '' }));

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

const server = createServer((request, response) => {
  // GET /delay: the longest pause of the event loop in ms since the last question.
  if (request.url === '/delay') {
    response.end(String(delay.max / 1e6));
    delay.reset();
    return;
  }
  void listen(request, response);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.stdout.write(`${address.port}\n`);
});
