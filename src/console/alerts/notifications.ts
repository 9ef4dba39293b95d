import { z } from 'zod';
import { DAY_MS } from '../../core/clock.ts';
import { CONSOLE_VIEWS, type ConsoleViewKey } from '../../core/console/console-view.ts';
import {
  isRepeatable,
  type NotificationChannel,
  type NotificationChannelName,
  type NotificationDelivery,
  NotificationError,
  type OperatorNotification,
} from '../../core/console/notification.ts';
import { CONTACT_LIMITS, parseContactValues } from '../../core/contact/contact-message.ts';
import { parseSmtpUrl } from '../../core/contact/delivery-addresses.ts';
import { NEWSLETTER_SERVICES } from '../../core/contact/newsletter-signup.ts';
import { isCounted, type SiteEvent } from '../../core/events/site-event.ts';
import { CONSOLE_PATH } from '../../core/paths.ts';
import { cleanText, parseJson } from '../../core/text/parse-text.ts';
import { PeriodicJob } from '../../server/periodic-job.ts';
import { holdContent, type Site } from '../../server/site.ts';
import { createWebhookChannel } from '../../sources/http/webhook-channel.ts';
import { createSubscriberChannel } from '../../sources/mail/subscriber-channel.ts';
import { type DeliveryResult, NotificationOutboxError } from '../../stores/outboxes.ts';
import type { ConsoleSite } from '../console-site.ts';
import { readPreferences } from '../parse-query.ts';
import type { ConsoleAlert } from './build-alerts.ts';
import { sendDigest } from './build-digest.ts';

const DELIVERY_MS = 10_000;
/** After the start, when the site has other things to do. */
const FIRST_ALERTS_MS = 60_000;
const ALERTS_MS = 300_000;

/** The ways of sending that are set up. */
type Channels = ReadonlyMap<NotificationChannelName, NotificationChannel>;

/**
 * Creates the jobs that prepare alerts and digests, and that send what is due, where a way of sending is set up.
 * No request of a visitor waits for any of it. `deliveryMs` and `alertsMs` are between two runs.
 */
