import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/start/pinned-node.mjs';
import { startLocalWorker } from '../../src/runtimes/cloudflare/tools/local-worker.ts';
import { SqlEventStore } from '../../src/stores/events.ts';
import { createJsonWrites } from '../../src/stores/queued-events.ts';
import { D1Executor } from '../../src/stores/sql/d1-executor.ts';
import { buildSampleEvent } from '../support/sample-events.ts';
import { startSmtpInbox } from '../support/smtp-inbox.ts';

const MONTH_MS = 30 * 86_400_000;

/** Starts a server for webhooks on loopback that responds with these statuses, then with 204. */
async function startReceiver(statuses: readonly number[]) {
  const bodies: string[] = [];
  const listener: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    response.writeHead(statuses[bodies.length - 1] ?? 204).end();
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, bodies, close };
}

async function startWorker(settings: Readonly<Record<string, string>>) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'signpost-notifications-'));
  const worker = await startLocalWorker({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    contentDir: path.join(ROOT, 'content'),
    settings,
  });
  onTestFinished(async () => {
    await worker.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const events = new SqlEventStore(new D1Executor(await worker.getD1Database('EVENTS')), createJsonWrites);
  const outbox = await worker.getD1Database('NOTIFICATIONS');
  return {
    runDueJobs: async () => (await worker.getWorker()).scheduled({ cron: '* * * * *' }),
    storeMessage: (text: string, serverTime = Date.now()) =>
      events.append([
        buildSampleEvent({
          name: 'contact_message',
          serverTime,
          data: { topic: 'general', name: 'Ana', email: 'ana@example.com', message: text },
        }),
      ]),
    readStates: async () => {
      const { results } = await outbox.prepare('SELECT state FROM deliveries').all<{ state: string }>();
      return results.map(({ state }) => state);
    },
  };
}

it('sends a contact message by email and webhook from the Cron Trigger, once', async () => {
  const [inbox, receiver] = await Promise.all([startSmtpInbox(), startReceiver([])]);
  onTestFinished(() => inbox.close());
  const worker = await startWorker({
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
    CONTACT_WEBHOOK_URL: receiver.url,
    WEBHOOK_KEY: 'hush',
  });
  // The first run notes where to begin.
  await worker.runDueJobs();
  await worker.storeMessage('Hello from workerd');
  for (let run = 0; run < 2; run += 1) await worker.runDueJobs();
  expect(inbox.mails.map(({ raw }) => raw)).toEqual([expect.stringContaining('Hello from workerd')]);
  expect(receiver.bodies).toEqual([expect.stringContaining('Hello from workerd')]);
});

it('sends a webhook again that failed, but not one whose result is unknown', async () => {
  const receiver = await startReceiver([503]);
  const worker = await startWorker({ CONTACT_WEBHOOK_URL: receiver.url, WEBHOOK_KEY: 'hush' });
  await worker.runDueJobs();
  await worker.storeMessage('Busy');
  await worker.runDueJobs();
  expect(await worker.readStates()).toEqual(['waiting']);
  receiver.close();
  await worker.storeMessage('No server');
  await worker.runDueJobs();
  expect([...(await worker.readStates())].sort()).toEqual(['unknown', 'waiting']);
});

it('sends no alert that there is no backup', async () => {
  const receiver = await startReceiver([]);
  const worker = await startWorker({ ALERT_WEBHOOK_URL: receiver.url, WEBHOOK_KEY: 'hush' });
  await worker.storeMessage('An event of a month ago', Date.now() - MONTH_MS);
  await worker.runDueJobs();
  expect(receiver.bodies).toEqual([]);
});
