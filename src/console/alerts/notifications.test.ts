import { createHmac } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { findZoneAtNoon, startSmtpInbox } from '../../../test/support/smtp-inbox.ts';
import { createTestSite } from '../../../test/support/test-site.ts';
import { type ConsolePreferences, DEFAULT_PREFERENCES } from '../../core/console/operator.ts';
import { buildSiteEvent } from '../../core/events/build-site-event.ts';
import { OperatorSessions } from '../../server/http/operator-sessions.ts';
import { parseSettings } from '../../server/settings.ts';
import type { Site } from '../../server/site.ts';
import { createSmtpChannel } from '../../sources/mail/smtp-channel.ts';
import { createConsoleSite } from '../console.ts';
import type { ConsoleAlert } from './build-alerts.ts';
import { createNotificationJobs } from './notifications.ts';

let site: Site;
let preferences: ConsolePreferences = DEFAULT_PREFERENCES;
let alerts: readonly ConsoleAlert[] = [];
beforeEach(async () => {
  alerts = [];
  preferences = DEFAULT_PREFERENCES;
  site = await createTestSite();
});

/** Creates the jobs of a process over the stores of the site. */
function createJobs(environment: Record<string, string>, given: Partial<Site['platform']> = {}) {
  const platform = { ...site.platform, createMailChannel: createSmtpChannel, ...given };
  const settings = parseSettings(environment);
  return createNotificationJobs(
    {
      ...createConsoleSite({ ...site, settings, platform }),
      readAlerts: async () => alerts,
      sessions: Object.assign(new OperatorSessions(site), { hasOperator: async () => true }),
      operators: {
        ...site.operators,
        accounts: Object.assign(site.operators.accounts, { readPreferences: async () => preferences }),
      },
    },
    20,
    20,
  );
}

/** Starts the jobs of a process. */
function start(environment: Record<string, string>) {
  const jobs = createJobs(environment);
  for (const job of jobs) job.start();
  return { jobs, stop: () => Promise.all(jobs.map((job) => job.stop())) };
}

async function storeMessage(index: number): Promise<void> {
  const id = `0b3c5f1e-8d1a-4c2b-9e7f-${String(index).padStart(12, '0')}`;
  const data = { topic: 'general', name: 'Ana', email: 'ana@example.com', message: `Message ${index}` };
  const event = buildSiteEvent({ id, name: 'contact_message', data }, { now: Date.now(), gpc: false });
  await site.visitors.events.append([event]);
}

it('does nothing without a mail server and a webhook', async () => {
  for (const job of createJobs({})) await job.run();
  expect(await site.operators.notifications.readState('contact-position')).toBeNull();
});

it('sees one state of the content in each run, whatever is edited meanwhile', async () => {
  preferences = { ...DEFAULT_PREFERENCES, digest: 'daily' };
  alerts = ['disk', 'backup'].map((key) => ({
    key,
    kind: 'disk',
    text: key,
    detail: '',
    amount: null,
    currency: null,
    href: '',
    view: 'settings',
  }));
  const read = vi.fn(site.content.read);
  site = { ...site, content: { ...site.content, read } };
  const inbox = await startSmtpInbox();
  const jobs = createJobs({
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
    NEWSLETTER_PROVIDER: 'webhook:http://127.0.0.1:1/',
    WEBHOOK_KEY: 'k'.repeat(32),
    TIME_ZONE: findZoneAtNoon(),
  });
  const counts: number[] = [];
  for (const job of jobs) {
    read.mockClear();
    await job.run();
    counts.push(read.mock.calls.length);
  }
  expect(counts).toEqual([1, 1]);
  expect(inbox.mails).toHaveLength(3);
  await inbox.close();
});

it('sends a message from and to whom the settings say, and to their webhook, signed with their key', async () => {
  const sent: unknown[] = [];
  const settings = {
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
    CONTACT_WEBHOOK_URL: 'https://hooks.example/in',
    WEBHOOK_KEY: 'k'.repeat(32),
  };
  const [, deliver] = createJobs(settings, {
    createMailChannel: ({ from, to }) => ({ send: async () => void sent.push(from, to) }),
    httpPost: async ({ href }, { headers, body }) => {
      const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const signature = createHmac('sha256', settings.WEBHOOK_KEY).update(text).digest('base64');
      sent.push(href, headers['webhook-signature'] === `v1,${signature}`);
      return 200;
    },
  });
  await deliver?.run();
  await storeMessage(1);
  await deliver?.run();
  expect(sent).toEqual([settings.CONTACT_WEBHOOK_URL, true, settings.MAIL_FROM, settings.MAIL_TO]);
});

it('sends each contact message to the mail server once, over a restart', async () => {
  const inbox = await startSmtpInbox();
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
  };
  let notifications = start(settings);
  // The first run notes where to begin; a message before it would not be forwarded.
  await vi.waitUntil(async () => (await site.operators.notifications.readState('contact-position')) !== null);
  for (let index = 1; inbox.mails.length === 0; index++) {
    await storeMessage(index);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await notifications.stop();
  const first = inbox.mails.length;
  await storeMessage(900);
  notifications = start(settings);
  await vi.waitUntil(() => inbox.mails.some(({ raw }) => raw.includes('Message 900')), { timeout: 20_000 });
  await notifications.stop();
  const texts = inbox.mails.map(({ raw }) => /Message \d+/.exec(raw)?.[0]);
  expect(texts.length).toBeGreaterThan(first);
  expect(new Set(texts).size).toBe(texts.length);
  await inbox.close();
});

it('sends an alert, its end and the digest that operators have chosen by email', async () => {
  preferences = { ...DEFAULT_PREFERENCES, digest: 'daily' };
  const inbox = await startSmtpInbox();
  alerts = [
    {
      key: 'disk',
      kind: 'disk',
      text: 'The disk is almost full.',
      detail: '300 MB are free.',
      amount: null,
      currency: null,
      href: '/console/settings#data',
      view: 'settings',
    },
  ];
  const notifications = start({
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    MAIL_FROM: 'a@example.com',
    MAIL_TO: 'b@example.com',
    TIME_ZONE: findZoneAtNoon(),
  });
  const received = (text: string) => inbox.mails.filter(({ raw }) => raw.includes(text)).length;
  await vi.waitUntil(() => received('300 MB are free.') === 1, { timeout: 20_000 });
  alerts = [];
  await vi.waitUntil(() => received('This is over: The disk') === 1, { timeout: 20_000 });
  await vi.waitUntil(() => received('0 clicks and no commission.') >= 1, { timeout: 20_000 });
  await notifications.stop();
  await inbox.close();
});
