import type { NotificationChannel, NotificationChannelName } from '../../core/console/notification.ts';
import { parseSmtpUrl, type SmtpAddress } from '../../core/contact/delivery-addresses.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import { PeriodicJob } from '../../server/periodic-job.ts';
import type { Settings } from '../../server/settings.ts';
import type { Site } from '../../server/site.ts';
import { createWebhookChannel } from '../../sources/http/webhook-channel.ts';
import { createSubscriberChannel } from '../../sources/mail/subscriber-channel.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readPreferences } from '../parse-query.ts';
import { deliverDue } from './deliver-notifications.ts';
import { sendDigest } from './digest.ts';
import { buildContactNotification, buildSignupNotification, forwardMessages } from './forward-messages.ts';
import { sendAlerts } from './send-alerts.ts';

const DELIVERY_MS = 10_000;
/** After the start, when the site has other things to do. */
const FIRST_ALERTS_MS = 60_000;
const ALERTS_MS = 300_000;

/** The ways of sending that are set up. */
type Channels = ReadonlyMap<NotificationChannelName, NotificationChannel>;

/**
 * Creates the jobs that prepare alerts and digests, and that send what is due; none when no way of sending is set up.
 * No request of a visitor waits for any of it. `deliveryMs` and `alertsMs` are between two runs.
 */
export function createNotificationJobs(
  site: ConsoleSite,
  deliveryMs = DELIVERY_MS,
  alertsMs = ALERTS_MS,
): readonly PeriodicJob[] {
  const channels = createChannels(site);
  if (channels.size === 0) return [];
  // Identifies this process among those that look for alerts.
  const holder = site.newId();
  const prepare = () => prepareAlertsAndDigest(site, channels, holder);
  const deliver = () => forwardAndDeliver(site, channels);
  const { log } = site;
  return [
    new PeriodicJob(
      log,
      'alerts and digests could not be prepared',
      prepare,
      alertsMs,
      Math.min(alertsMs, FIRST_ALERTS_MS),
    ),
    new PeriodicJob(log, 'notifications could not be sent', deliver, deliveryMs, 0),
  ];
}

/** Puts alerts and the digest that are due into the outbox. */
async function prepareAlertsAndDigest(site: ConsoleSite, channels: Channels, holder: string): Promise<void> {
  const { settings, content, commissions, rollups, clock, readAlerts } = site;
  const named = { siteName: content.site.name, consoleUrl: `${settings.siteUrl}${CONSOLE_PATH}` };
  const shared = { outbox: site.notifications, readAlerts, site: named, now: clock.now };
  const ways = pickChannels(channels, 'mail', 'alert-webhook');
  if (ways.length > 0) await sendAlerts({ ...shared, channels: ways, holder });
  if (!channels.has('mail')) return;
  const { digest, weekStart } = await readPreferences(site);
  const frequency = digest ?? settings.DIGEST;
  if (frequency === 'off') return;
  await sendDigest({
    ...shared,
    ...{ frequency, weekStart, rollups },
    hour: settings.DIGEST_HOUR,
    timeZone: settings.TIME_ZONE,
    names: new Map([...content.partners].map(([key, { name }]) => [key, name])),
    readEntries: () => commissions.readEntries(),
  });
}

/** Puts messages and sign-ups of visitors into the outbox, and sends what is due. */
async function forwardAndDeliver(site: ConsoleSite, channels: Channels): Promise<void> {
  const { content, messages, notifications: outbox, trustedTime, clock, log } = site;
  await forwardMessages({
    feed: messages,
    outbox,
    channels: pickChannels(channels, 'mail', 'contact-webhook'),
    build: (message) => buildContactNotification(message, content.site.name),
  });
  if (channels.has('newsletter'))
    await forwardMessages({
      feed: messages,
      name: 'newsletter_signup',
      outbox,
      channels: ['newsletter'],
      build: buildSignupNotification,
      positionKey: 'newsletter-position',
      isFromStart: true,
    });
  const readTrustedTime = () => trustedTime.read();
  await deliverDue({ outbox, channels, now: clock.now, readTrustedTime, log });
}

/** Those of the channels that are set up. */
const pickChannels = (
  channels: Channels,
  ...names: readonly NotificationChannelName[]
): readonly NotificationChannelName[] => names.filter((name) => channels.has(name));

function createChannels({
  settings,
  platform,
  clock,
}: Site): Map<NotificationChannelName, NotificationChannel> {
  const { createMailChannel, httpPost: post } = platform;
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
