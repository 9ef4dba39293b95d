import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openNotificationOutbox } from '../../adapters/console/open-notification-outbox.ts';
import { SqlMessageFeed } from '../../adapters/contact/sql-message-feed.ts';
import { createWebhookChannel } from '../../adapters/http/webhook-channel.ts';
import { createSmtpChannel } from '../../adapters/mail/smtp-channel.ts';
import type { SqlExecutor } from '../../adapters/sql/sql-executor.ts';
import type { Clock } from '../../core/clock.ts';
import type { NotificationChannel, NotificationChannelName } from '../../core/console/notification.ts';
import type { NotificationOutbox } from '../../core/console/notification-outbox.ts';
import { parseSmtpUrl, type SmtpAddress } from '../../core/console/smtp-address.ts';
import type { RollupReader } from '../../core/events/rollup-store.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import type { Config } from '../config.ts';
import type { AlertReader } from '../console/alert-reader.ts';
import { deliverDue } from '../console/delivery-job.ts';
import { PeriodicJob } from '../console/periodic-job.ts';
import { sendAlerts } from '../console/send-alerts.ts';
import { sendDigest } from '../console/send-digest.ts';
import { forwardMessages } from '../contact/forward-messages.ts';
import type { Log } from '../log.ts';
import type { Commissions } from './commissions.ts';

/** What tells operators something outside the console. */
export interface Notifications {
  /** Stops what runs in the background and closes the outbox. */
  close(): Promise<void>;
}

const INTERVAL_MS = 10_000;
/** After the start, when the site has other things to do. */
const FIRST_ALERTS_MS = 60_000;
const ALERTS_MS = 300_000;
const STOP_MS = 4_000;

/**
 * Creates the ways of sending that are set up and what uses them. Without any it opens no file and does nothing. No
 * request of a visitor waits for any of it.
 */
export function createNotifications(options: {
  readonly config: Config;
  readonly siteName: string;
  /** Names of partners by key. */
  readonly partnerNames: ReadonlyMap<string, string>;
  /** Reads the events' database. */
  readonly database: Pick<SqlExecutor, 'query'>;
  readonly rollups: Pick<RollupReader, 'readByKey'>;
  readonly commissions: Pick<Commissions, 'readEntries'>;
  readonly alerts: Pick<AlertReader, 'readAlerts'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Ms between two runs; 10,000 when left out. */
  readonly intervalMs?: number;
  /** Ms between two looks for alerts; 5 minutes when left out. */
  readonly alertMs?: number;
}): Notifications {
  const { config, siteName, database, clock, log } = options;
  const channels = createChannels(config, clock);
  if (channels.size === 0) return { close: async () => undefined };
  const outbox: NotificationOutbox = openNotificationOutbox(config.DATA_DIR, (message) => log.warn(message));
  const pick = (...names: readonly NotificationChannelName[]) => names.filter((name) => channels.has(name));
  const feed = new SqlMessageFeed(database);
  const readAlerts = () => options.alerts.readAlerts();
  const site = { siteName, consoleUrl: `${config.siteUrl}${CONSOLE_PATH}` };
  const shared = { outbox, readAlerts, site, now: clock.now };
  const holder = randomUUID();
  const { DIGEST: frequency, DIGEST_HOUR: hour, TIME_ZONE: timeZone } = config;
  const alertJob = new PeriodicJob({
    name: 'alerts and digests could not be prepared',
    run: async () => {
      const ways = pick('mail', 'alert-webhook');
      if (ways.length > 0) await sendAlerts({ ...shared, channels: ways, holder });
      if (frequency === 'off') return;
      const { rollups, partnerNames: names } = options;
      const readEntries = () => options.commissions.readEntries();
      await sendDigest({ ...shared, frequency, hour, timeZone, rollups, names, readEntries });
    },
    firstMs: options.alertMs ?? FIRST_ALERTS_MS,
    intervalMs: options.alertMs ?? ALERTS_MS,
    log,
  });
  const job = new PeriodicJob({
    name: 'notifications could not be sent',
    run: async () => {
      await forwardMessages({ feed, outbox, channels: pick('mail', 'contact-webhook'), siteName });
      await deliverDue({ outbox, channels, now: clock.now, log });
    },
    firstMs: 0,
    intervalMs: options.intervalMs ?? INTERVAL_MS,
    log,
  });
  return {
    async close() {
      // A mail server may take its time; what it has not confirmed by then counts as unknown.
      await Promise.race([Promise.all([job.stop(), alertJob.stop()]), sleep(STOP_MS, null, { ref: false })]);
      await outbox.close();
    },
  };
}

function createChannels(config: Config, clock: Clock): Map<NotificationChannelName, NotificationChannel> {
  const channels = new Map<NotificationChannelName, NotificationChannel>();
  const server = readSmtpAddress(config);
  const { MAIL_FROM: from, MAIL_TO: to, WEBHOOK_KEY: secret } = config;
  if (server !== null) channels.set('mail', createSmtpChannel({ ...server, from, to }));
  const connect = (name: NotificationChannelName, url: string) => {
    if (url !== '') channels.set(name, createWebhookChannel({ url, secret, now: clock.now }));
  };
  connect('contact-webhook', config.CONTACT_WEBHOOK_URL);
  connect('alert-webhook', config.ALERT_WEBHOOK_URL);
  return channels;
}

function readSmtpAddress(config: Config): SmtpAddress | null {
  const { SMTP_URL, SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASSWORD: password } = config;
  if (SMTP_URL !== '') return parseSmtpUrl(SMTP_URL);
  return host === '' ? null : { host, port, isSecure: port === 465, user, password };
}