export function createNotificationJobs(
  site: ConsoleSite,
  deliveryMs = DELIVERY_MS,
  alertsMs = ALERTS_MS,
): readonly PeriodicJob[] {
  // Identifies this process among those that look for alerts.
  const holder = site.newId();
  const memory: AlertMemory = { open: [], isDirect: false };
  // Ways of sending may be set up meanwhile.
  const send =
    (work: (channels: Channels) => Promise<void>): (() => Promise<void>) =>
    async () => {
      const channels = createChannels(site);
      if (channels.size > 0) await work(channels);
    };
  const prepare = send((channels) => prepareAlertsAndDigest(holdContent(site), channels, holder, memory));
  const deliver = send((channels) => forwardAndDeliver(holdContent(site), channels));
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

async function prepareAlertsAndDigest(
  site: ConsoleSite,
  channels: Channels,
  holder: string,
  memory: AlertMemory,
): Promise<void> {
  const ways = pickChannels(channels, 'mail', 'alert-webhook');
  if (ways.length > 0) await runAlerts(site, channels, ways, { holder, memory });
  if (!channels.has('mail')) return;
  const { digest, weekStart } = await readPreferences(site);
  if (digest !== 'off') await sendDigest(site, digest, weekStart);
}

/** What waits is sent, also while the events cannot be read. */
async function forwardAndDeliver(site: ConsoleSite, channels: Channels): Promise<void> {
  const forward = async () => {
    await forwardMessages(site, 'contact_message', pickChannels(channels, 'mail', 'contact-webhook'));
    if (channels.has('newsletter')) await forwardMessages(site, 'newsletter_signup', ['newsletter']);
  };
  const [forwarded] = await Promise.allSettled([forward()]);
  await deliverDue(site, channels);
  if (forwarded.status === 'rejected') throw forwarded.reason;
}

/** What a process remembers of the last run, for when the outbox cannot be used. */
interface AlertMemory {
  open: readonly OpenAlert[];
  /** Whether these were sent without the outbox, which knows nothing of them. */
  isDirect: boolean;
}

const HEARTBEAT = { headers: {}, deadlineMs: 10_000, maxBytes: 65_536 } as const;

/** Sends alerts through the outbox, or past it when it cannot be used, and calls HEARTBEAT_URL after a complete run. */
async function runAlerts(
  site: ConsoleSite,
  channels: Channels,
  ways: readonly NotificationChannelName[],
  { holder, memory }: { readonly holder: string; readonly memory: AlertMemory },
): Promise<void> {
  const { settings, platform, log } = site;
  try {
    const isRun = (await sendAlerts(site, ways, holder, memory)) !== null;
    const isComplete = (await site.readAlerts()).every(({ hides = [] }) => hides.length === 0);
    if (!isRun || !isComplete || settings.HEARTBEAT_URL === '') return;
  } catch (error) {
    if (!(error instanceof NotificationOutboxError)) throw error;
    await sendAlertsDirectly(site, channels, ways, memory);
    return;
  }
  const problem = await platform.httpGet(new URL(settings.HEARTBEAT_URL), HEARTBEAT).then(
    ({ status }) => (status < 300 ? null : `it responded with status ${status}`),
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (problem !== null) log.warn('HEARTBEAT_URL could not be called', { problem });
}

const pickChannels = (
  channels: Channels,
  ...names: readonly NotificationChannelName[]
): readonly NotificationChannelName[] => names.filter((name) => channels.has(name));

/** The ways in which alerts are sent. */
export const listAlertWays = (site: Site): readonly NotificationChannelName[] =>
  pickChannels(createChannels(site), 'mail', 'alert-webhook');

function createChannels({ settings, platform, clock }: Site): Channels {
  const { createMailChannel, httpPost: post } = platform;
  const channels = new Map<NotificationChannelName, NotificationChannel>();
  const server = parseSmtpUrl(settings.SMTP_URL);
  const { MAIL_FROM: from, MAIL_TO: to, WEBHOOK_KEY: secret } = settings;
  if (server !== null) channels.set('mail', createMailChannel({ ...server, from, to }));
  const connect = (name: NotificationChannelName, url: string) => {
    if (url !== '') channels.set(name, createWebhookChannel({ url, secret, post, now: clock.now }));
  };
  connect('contact-webhook', settings.CONTACT_WEBHOOK_URL);
  connect('alert-webhook', settings.ALERT_WEBHOOK_URL);
  const [provider, formId = ''] = settings.NEWSLETTER_PROVIDER.split(':');
  const service = NEWSLETTER_SERVICES.find((name) => name === provider);
  if (provider === 'webhook') connect('newsletter', settings.NEWSLETTER_URL);
  if (service !== undefined)
    channels.set(
      'newsletter',
      createSubscriberChannel({
        service,
        formId,
        key: settings.NEWSLETTER_KEY,
        baseUrl: settings.NEWSLETTER_URL,
      }),
    );
  return channels;
}

/** Where the outbox keeps the position up to which events of a kind are in it. */
const POSITION_KEYS = {
  contact_message: 'contact-position',
  newsletter_signup: 'newsletter-position',
} as const;

/**
 * Puts the contact messages or sign-ups that arrived since the last run into the outbox; resolves with how many. The
 * first run begins with the next message, and with the first sign-up. Suspected spam is not forwarded: it stays in the
 * events. Rejects with `EventStoreError` or `NotificationOutboxError`; the next run begins at the same message then.
 */
export async function forwardMessages(
  site: Site,
  name: keyof typeof POSITION_KEYS,
  channels: readonly NotificationChannelName[],
): Promise<number> {
  const { messages: feed } = site.visitors;
  const { notifications: outbox } = site.operators;
  const content = site.content.read();
  const positionKey = POSITION_KEYS[name];
  const stored = await outbox.readState(positionKey);
  const newest = await feed.readPosition();
  // A position past the newest event is one of a database that was replaced.
  if (stored === null || Number(stored) > newest) {
    const isSkipped = stored === null && name === 'contact_message';
    await outbox.writeState(positionKey, String(isSkipped ? newest : 0));
    if (isSkipped) return 0;
  }
  const known = Number((await outbox.readState(positionKey)) ?? newest);
  const { messages, position } = await feed.readAfter(known, name);
  const genuine = messages.filter(isCounted);
  const build = (message: SiteEvent) =>
    name === 'contact_message'
      ? buildContactNotification(message, content.site.name)
      : buildSignupNotification(message);
  for (const message of genuine) await outbox.add(build(message), channels);
  if (position !== known) await outbox.writeState(positionKey, String(position));
  return genuine.length;
}

/** Builds what is sent about a contact message; its id is that of the message. */
function buildContactNotification(
  { id, data, page, serverTime }: SiteEvent,
  siteName: string,
): OperatorNotification {
  const { topic, name, email, message } = parseContactValues((field) => data[field]);
  const from = cleanText(name, CONTACT_LIMITS.name);
  return {
    id: `contact:${id}`,
    kind: 'contact',
    subject: `${siteName}: ${topic} from ${from}`,
    text: `${message}\n\n${from} <${email}>\nTopic: ${topic}\nPage: ${page}`,
    html: null,
    replyTo: { name: from, address: email },
    fields: { messageId: id, topic, name: from, email, message, page },
    createdAt: serverTime,
  };
}

/** Builds what is sent about a sign-up for the newsletter; its id is that of the event. */
function buildSignupNotification({ id, data, page, serverTime }: SiteEvent): OperatorNotification {
  const getText = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  return {
    id: `newsletter:${id}`,
    kind: 'newsletter',
    subject: 'Newsletter sign-up',
    text: getText('email'),
    html: null,
    replyTo: null,
    fields: { signupId: id, email: getText('email'), consent: getText('consent'), page },
    createdAt: serverTime,
  };
}

const STATE_KEY = 'open-alerts';
const LEASE = 'alerts';
const ALERTS_LEASE_MS = 120_000;

/** An alert that was found, and when (ms since 1970), as the outbox stores it. */
const openAlert = z.object({
  key: z.string(),
  title: z.string(),
  detail: z.string(),
  view: z.enum(CONSOLE_VIEWS.map(({ key }): ConsoleViewKey => key)),
  since: z.number(),
  /** When it was sent last, and its level then; earlier versions have neither. */
  sentAt: z.number().optional(),
  level: z.number().optional(),
});

type OpenAlert = z.infer<typeof openAlert>;

/** The alerts that last, and what is not in the outbox yet. */
const stateSchema = z.object({
  open: z.array(openAlert),
  queue: z.array(z.object({ alert: openAlert, end: z.number().nullable() })),
});

/** A notification of an alert that is to be sent: `end` (ms since 1970) when the alert is over, null when it is open. */
interface AlertNews {
  readonly alert: OpenAlert;
  readonly end: number | null;
}

/**
 * Decides what is told of alerts, given what was told before: that one begins, that one is over, and again each day, or
 * when it gets worse, what lasts until a person acts. An alert of which nothing is known now stays as it was.
 */
function planAlerts(alerts: readonly ConsoleAlert[], known: readonly OpenAlert[], now: number) {
  const news: AlertNews[] = [];
  const open = alerts.map(({ key, text, detail, view, level = 0, isDaily = false }): OpenAlert => {
    const before = known.find((alert) => alert.key === key);
    const current = { key, title: text, detail, view, since: before?.since ?? now };
    const sentAt = before?.sentAt ?? before?.since ?? now;
    const isTold =
      before !== undefined && !(isDaily && (now - sentAt >= DAY_MS || level > (before.level ?? level)));
    const told = {
      ...current,
      sentAt: isTold ? sentAt : now,
      level: isTold ? (before.level ?? level) : level,
    };
    if (!isTold) news.push({ alert: told, end: null });
    return told;
  });
  const hidden = new Set(alerts.flatMap(({ hides = [] }) => hides));
  for (const alert of known) {
    if (open.some(({ key }) => key === alert.key)) continue;
    if (hidden.has(alert.key.split(':', 1)[0] ?? '')) open.push(alert);
    else news.push({ alert, end: now });
  }
  return { open, news };
}

/**
 * Puts a notification into the outbox for each alert that is new, lasts for another day or is over; resolves with how many,
 * null when another process does it: one at a time, that of `holder`. Rejects with `NotificationOutboxError`.
 */
export async function sendAlerts(
  site: ConsoleSite,
  channels: readonly NotificationChannelName[],
  holder: string,
  memory: AlertMemory = { open: [], isDirect: false },
): Promise<number | null> {
  const { clock } = site;
  const { notifications: outbox } = site.operators;
  const now = clock.now();
  const lease = { holder, now, until: now + ALERTS_LEASE_MS };
  if (!(await outbox.takeLease(LEASE, lease))) return null;
  const alerts = await site.readAlerts();
  const stored = stateSchema.safeParse(parseJson((await outbox.readState(STATE_KEY)) ?? ''));
  const known = stored.data ?? { open: [], queue: [] };
  const direct = memory.isDirect ? memory.open : [];
  const others = known.open.filter(({ key }) => !direct.some((alert) => alert.key === key));
  const { open, news } = planAlerts(alerts, [...others, ...direct], now);
  const queue = [...known.queue, ...news];
  if (queue.length > 0 || memory.isDirect) {
    // Before the outbox: after a crash in between, the same notifications are added again, under the same ids.
    await outbox.writeState(STATE_KEY, JSON.stringify({ open, queue }));
    for (const { alert, end } of queue) await outbox.add(buildAlertNotification(alert, end, site), channels);
    await outbox.writeState(STATE_KEY, JSON.stringify({ open, queue: [] }));
  }
  Object.assign(memory, { open, isDirect: false });
  return queue.length;
}

/** Sends alerts at once, without the outbox. What no one has taken is tried again with the next run. */
async function sendAlertsDirectly(
  site: ConsoleSite,
  channels: Channels,
  ways: readonly NotificationChannelName[],
  memory: AlertMemory,
): Promise<void> {
  const { open, news } = planAlerts(await site.readAlerts(), memory.open, site.clock.now());
  const untold: AlertNews[] = [];
  for (const { alert, end } of news) {
    const notification = buildAlertNotification(alert, end, site);
    const attempts = ways.map(async (name) => channels.get(name)?.send(notification));
    const results = await Promise.allSettled(attempts);
    if (results.every(({ status }) => status === 'rejected')) untold.push({ alert, end });
    for (const result of results)
      if (result.status === 'rejected')
        site.log.warn('an alert could not be sent, and the outbox cannot be used', {
          problem: String(result.reason),
        });
  }
  const isUntold = ({ key }: OpenAlert) => untold.some(({ alert }) => alert.key === key);
  const known = memory.open.filter(isUntold);
  Object.assign(memory, { open: [...open.filter((alert) => !isUntold(alert)), ...known], isDirect: true });
}

/** Builds what is sent about an alert when it is found (`end` null) and when it is over (ms since 1970). */
function buildAlertNotification(
  { key, title, detail, view, since, sentAt = since }: OpenAlert,
  end: number | null,
  site: Site,
): OperatorNotification {
  const { settings } = site;
  const content = site.content.read();
  const state = end === null ? 'open' : 'resolved';
  const time = new Date(since).toISOString().slice(0, 16).replace('T', ' ');
  return {
    id: `alert:${key}:${since}:${state}${end === null && sentAt > since ? `:${sentAt}` : ''}`,
    kind: 'alert',
    subject: `${content.site.name}: ${end === null ? '' : 'Resolved: '}${title}`,
    text:
      end === null
        ? `${title}\n\n${detail}\n\n${settings.siteUrl}${CONSOLE_PATH}`
        : `This is over: ${title}\n\nIt began at ${time} UTC.`,
    html: null,
    replyTo: null,
    fields: { key, state, title, detail, view, since },
    createdAt: end ?? sentAt,
  };
}

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;
/** A mail server that is down on Friday evening works again on Monday. */
const MAX_AGE_MS = 4 * DAY_MS;

/**
 * Decides whether a notification is sent again after a failed attempt, and when: only if the other side has not got it,
 * or recognizes what it has already got.
 */
export function decideRetry(delivery: NotificationDelivery, error: unknown, now: number): DeliveryResult {
  const { channel, notification, failures } = delivery;
  // An error of another kind says nothing about what the other side has got.
  const code = error instanceof NotificationError ? error.code : 'unknown';
  const problem = error instanceof Error ? error.message : String(error);
  if (code === 'unknown' && !isRepeatable(channel)) return { state: 'unknown', problem };
  const isTooOld = now - notification.createdAt > MAX_AGE_MS;
  if (code === 'refused' || isTooOld) return { state: 'failed', problem };
  return { state: 'waiting', problem, dueAt: now + buildPause(failures) };
}

/** Twice as long after each failure, at most an hour. */
const buildPause = (failures: number) => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);

/** Longer than any attempt of a mail: a claim that is older belongs to a process that has ended. */
const LEASE_MS = 2_700_000;

/** Sends what is due, one after the other; resolves with how many were sent. Rejects with `NotificationOutboxError`. */
export async function deliverDue(site: Site, channels: Channels): Promise<number> {
  const { clock, log } = site;
  const { notifications: outbox } = site.operators;
  const { trustedTime } = site.visitors;
  const { now } = clock;
  const trusted = await trustedTime.read();
  if (trusted !== null) await outbox.forget(trusted);
  const given = await outbox.giveUp(now());
  if (given > 0)
    log.warn('notifications may or may not have been sent when the process ended; they are not sent again', {
      given,
    });
  let sent = 0;
  for (;;) {
    const delivery = await outbox.claim(now(), now() + LEASE_MS);
    if (delivery === null) return sent;
    const result = await attempt(delivery, channels, now);
    await outbox.finish(delivery, result, now());
    const { channel, notification } = delivery;
    const fields = { id: notification.id, channel };
    if (result.state === 'sent') {
      sent++;
      log.info('notification sent', fields);
    } else log.warn('notification not sent', { ...fields, state: result.state, problem: result.problem });
  }
}

async function attempt(
  delivery: NotificationDelivery,
  channels: Channels,
  now: () => number,
): Promise<DeliveryResult> {
  const channel = channels.get(delivery.channel);
  if (channel === undefined)
    return { state: 'failed', problem: 'this way of sending is not set up any more' };
  try {
    await channel.send(delivery.notification);
    return { state: 'sent' };
  } catch (error) {
    return decideRetry(delivery, error, now());
  }
}
