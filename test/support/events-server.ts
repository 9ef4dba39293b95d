// node test/support/events-server.ts: the collector alone behind Node's server, with what fault tests need to see and to break.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSqliteEventStore } from '../../src/adapters/events/sqlite-event-store.ts';
import type { EventStore } from '../../src/core/journey/event-store.ts';
import { createJourneyHandler } from '../../src/server/api/journey.ts';
import { createNodeCall, sendAnswer } from '../../src/server/http/node-call.ts';
import { createRateLimiter } from '../../src/server/http/rate-limiter.ts';

const { DATA_DIR = '', DIE_AFTER_COMMIT = '0' } = process.env;

const store = createSqliteEventStore({
  dir: DATA_DIR,
  report: (message) => process.stderr.write(`${message}\n`),
});

/** Dies as by a power cut between the commit and the answer of the n-th append. */
function dieAfterCommit(count: number): Pick<EventStore, 'append'> {
  let left = count;
  return {
    async append(events) {
      const result = await store.append(events);
      if (--left === 0) process.kill(process.pid, 'SIGKILL');
      return result;
    },
  };
}

const handle = createJourneyHandler({
  store: dieAfterCommit(Number(DIE_AFTER_COMMIT)),
  clock: { now: Date.now },
  limiter: createRateLimiter({ perSecond: 0, burst: 0, maxAddresses: 1, now: () => 0 }),
  siteOrigin: null,
});

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

const server = createServer((request, response) => {
  // GET /delay: the longest pause of the event loop in ms since the last question.
  if (request.url === '/delay') {
    response.end(String(delay.max / 1e6));
    delay.reset();
    return;
  }
  const call = createNodeCall(request, {
    path: '/api/journey',
    query: '',
    clientAddress: '',
    requestId: '1',
  });
  handle(call).then(
    (answer) => sendAnswer(request, response, answer, {}),
    (error: unknown) => process.stderr.write(`unexpected: ${error}\n`),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.stdout.write(`${address.port}\n`);
});
