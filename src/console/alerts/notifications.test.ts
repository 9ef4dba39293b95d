import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startSmtpInbox } from '../../../test/support/smtp-inbox.ts';
import { type ConsolePreferences, DEFAULT_PREFERENCES } from '../../core/console/operator.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import { parseSettings } from '../../server/settings.ts';
import { nodePost } from '../../sources/http/guarded-http.ts';
import { createSmtpChannel } from '../../sources/mail/smtp-channel.ts';
import { SqlEventStore } from '../../stores/events.ts';
import { ContactMessages } from '../../stores/messages.ts';
import { UncreatedDatabase } from '../../stores/node-databases.ts';
import { NotificationOutbox } from '../../stores/outboxes.ts';
import { Rollups } from '../../stores/rollups.ts';
import { DATABASE_FILE, NodeSqliteExecutor } from '../../stores/sql/node-sqlite/node-sqlite-executor.ts';
import type { ConsoleAlert } from './build-alerts.ts';
import { createNotifications } from './notifications.ts';

let dir = '';
let preferences: ConsolePreferences = DEFAULT_PREFERENCES;
let alerts: readonly ConsoleAlert[] = [];
let executor: NodeSqliteExecutor;
beforeEach(() => {
  alerts = [];
  dir = mkdtempSync(path.join(tmpdir(), 'notifications-'));
  executor = new NodeSqliteExecutor({ file: path.join(dir, DATABASE_FILE), report: () => undefined });
});
afterEach(async () => {
  await executor.close();
  rmSync(dir, { recursive: true });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: Date.now, monotonic: () => performance.now() };
/** As the site opens it: the first delivery creates the file. */
function createOutbox(): NotificationOutbox {
  const file = path.join(dir, 'notifications.sqlite');
  const options = { file, report: () => undefined, migrations: 'notifications' };
  return new NotificationOutbox(new UncreatedDatabase(file, () => new NodeSqliteExecutor(options)));
}

const create = (environment: Record<string, string>) =>
  createNotifications({
    settings: parseSettings({ DATA_DIR: dir, ...environment }),
    siteName: 'Signpost',
    partnerNames: new Map([['kit', 'Kit']]),
    messageFeed: new ContactMessages(executor),
    outbox: createOutbox(),
    rollups: new Rollups(executor, 'UTC'),
    commissions: { readEntries: async () => [] },
    alerts: { readAlerts: async () => alerts },
    readPreferences: async () => preferences,
    readTrustedTime: async () => Date.now(),
    platform: {
      clock,
      createMailChannel: createSmtpChannel,
      httpPost: nodePost,
      hasTimers: true,
    },
    log: silent,
    intervalMs: 20,
    alertMs: 20,
  });

async function storeMessage(index: number): Promise<void> {
  const id = `0b3c5f1e-8d1a-4c2b-9e7f-${String(index).padStart(12, '0')}`;
  const data = { topic: 'general', name: 'Ana', email: 'ana@example.com', message: `Message ${index}` };
  const event = buildSiteEvent({ id, name: 'contact_message', data }, { now: Date.now(), gpc: false });
  await new SqlEventStore(executor).append([event]);
}

it('opens no file without a mail server and a webhook', async () => {
  await executor.query({ sql: 'SELECT 1' });
  const before = readdirSync(dir);
  const notifications = create({});
  await notifications.close();
  expect(readdirSync(dir)).toEqual(before);
});

it('sends each contact message to the mail server once, over a restart', async () => {
  const inbox = await startSmtpInbox();
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
  };
  let notifications = create(settings);
  // The first run notes where to begin; a message before it would not be forwarded.
  await vi.waitUntil(() => readdirSync(dir).includes('notifications.sqlite'), { timeout: 20_000 });
  for (let index = 1; inbox.mails.length === 0; index++) {
    await storeMessage(index);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await notifications.close();
  const first = inbox.mails.length;
  await storeMessage(900);
  notifications = create(settings);
  await vi.waitUntil(() => inbox.mails.some(({ raw }) => raw.includes('Message 900')), { timeout: 20_000 });
  await notifications.close();
  const texts = inbox.mails.map(({ raw }) => /Message \d+/.exec(raw)?.[0]);
  expect(texts.length).toBeGreaterThan(first);
  expect(new Set(texts).size).toBe(texts.length);
  await inbox.close();
});

it.each([
  ['DIGEST', 'daily', null],
  ['the choice of an owner', 'off', 'daily'],
] as const)('sends an alert, its end and the digest that %s asks for by email', async (_, DIGEST, digest) => {
  preferences = { ...DEFAULT_PREFERENCES, digest };
  const inbox = await startSmtpInbox();
  alerts = [{ key: 'disk', title: 'The disk is almost full.', detail: '300 MB are free.', view: 'settings' }];
  const notifications = create({
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
    DIGEST,
    DIGEST_HOUR: '0',
  });
  const received = (text: string) => inbox.mails.filter(({ raw }) => raw.includes(text)).length;
  await vi.waitUntil(() => received('300 MB are free.') === 1, { timeout: 20_000 });
  alerts = [];
  await vi.waitUntil(() => received('This is over: The disk') === 1, { timeout: 20_000 });
  await vi.waitUntil(() => received('0 clicks and no commission.') >= 1, { timeout: 20_000 });
  await notifications.close();
  await inbox.close();
});
