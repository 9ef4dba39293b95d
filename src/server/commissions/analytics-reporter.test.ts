import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/create-folder.ts';
import { createMemoryClicks } from '../../../test/support/memory-stores.ts';
import { NO_LOG } from '../../../test/support/no-log.ts';
import { type LedgerDatabase, openLedgerDatabase } from '../../../test/support/node-databases.ts';
import {
  buildSampleFact,
  buildSampleJourney,
  SAMPLE_CLICK,
} from '../../../test/support/sample-commissions.ts';
import { buildSampleEvent } from '../../../test/support/sample-events.ts';
import { createTestLedger } from '../../../test/support/test-ledger.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import type { SiteEvent } from '../../core/events/site-event.ts';
import { createGoogleAnalyticsSender } from '../../sources/http/google-analytics.ts';
import { AnalyticsReporter, createAnalyticsJob } from './analytics-reporter.ts';

const CLIENT = '1234567890.1763000000';
const SESSION = 1_763_500_000;
const OTHER_CLICK = SAMPLE_CLICK.replace('0', '1');

let dir: string;
let database: LedgerDatabase;
let server: Server;
let endpoint: string;
let received: { readonly url: string; readonly body: unknown }[];
let respond: 'accept' | 'fail' | 'hang';
let now: number;

beforeEach(async () => {
  dir = createFolder();
  database = openLedgerDatabase(dir, () => undefined);
  received = [];
  respond = 'accept';
  now = SESSION * 1_000 + 3_600_000;
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
    if (respond !== 'hang') response.writeHead(respond === 'accept' ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await database.ledger.close();
});

/** An address at which nothing listens. */
async function findClosedEndpoint(): Promise<string> {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const buildClick = (id: string, data: SiteEvent['data']) =>
  buildSampleEvent({ id, name: 'affiliate_redirect', data: { partner: 'highlevel', ...data } });

const CONSENTED = buildClick(SAMPLE_CLICK, { analytics_client: CLIENT, analytics_session: String(SESSION) });

function createReporter(events: readonly SiteEvent[] = [CONSENTED], target = endpoint) {
  const clicks = createMemoryClicks(events);
  const { ledger: store, analytics } = database;
  const ledger = createTestLedger({ store, clicks, now: () => now, log: NO_LOG });
  const settings = {
    endpoint: target,
    measurementId: 'G-ABC123',
    secret: 's3cret',
    timeoutMs: respond === 'hang' ? 100 : 30_000,
  };
  return new AnalyticsReporter({
    table: ledger.table,
    clicks,
    outbox: analytics,
    send: createGoogleAnalyticsSender(settings),
    now: () => now,
  });
}

async function report(fields: Parameters<typeof buildSampleFact>[0] = {}, clickId = SAMPLE_CLICK) {
  const facts = [buildSampleFact(fields, { clickId })];
  await database.ledger.append({ facts, journeys: [buildSampleJourney({ clickId })] });
}

it('the settings decide where it is reported, and as whom', async () => {
  await report({ nativeId: 'c-1', amount: 4_050, status: 'approved' });
  const { ledger: store, analytics } = database;
  const clicks = createMemoryClicks([CONSENTED]);
  const site = await createTestSite({
    settings: { GA_MEASUREMENT_ID: 'G-OTHER1', GA_API_SECRET: 'other', GA_ENDPOINT: endpoint },
    clock: { now: () => now, monotonic: () => now },
    commissions: createTestLedger({ store, clicks, now: () => now, log: NO_LOG }),
    clicks,
    analyticsOutbox: analytics,
    ledger: store,
  });
  await createAnalyticsJob(site).run();
  expect(received.map(({ url }) => url)).toEqual(['/mp/collect?measurement_id=G-OTHER1&api_secret=other']);
});

const listSent = () => received.map(({ body }) => Object(body).events[0]);

it('sends a matched commission once with its value and id, however often and from how many processes it is tried', async () => {
  await report({ nativeId: 'c-1', amount: 4_050, status: 'approved' });
  const [one, two] = [createReporter(), createReporter()];
  await Promise.all([one.run(), two.run(), one.run()]);
  await report({ nativeId: 'c-1', amount: 4_050, status: 'paid', changeTime: 2_000_000_000_000 });
  await createReporter().run();
  expect(received).toEqual([
    {
      url: '/mp/collect?measurement_id=G-ABC123&api_secret=s3cret',
      body: {
        client_id: CLIENT,
        consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' },
        events: [
          {
            name: 'purchase',
            params: {
              transaction_id: 'c-1',
              value: 40.5,
              currency: 'USD',
              affiliation: 'highlevel',
              session_id: String(SESSION),
              engagement_time_msec: 1,
            },
          },
        ],
      },
    },
  ]);
  expect(await database.analytics.count()).toEqual({ sent: 1 });
});

it('sends nothing of a visit without consent, of unmatched money and of test messages', async () => {
  await report({ nativeId: 'no-consent' }, OTHER_CLICK);
  await report({ nativeId: 'test', isTest: true });
  await database.ledger.append({ facts: [buildSampleFact({ nativeId: 'unmatched' })] });
  await createReporter([CONSENTED, buildClick(OTHER_CLICK, {})]).run();
  expect(received).toEqual([]);
  expect(await database.analytics.count()).toEqual({});
});

it('names no session that began more than a day ago', async () => {
  now += 86_400_000;
  await report();
  await createReporter().run();
  expect(listSent()[0].params).not.toHaveProperty('session_id');
});

it('reports a full reversal as a refund, once, and only after its purchase', async () => {
  await report({ nativeId: 'c-1', status: 'approved', changeTime: 1 });
  await report({ nativeId: 'c-2', status: 'reversed', amount: 0, changeTime: 1 });
  const reporter = createReporter();
  await reporter.run();
  await report({ nativeId: 'c-1', status: 'reversed', amount: 0, changeTime: 2 });
  await reporter.run();
  await createReporter().run();
  expect(listSent().map(({ name, params }) => [name, params.transaction_id, params.value])).toEqual([
    ['purchase', 'c-1', 40],
    ['refund', 'c-1', 40],
  ]);
});

it('tries again later when nothing has arrived, up to a limit', async () => {
  await report();
  respond = 'fail';
  const reporter = createReporter();
  await reporter.run();
  await reporter.run();
  expect(received).toHaveLength(1);
  now += 60_000;
  await reporter.run();
  expect(received).toHaveLength(2);
  respond = 'accept';
  now += 120_000;
  await reporter.run();
  await reporter.run();
  expect(received).toHaveLength(3);
  expect(await database.analytics.count()).toEqual({ sent: 1 });
});

it('gives up after eight attempts at an address where nothing listens', async () => {
  await report();
  const reporter = createReporter([CONSENTED], await findClosedEndpoint());
  for (let attempt = 0; attempt < 10; attempt++) {
    await reporter.run();
    now += 24 * 3_600_000;
  }
  expect(await database.analytics.count()).toEqual({ failed: 1 });
});

it('never sends again what may have arrived', async () => {
  await report();
  respond = 'hang';
  await createReporter().run();
  respond = 'accept';
  now += 86_400_000;
  await createReporter().run();
  expect(received).toHaveLength(1);
  expect(await database.analytics.count()).toEqual({ unknown: 1 });
});

it('never sends again what a process was sending when it was killed', async () => {
  await report();
  await createReporter([CONSENTED], await findClosedEndpoint()).run();
  now += 86_400_000;
  expect(await database.analytics.claim(now)).toMatchObject({ nativeId: '1001', attempts: 2 });
  now += 86_400_000;
  await createReporter().run();
  expect(received).toEqual([]);
});

it('sends nothing when the click was deleted before the message was due', async () => {
  await report();
  await createReporter([CONSENTED], await findClosedEndpoint()).run();
  now += 86_400_000;
  await createReporter([]).run();
  expect(received).toEqual([]);
  expect(await database.analytics.count()).toEqual({ withdrawn: 1 });
});
