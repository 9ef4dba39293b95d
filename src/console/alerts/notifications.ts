import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NotificationChannel, NotificationChannelName } from '../../core/console/notification.ts';
import type { ConsolePreferences } from '../../core/console/operator.ts';
import { parseSmtpUrl, type SmtpAddress } from '../../core/contact/delivery-addresses.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import type { Commissions } from '../../server/commissions/commissions.ts';
import type { Log } from '../../server/log.ts';
import { PeriodicJob } from '../../server/periodic-job.ts';
import type { Platform } from '../../server/platform.ts';
import type { Settings } from '../../server/settings.ts';
import { createWebhookChannel } from '../../sources/http/webhook-channel.ts';
import { createSubscriberChannel } from '../../sources/mail/subscriber-channel.ts';
import type { ContactMessages } from '../../stores/messages.ts';
import type { NotificationOutbox } from '../../stores/outboxes.ts';
import type { Rollups } from '../../stores/rollups.ts';
import { deliverDue } from './deliver-notifications.ts';
import { sendDigest } from './digest.ts';
import { buildContactNotification, buildSignupNotification, forwardMessages } from './forward-messages.ts';
import type { AlertReader } from './read-alerts.ts';
import { sendAlerts } from './send-alerts.ts';

/** What tells operators something outside the console. */
export interface Notifications {
  /** Prepares and sends what is due. A failure is logged. */
  runDueJobs(): Promise<void>;
  /** Stops what runs in the background and closes the outbox. */
  close(): Promise<void>;
}

const INTERVAL_MS = 10_000;
/** After the start, when the site has other things to do. */
const FIRST_ALERTS_MS = 60_000;
const ALERTS_MS = 300_000;
const STOP_MS = 4_000;

interface NotificationOptions {
  readonly settings: Settings;
  readonly siteName: string;
  /** Names of partners by key. */
  readonly partnerNames: ReadonlyMap<string, string>;
  /** Messages and sign-ups of visitors. */
  readonly messageFeed: ContactMessages;
  /** Notifications that are to be sent. */
  readonly outbox: NotificationOutbox;
  readonly rollups: Pick<Rollups, 'readByKey'>;
  readonly commissions: Pick<Commissions, 'readEntries'>;
  readonly alerts: Pick<AlertReader, 'readAlerts'>;
  /** What owners have chosen in the console. */
  readonly readPreferences: () => Promise<ConsolePreferences>;
  /** The time by which what was sent is forgotten; null: nothing is. */
  readonly readTrustedTime: () => Promise<number | null>;
  readonly platform: Pick<Platform, 'clock' | 'createMailChannel' | 'httpPost' | 'hasTimers'>;
  readonly log: Log;
  /** Ms between two runs; 10,000 when left out. */
  readonly intervalMs?: number;
  /** Ms between two looks for alerts; 5 minutes when left out. */
  readonly alertMs?: number;
}

/** What both jobs use. */
interface NotificationParts extends NotificationOptions {
  readonly channels: ReadonlyMap<NotificationChannelName, NotificationChannel>;
  /** Identifies this process among those that look for alerts. */
  readonly holder: string;
}

/**
 * Creates the ways of sending that are set up and what uses them. Without any it opens no file and does nothing. No
 * request of a visitor waits for any of it.
 */
export function createNotifications(options: NotificationOptions): Notifications {
  const { settings, platform, log } = options;
  const channels = createChannels(settings, platform);
  if (channels.size === 0) return { runDueJobs: async () => undefined, close: async () => undefined };
  const { outbox } = options;
  const parts: NotificationParts = { ...options, channels, holder: randomUUID() };
  const alertJob = new PeriodicJob(
    log,
    'alerts and digests could not be prepared',
    () => prepareAlertsAndDigest(parts),
    options.alertMs ?? ALERTS_MS,
    options.alertMs ?? FIRST_ALERTS_MS,
  );
  const deliver = createDelivery(parts);
  const interval = options.intervalMs ?? INTERVAL_MS;
  const job = new PeriodicJob(log, 'notifications could not be sent', deliver, interval, 0);
  if (platform.hasTimers) {
    alertJob.start();
    job.start();
  }
  return {
    async runDueJobs() {
      await alertJob.run();
      await job.run();
    },
    async close() {
      // A mail server may take its time; what it has not confirmed by then counts as unknown.
      await Promise.race([Promise.all([job.stop(), alertJob.stop()]), sleep(STOP_MS, null, { ref: false })]);
      await outbox.close();
    },
  };
}

