import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { getSettingsFile, SecretFile } from '../content-files/secret-file.ts';
import { isTimeZone } from '../core/commissions/local-time.ts';
import { TYPED_SETTINGS } from '../core/console/typed-settings.ts';
import { isMailbox, isWebhookAddress, parseSmtpUrl } from '../core/contact/delivery-addresses.ts';
import { describeIssue, listIssues } from '../core/text/describe-issue.schema.ts';
import { isPublicAddress } from '../core/text/parse-text.ts';
import type { BucketAddress } from '../sources/storage/s3-bucket.ts';
import { ARTICLE_SOURCE_NAMES, ARTICLE_SOURCES } from './articles/article-sources.ts';
import { buildHostOrigin } from './http/same-origin.ts';
import { HSTS_CHOICES } from './http/security-headers.ts';

// The kinds of settings. Each message continues "NAME: " and says what a value has to be.

const plainText = (fallback = '') => z.string().trim().default(fallback);

/** A text that is empty or passes a test. */
const optional = (isValid: (value: string) => boolean, message: string) =>
  plainText().refine((value) => value === '' || isValid(value), message);

const flag = () =>
  z
    .enum(['0', '1'])
    .default('0')
    .transform((value) => value === '1');

const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
};

const splitList = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Several values separated by commas. */
const list = (isValid: (item: string) => boolean, message: string) =>
  plainText()
    .transform(splitList)
    .refine((items) => items.every(isValid), message);

const isWebAddress = (value: string) => /^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);

const ADDRESS_MESSAGE = 'must be an address that begins with http:// or https://';
const url = () => optional(isWebAddress, ADDRESS_MESSAGE);

const isHost = (value: string) => /^[\w.:-]+$/.test(value) && URL.canParse(buildHostOrigin(value, 80));
const HOST_MESSAGE = 'must be a name or an IP address, without a scheme, a port or brackets';

/** A host to listen on. */
const host = (fallback: string) =>
  plainText(fallback).refine((value) => value === '' || isHost(value), HOST_MESSAGE);

const isHostWithPort = (value: string) =>
  /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(value) && URL.canParse(`http://${value}`);

/** A host as requests name it, with its port unless it is the usual one. */
const requestedHost = () =>
  optional(
    isHostWithPort,
    'must be a host such as console.example.com, without https:// and a path',
  ).transform((value) => value.toLowerCase());

const hosts = () =>
  list(isHostWithPort, 'must be hosts such as images.example.com, without https:// and a path');

const header = () =>
  plainText()
    .refine((value) => /^[\w-]*$/.test(value), 'must be the name of a header, such as CF-IPCountry')
    .transform((value) => value.toLowerCase());

/** Country codes, `EU`, `EEA`, or parts of countries such as `US-CA`; or one word that stands for a whole list. */
const regions = (word = /^$/) =>
  list(
    (item) => /^(?:EEA|[a-z]{2}(?:-[a-z\d]{1,3})?)$/i.test(item) || word.test(item),
    'must be codes of two letters such as EU,GB,CH',
  );

const webhook = () =>
  optional(isWebhookAddress, 'must begin with https://, or http:// and be an address of this machine');

/** The address in `webhook:ADDRESS`; empty without one. */
const findWebhook = (provider: string) => /^webhook:(.+)$/.exec(provider)?.[1]?.trim() ?? '';

/** `host=http://127.0.0.1:PORT`, several separated by commas. */
const standIns = () =>
  list(
    (item) => /^[a-z0-9.-]+=http:\/\/127\.0\.0\.1:\d{1,5}$/.test(item),
    'must look like shop.example=http://127.0.0.1:4500',
  ).transform((items) => {
    const pairs = items.map((item) => item.split('=', 2));
    return new Map(pairs.map(([host = '', origin = '']): [string, string] => [host, origin]));
  });

const isMailAddress = (item: string) => isMailbox(/^[^<>]*<([^<>]*)>$/.exec(item)?.[1] ?? item);

const mailAddress = () =>
  optional(isMailAddress, 'must be an email address, or look like Name <name@example.com>');