/** Puts alerts and the digest that are due into the outbox. */
async function prepareAlertsAndDigest(parts: NotificationParts): Promise<void> {
  const { settings, siteName, outbox, channels, holder, rollups, partnerNames: names } = parts;
  const site = { siteName, consoleUrl: `${settings.siteUrl}${CONSOLE_PATH}` };
  const readAlerts = () => parts.alerts.readAlerts();
  const shared = { outbox, readAlerts, site, now: parts.platform.clock.now };
  const ways = pickChannels(channels, 'mail', 'alert-webhook');
  if (ways.length > 0) await sendAlerts({ ...shared, channels: ways, holder });
  if (!channels.has('mail')) return;
  const { digest, weekStart } = await parts.readPreferences();
  const frequency = digest ?? settings.DIGEST;
  if (frequency === 'off') return;
  const readEntries = () => parts.commissions.readEntries();
  const period = { frequency, hour: settings.DIGEST_HOUR, timeZone: settings.TIME_ZONE, weekStart };
  await sendDigest({ ...shared, ...period, rollups, names, readEntries });
}

/** Creates the job that puts messages and sign-ups of visitors into the outbox, and sends what is due. */
function createDelivery(parts: NotificationParts): () => Promise<void> {
  const { siteName, messageFeed: feed, outbox, channels, readTrustedTime, log } = parts;
  return async () => {
    await forwardMessages({
      feed,
      outbox,
      channels: pickChannels(channels, 'mail', 'contact-webhook'),
      build: (message) => buildContactNotification(message, siteName),
    });
    if (channels.has('newsletter'))
      await forwardMessages({
        feed,
        name: 'newsletter_signup',
        outbox,
        channels: ['newsletter'],
        build: buildSignupNotification,
        positionKey: 'newsletter-position',
        isFromStart: true,
      });
    await deliverDue({ outbox, channels, now: parts.platform.clock.now, readTrustedTime, log });
  };
}

/** Those of the channels that are set up. */
const pickChannels = (
  channels: NotificationParts['channels'],
  ...names: readonly NotificationChannelName[]
): readonly NotificationChannelName[] => names.filter((name) => channels.has(name));

function createChannels(
  settings: Settings,
  { clock, createMailChannel, httpPost: post }: Pick<Platform, 'clock' | 'createMailChannel' | 'httpPost'>,
): Map<NotificationChannelName, NotificationChannel> {
  const channels = new Map<NotificationChannelName, NotificationChannel>();
  const server = readSmtpAddress(settings);
  const { MAIL_FROM: from, MAIL_TO: to, WEBHOOK_KEY: secret } = settings;
  if (server !== null) channels.set('mail', createMailChannel({ ...server, from, to }));
  const connect = (name: NotificationChannelName, url: string) => {
    if (url !== '') channels.set(name, createWebhookChannel({ url, secret, post, now: clock.now }));
  };
  connect('contact-webhook', settings.CONTACT_WEBHOOK_URL);
  connect('alert-webhook', settings.ALERT_WEBHOOK_URL);
  const { NEWSLETTER_PROVIDER: service, NEWSLETTER_KEY: key, NEWSLETTER_FORM_ID: formId } = settings;
  if (service === 'webhook') connect('newsletter', settings.NEWSLETTER_URL);
  else if (service !== 'off')
    channels.set(
      'newsletter',
      createSubscriberChannel({ service, key, formId, baseUrl: settings.NEWSLETTER_URL }),
    );
  return channels;
}

function readSmtpAddress(settings: Settings): SmtpAddress | null {
  const { SMTP_URL, SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASSWORD: password } = settings;
  if (SMTP_URL !== '') return parseSmtpUrl(SMTP_URL);
  return host === '' ? null : { host, port, isSecure: port === 465, user, password };
}