const mailAddresses = () =>
  optional((value) => splitList(value).every(isMailAddress), 'must be email addresses, separated by commas');

/** Where the copy of the data is: a folder, or a place in a bucket; null for an address that names none. */
export function parseCopyPlace(value: string): string | BucketAddress | null {
  if (!value.startsWith('s3:')) return value;
  const [, bucket = '', prefix = ''] = /^s3:\/\/([a-z\d.-]+)(?:\/([\w./-]*))?(?:\?|$)/.exec(value) ?? [];
  const parameters = new URLSearchParams(value.split('?')[1]);
  const region = parameters.get('region') ?? 'us-east-1';
  const endpoint = (parameters.get('endpoint') ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, '');
  if (bucket === '' || !isWebhookAddress(endpoint)) return null;
  return { bucket, prefix: prefix.replace(/\/*$/, prefix === '' ? '' : '/'), region, endpoint };
}

/** Whether a text is an address or a network in CIDR notation: `203.0.113.7`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  // The library completes short forms: 1.2.3 would be 1.2.0.3.
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

/** Every setting by its environment name. `.env.example` lists the same names, checked by a test. */
const settingsSchema = z.object({
  HOST: host('localhost'),
  PORT: whole(0, 65_535).default(4321),
  DATA_DIR: plainText('./data'),
  CONTENT_DIR: plainText('./content'),
  SITE_URL: list(
    (value) => isWebAddress(value) && !/^\w+:\/\/[^/?#@]*[?#@]|^\w+:\/\/[^/]+\/./.test(value),
    'must be an address without a path, such as https://example.com: the site needs a host of its own',
  ),
  HSTS: z.enum(HSTS_CHOICES).default('day'),
  ARTICLE_SOURCE: z.enum(ARTICLE_SOURCE_NAMES).default('files'),
  ARTICLE_SERVICE_URL: url(),
  ARTICLE_SERVICE_KEY: plainText(),
  ARTICLE_SERVICE_CDN_URL: url(),
  GA_MEASUREMENT_ID: plainText().refine(
    (value) => value === '' || /^G-[A-Z0-9]+$/.test(value),
    'must look like G-XXXXXXX',
  ),
  GA_API_SECRET: plainText(),
  GA_ENDPOINT: url(),
  CONSENT_REGIONS: regions(),
  STORAGE_CONSENT_REGIONS: regions(/^(?:all|none)$/i),
  STORAGE_QUESTION: z.enum(['never', 'ask']).default('never'),
  STORAGE_FREE_LINKS: z.enum(['campaign', 'none']).default('campaign'),
  CLICK_ID_WITHOUT_CONSENT: z.enum(['yes', 'no']).default('yes'),
  REGION_HEADER: header(),
  TRUSTED_PROXY_HOPS: whole(0, 10).default(0),
  EVENT_RATE: whole(0, 1_000_000).default(200),
  FORM_KEY: plainText(),
  RETENTION_MONTHS: whole(1, 120).default(13),
  EVENT_HOT_DAYS: whole(0, 3650).default(0),
  TIME_ZONE: z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').default('UTC'),
  SMTP_URL: plainText().refine(
    (value) => value === '' || parseSmtpUrl(value) !== null,
    'must look like smtps://user:password@mail.example.com',
  ),
  MAIL_FROM: mailAddress(),
  MAIL_TO: mailAddresses(),
  CONTACT_WEBHOOK_URL: webhook(),
  ALERT_WEBHOOK_URL: webhook(),
  NEWSLETTER_PROVIDER: plainText('off').refine(
    (value) =>
      /^(?:off|buttondown|kit(?::\d+)?|webhook)$/.test(value) || isWebhookAddress(findWebhook(value)),
    'must be off, buttondown, kit, kit:FORM or webhook:ADDRESS (https, or http to this machine)',
  ),
  NEWSLETTER_KEY: plainText().refine((value) => /^[\x21-\x7e]*$/.test(value), 'must have no spaces'),
  WEBHOOK_KEY: plainText(),
  HEARTBEAT_URL: webhook(),
  LEDGER_COPY: optional(
    (value) => parseCopyPlace(value) !== null,
    'must be a folder, or look like s3://bucket/prefix?endpoint=https://s3.example.com&region=REGION',
  ),
  LEDGER_COPY_KEY: optional((value) => value.length >= 32, 'must be a random text of at least 32 characters'),
  LEDGER_COPY_CREDENTIALS: optional(
    (value) => /^[^:\s]+:\S+$/.test(value),
    'must look like ACCESS_KEY_ID:SECRET',
  ),
  LEDGER_COPY_WAIT: z.enum(['no', 'wait', 'strict']).default('no'),
  LINK_WATCH: z.enum(['auto', 'on', 'off']).default('auto'),
  TEST_HOSTS: standIns(),
  DEMO: flag(),
  LOG_REQUESTS: flag(),
  METRICS_PORT: whole(0, 65_535).default(0),
  CONSOLE_HOST: requestedHost(),
  CONSOLE_ADDRESSES: list(isNetwork, 'must be addresses or networks such as 203.0.113.7 or 2001:db8::/32'),
});

export const SETTINGS = Object.keys(settingsSchema.shape) as readonly (keyof z.input<
  typeof settingsSchema
>)[];

/** Settings of earlier versions that apply where they are set; `removed-settings.json` says what is written instead. */
const formerSchema = z.object({
  ARTICLE_IMAGE_HOSTS: hosts(),
  PREVIEW_TOKEN: plainText(),
  CLICK_RATE: whole(0, 1_000_000).optional(),
  PAGE_RATE: whole(0, 1_000_000).optional(),
  /** MB that stay free on the disk of the data; 0: no limit. */
  MIN_FREE_MB: whole(0, 1_000_000).default(256),
  NEWSLETTER_URL: webhook(),
});

export const FORMER_SETTINGS = Object.keys(formerSchema.shape) as readonly (keyof z.input<
  typeof formerSchema
>)[];

const givenSchema = settingsSchema.extend(formerSchema.shape);
type GivenSettings = z.output<typeof givenSchema>;

/**
 * The process's settings, parsed. `SITE_URL` is its first address; `siteUrl` is the origin that pages and feeds name,
 * without a trailing slash; `siteHosts` are all hosts of the site in lower case, without ports. `CLICK_RATE` and
 * `PAGE_RATE` are a tenth and a fifth of `EVENT_RATE`. The address of `NEWSLETTER_PROVIDER` is `NEWSLETTER_URL`.
 */
export type Settings = Omit<GivenSettings, 'SITE_URL' | 'CLICK_RATE' | 'PAGE_RATE'> & {
  readonly SITE_URL: string;
  readonly CLICK_RATE: number;
  readonly PAGE_RATE: number;
  readonly siteUrl: string;
  readonly siteHosts: readonly string[];
};

export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(['[settings] invalid settings:', ...lines.map((line) => `  ${line}`)].join('\n'));
    this.name = 'SettingsError';
  }
}

/** Parses the environment. An empty value counts as unset. Throws `SettingsError` naming each wrong setting. */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.keys(givenSchema.shape).flatMap((name) => {
      const value = environment[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const result = givenSchema.safeParse(given, { error: describeIssue });
  if (!result.success) {
    throw new SettingsError(
      listIssues(result.error).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const [address = '', ...others] = result.data.SITE_URL;
  const siteUrl =
    address === '' ? buildHostOrigin(result.data.HOST, result.data.PORT) : new URL(address).origin;
  const siteHosts = [siteUrl, ...others].map((origin) => new URL(origin).hostname);
  const STORAGE_CONSENT_REGIONS =
    result.data.STORAGE_CONSENT_REGIONS.length > 0 || !isPublicAddress(address)
      ? result.data.STORAGE_CONSENT_REGIONS
      : ['EU', 'GB', 'CH'];
  const { EVENT_RATE, NEWSLETTER_PROVIDER: newsletter } = result.data;
  const newsletterUrl = findWebhook(newsletter);
  const settings = {
    ...result.data,
    STORAGE_CONSENT_REGIONS,
    SITE_URL: address,
    siteUrl,
    siteHosts,
    CLICK_RATE: result.data.CLICK_RATE ?? EVENT_RATE / 10,
    PAGE_RATE: result.data.PAGE_RATE ?? EVENT_RATE / 5,
    NEWSLETTER_PROVIDER: newsletterUrl === '' ? newsletter : 'webhook',
    NEWSLETTER_URL: newsletterUrl || result.data.NEWSLETTER_URL,
  };
  const missing = findMissing(settings);
  if (missing.length > 0) throw new SettingsError(missing);
  return settings;
}

/** Completes the environment with the settings that were typed in. */
export function addTypedSettings(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const { secrets, isUsable } = new SecretFile(
    getSettingsFile(environment['DATA_DIR']?.trim() || './data'),
  ).read();
  const typed = TYPED_SETTINGS.flatMap((name) => {
    const value = isUsable && Object.hasOwn(secrets, name) ? secrets[name]?.value : undefined;
    return value === undefined || environment[name]?.trim() ? [] : [[name, value] as const];
  });
  return { ...environment, ...Object.fromEntries(typed) };
}

/** Settings that others need. A missing key of an article service is no error here: the blog page shows it. */
function findMissing(settings: Settings): string[] {
  const { address } = ARTICLE_SOURCES[settings.ARTICLE_SOURCE];
  const require = (isNeeded: boolean, name: keyof Settings, reason: string) =>
    isNeeded && settings[name] === '' ? [`${name}: is needed when ${reason}`] : [];
  const hasMail = settings.SMTP_URL !== '';
  const { NEWSLETTER_PROVIDER: newsletter } = settings;
  const hasWebhook =
    settings.CONTACT_WEBHOOK_URL !== '' || settings.ALERT_WEBHOOK_URL !== '' || newsletter === 'webhook';
  const isService = newsletter !== 'off' && newsletter !== 'webhook';
  return [
    ...(address === null ? [] : require(true, address, `ARTICLE_SOURCE is ${settings.ARTICLE_SOURCE}`)),
    ...(settings.REGION_HEADER !== '' && settings.TRUSTED_PROXY_HOPS === 0
      ? ['TRUSTED_PROXY_HOPS: is needed when REGION_HEADER is set: without a proxy visitors choose it']
      : []),
    ...require(settings.LEDGER_COPY !== '', 'LEDGER_COPY_KEY', 'LEDGER_COPY is set'),
    ...require(settings.LEDGER_COPY.startsWith('s3:'), 'LEDGER_COPY_CREDENTIALS', 'LEDGER_COPY is a bucket'),
    ...require(hasMail, 'MAIL_FROM', 'a mail server is set'),
    ...require(hasMail, 'MAIL_TO', 'a mail server is set'),
    ...require(hasWebhook, 'WEBHOOK_KEY', 'a webhook is set'),
    ...require(isService, 'NEWSLETTER_KEY', `NEWSLETTER_PROVIDER is ${newsletter}`),
    ...(newsletter === 'webhook' && settings.NEWSLETTER_URL === ''
      ? ['NEWSLETTER_PROVIDER: webhook needs an address, as in webhook:https://hooks.example']
      : []),
    ...(settings.TEST_HOSTS.size > 0 && isPublicAddress(settings.SITE_URL)
      ? ['TEST_HOSTS: is for tests alone, and SITE_URL is a public address']
      : []),
    ...(settings.HSTS !== 'day' && !settings.siteUrl.startsWith('https:')
      ? ['HSTS: needs a SITE_URL that begins with https://']
      : []),
    ...(settings.HEARTBEAT_URL !== '' && settings.MAIL_TO === '' && settings.ALERT_WEBHOOK_URL === ''
      ? ['HEARTBEAT_URL: is called after alerts were sent, so MAIL_TO or ALERT_WEBHOOK_URL is needed']
      : []),
  ];
}
